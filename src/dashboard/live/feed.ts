/** The journal as it grows: one stream, taken up again where it broke off, handed out once a frame. */
import { attention, beforeNextFrame, delay, watchAttention } from "../browser.ts";
import type { JournalEntry, Page } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { ControlError } from "../wire/control.ts";
import { eventsOf } from "../wire/event-stream.ts";
import { Emitter, Signal } from "./signal.ts";
import { EVERYTHING, topicsOf } from "./topics.ts";

/** How it stands with the stream: `gone` when there is no such world, `denied` when the control token is wrong. */
export type FeedStatus = "connecting" | "live" | "down" | "gone" | "denied";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** The comment that a stream ends with where its history is over; one that ends without it was broken by the network. */
const IS_OVER = "over";

/** As many entries as wait for a frame; where more come, only the newest are looked at and all lists are read anew. */
const LONGEST_QUEUE = 5_000;

/** The stream of one page; where it broke off it goes on from the last entry that came. */
export class Feed {
  readonly status = new Signal<FeedStatus>("connecting");
  /** Emits when the world's history is another one: reset, restored, or made again. */
  readonly replaced = new Emitter();
  /** Emits whenever a stream has been opened: what no entry tells of, such as a clock that was set back, may be old. */
  readonly opened = new Emitter();
  /** Set by a page that replaces it itself: the next stream is that of another history, however alike they are. */
  isReplacing = false;
  readonly #control: Control;
  readonly #takers = new Set<(entries: readonly JournalEntry[], topics: ReadonlySet<string>) => void>();
  #last: JournalEntry | null = null;
  /** Whether the stream before has told that its history is over. */
  #isOver = false;
  #queue: JournalEntry[] = [];
  #overflowed = false;
  #isFrameAsked = false;

  constructor(control: Control) {
    this.#control = control;
  }

  /** Hands over what came since the frame before, and what it touches. @returns what ends it. */
  take(taker: (entries: readonly JournalEntry[], topics: ReadonlySet<string>) => void): () => void {
    this.#takers.add(taker);
    return () => this.#takers.delete(taker);
  }

  /** Goes on from an entry, for as long as there is a page. A page that nobody looks at holds no stream open. */
  async run(from: JournalEntry | null): Promise<void> {
    this.#last = from;
    // It may have been denied before the token was given.
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
        // A stream ends with its world's history, too: whether the sandbox answers shows when it is asked again.
        if (!stream.signal.aborted) this.status.set("connecting");
      } catch (error) {
        if (!stream.signal.aborted) this.#fail(error);
      }
      unwatch();
      if (this.status.value === "denied") return;
      if (stream.signal.aborted) continue;
      // Nothing of a stream that could not be used stays open.
      stream.abort();
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /**
   * Takes what the stream gives until it ends or breaks off. A stream ends with its world's history, so whether that is
   * still the same is asked when it is open: asked before, the history could become another one between the two.
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
    const onComment = (text: string) => {
      if (text === IS_OVER) this.#isOver = true;
    };
    try {
      for await (const { data } of eventsOf(body, onComment)) this.#push(JSON.parse(data) as JournalEntry);
    } catch {
      // A stream that breaks off has ended all the same.
    }
  }

  /** A sandbox that ends tells that its histories are over, too, and may go on with them when it is there again. */
  #fail(error: unknown): void {
    const status = statusAfter(error);
    if (status === "down") this.#isOver = false;
    this.status.set(status);
  }

  /**
   * Whether the history that is streamed is the one that is known here: in another, sequences mean something else.
   * A history that begins anew from the same seed has the same entries: that the one before is over tells them apart.
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

  /** Whether the world's history has an entry, in its place. */
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
