/** Follows the journal: one stream, resumed where it broke off, its entries handed out once per frame. */

import { IS_OVER } from "../../domain/journal-stream.ts";
import { attention, beforeNextFrame, delay, watchAttention } from "../browser.ts";
import type { JournalEntry, Page } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { blocksOf } from "../wire/event-stream.ts";
import { Emitter, Signal } from "./signal.ts";
import { EVERYTHING, topicsOf } from "./topics.ts";

/** The state of the stream: `gone` if there is no such world, `denied` if the control token is wrong. */
export type FeedStatus = "connecting" | "live" | "down" | "gone" | "denied";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** How many entries may wait for a frame; if more come, only the newest are kept, and all lists are read again. */
const LONGEST_QUEUE = 5_000;

/** The stream of one page; after a break it resumes after the last entry that came. */
export class Feed {
  readonly status = new Signal<FeedStatus>("connecting");
  /** Emits when the world has a new history: it was reset, restored or created again. */
  readonly replaced = new Emitter();
  /** Emits when a stream was opened: what no entry reports, such as a clock that was set back, may be out of date. */
  readonly opened = new Emitter();
  /** Set if this page replaces the history: the next stream has a new history, even if its entries look the same. */
  isReplacing = false;
  readonly #control: Control;
  readonly #takers = new Set<(entries: readonly JournalEntry[], topics: ReadonlySet<string>) => void>();
  #last: JournalEntry | null = null;
  /** Whether the last stream said that its history is over. */
  #isOver = false;
  #queue: JournalEntry[] = [];
  #overflowed = false;
  #isFrameAsked = false;

  constructor(control: Control) {
    this.#control = control;
  }

  /** Hands over the entries since the last frame, and the topics that they touch. @returns a function that ends it. */
  take(taker: (entries: readonly JournalEntry[], topics: ReadonlySet<string>) => void): () => void {
    this.#takers.add(taker);
    return () => this.#takers.delete(taker);
  }

  /** Follows the journal from an entry on, as long as the page lives. A hidden page holds no stream open. */
  async run(from: JournalEntry | null): Promise<void> {
    this.#last = from;
    // The status may still be `denied` from before the token was given.
    this.status.set("connecting");
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      await attention();
      const stream = new AbortController();
      const unwatch = watchAttention((isSeen) => {
        if (!isSeen) stream.abort();
      });
      try {
        await this.#listen(stream.signal);
        pauseMs = FIRST_PAUSE_MS;
        // The stream also ends with its history: the next request shows whether the sandbox still answers.
        if (!stream.signal.aborted) this.status.set("connecting");
      } catch (error) {
        if (!stream.signal.aborted) this.#fail(error);
      }
      unwatch();
      if (this.status.value === "denied") return;
      if (stream.signal.aborted) continue;
      // A stream that could not be used must not stay open.
      stream.abort();
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /**
   * Reads the stream until it ends or breaks off. Whether the history is still the same is asked after opening it: if
   * asked before, the history could change between the two.
   */
  async #listen(signal: AbortSignal): Promise<void> {
    const body = await this.#control.openStream(this.#last?.sequence ?? 0, signal);
    if (!(await this.#goesOn())) {
      if (this.#last !== null) return this.#beginAnew(body, signal);
      this.replaced.emit();
      this.isReplacing = false;
    }
    this.#isOver = false;
    this.status.set("live");
    this.opened.emit();
    try {
      for await (const { data, comment } of blocksOf(body)) {
        if (comment === IS_OVER) this.#isOver = true;
        if (data !== null) this.#push(JSON.parse(data) as JournalEntry);
      }
    } catch {
      // A stream that breaks off counts as ended.
    }
  }

  /** A sandbox that stops ends its histories too, but may resume them when it is back. */
  #fail(error: unknown): void {
    const status = statusAfter(error);
    if (status === "down") this.#isOver = false;
    this.status.set(status);
  }

  /**
   * Whether the streamed history is the known one: in another, sequences mean something else. A history restarted from
   * the same seed has the same entries; only the end of the one before tells them apart.
   */
  async #goesOn(): Promise<boolean> {
    return !this.isReplacing && !this.#isOver && this.#last !== null && (await this.#knows(this.#last));
  }

  async #beginAnew(stale: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    await stale.cancel();
    this.#last = null;
    this.#queue = [];
    await this.#listen(signal);
  }

  /** Whether the world's history has this entry at its sequence. */
  async #knows(entry: JournalEntry): Promise<boolean> {
    const page = await this.#control.get<Page<JournalEntry>>(`/journal?cursor=${entry.sequence - 1}&limit=1`);
    return JSON.stringify(page.items[0]) === JSON.stringify(entry);
  }

  #push(entry: JournalEntry): void {
    this.#last = entry;
    this.#queue.push(entry);
    if (this.#queue.length > 2 * LONGEST_QUEUE) {
      this.#queue = this.#queue.slice(-LONGEST_QUEUE);
      this.#overflowed = true;
    }
    if (this.#isFrameAsked) return;
    this.#isFrameAsked = true;
    beforeNextFrame(() => this.#hand());
  }

  #hand(): void {
    this.#isFrameAsked = false;
    const entries = this.#queue;
    const topics = new Set(entries.flatMap(topicsOf));
    if (this.#overflowed) topics.add(EVERYTHING);
    this.#queue = [];
    this.#overflowed = false;
    for (const taker of [...this.#takers]) taker(entries, topics);
  }
}

function statusAfter(error: unknown): FeedStatus {
  if (!(error instanceof ControlError)) return "down";
  if (error.status === 401) return "denied";
  return error.status === 404 ? "gone" : "down";
}
