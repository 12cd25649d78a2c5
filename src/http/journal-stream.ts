/** The journal of a world as a stream of server-sent events. */
import type { ReadableStreamDefaultController, UnderlyingSource } from "node:stream/web";
import type { Context } from "hono";
import { streamQuery } from "../control/call.ts";
import { ControlError } from "../control/errors.ts";
import { readQuery } from "../control/validation.ts";
import { entryView } from "../control/views.ts";
import { BEGINS_BEHIND, IS_OVER, PULSE } from "../domain/journal-stream.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { laterTurn, wakeAfter } from "../runtime.ts";
import type { JournalEntry } from "../store/journal.ts";
import { PRIVATE_HEADERS } from "./guard.ts";
import { QuickResponse } from "./quick-response.ts";

const STREAM_PAGE = 500;
/** This many bytes of entries are read at a time: they wait in memory until the listener has taken them. */
const STREAM_BYTES = 256 * 1024;

/**
 * The journal live, from the entry after `Last-Event-ID` or `?after`, or from now on.
 * @param pulseMs real time without an entry after which it sends a pulse, to show that it is alive.
 * @throws {ControlError} 400.
 */
export function streamJournal(context: Context, live: LiveWorld, pulseMs: number): Response {
  const after = sequenceBefore(context, live);
  const headers = { ...PRIVATE_HEADERS, "Content-Type": "text/event-stream" };
  // Nobody reads the body of a HEAD: its stream would wait for ever.
  if (context.req.method === "HEAD") return new QuickResponse(null, { headers });
  // Asked for no more than the connection takes, the stream of a listener that does not read holds one reading.
  const stream = new ReadableStream(new EntrySource(live, after, pulseMs), { highWaterMark: 0 });
  return new QuickResponse(stream, {
    headers: { ...headers, "Cache-Control": "no-cache", [BEGINS_BEHIND]: String(after) },
  });
}

/** Gives entries as they are committed, until the listener goes away or the world does. */
class EntrySource implements UnderlyingSource<Uint8Array> {
  readonly #live: LiveWorld;
  readonly #pulseMs: number;
  /** The sequence of the last entry given. */
  #given: number;
  #isLeft = false;
  #wake = () => {};
  readonly #onCommit = () => this.#wake();

  constructor(live: LiveWorld, after: number, pulseMs: number) {
    this.#live = live;
    this.#given = after;
    this.#pulseMs = pulseMs;
    live.world.commitListeners.add(this.#onCommit);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const text = await this.#nextText();
    if (this.#isLeft) return;
    controller.enqueue(Buffer.from(text ?? `${IS_OVER}\n\n`));
    if (text === null) return controller.close();
    // A listener that takes a long journal as fast as it comes must not keep others from their turn.
    await laterTurn();
  }

  cancel(): void {
    this.#isLeft = true;
    this.#live.world.commitListeners.delete(this.#onCommit);
    this.#wake();
  }

  /** The next entries, or a pulse; null when no more will come. */
  async #nextText(): Promise<string | null> {
    while (!this.#isLeft && !this.#live.closed) {
      const entries = this.#nextEntries();
      this.#given = entries.at(-1)?.sequence ?? this.#given;
      if (entries.length > 0) return entries.map(eventText).join("");
      if (await this.#isQuiet()) return PULSE;
    }
    return null;
  }

  #nextEntries(): JournalEntry[] {
    const { world } = this.#live;
    // Entries that are not committed yet may be rolled back, and others then get their sequences.
    world.commit();
    return world.journal.after(this.#given, world.journal.countWithin(STREAM_BYTES, this.#given, STREAM_PAGE));
  }

  /** Waits to be woken, until it is time for a pulse at most. @returns whether that time came first. */
  #isQuiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const stopTimer = wakeAfter(this.#pulseMs, () => resolve(true));
      this.#wake = () => {
        stopTimer();
        resolve(false);
      };
    });
  }
}

/** An entry as a server-sent event; JSON has no line breaks. */
function eventText(entry: JournalEntry): string {
  return `event: ${entry.kind}\ndata: ${JSON.stringify(entryView(entry))}\nid: ${entry.sequence}\n\n`;
}

/**
 * The sequence of the entry after which a stream continues. One beyond the journal belongs to a history that a reset or
 * a restore has ended: the stream then sends all of the present one, from its beginning.
 * @throws {ControlError} 400.
 */
function sequenceBefore(context: Context, { world }: LiveWorld): number {
  const { after } = readQuery(streamQuery(), new URL(context.req.url).searchParams);
  const header = context.req.header("last-event-id");
  const given = header ?? after;
  const last = world.journal.last().sequence;
  if (given === undefined) return last;
  if (/^\d{1,15}$/.test(given)) return Number(given) > last ? 0 : Number(given);
  const name = header === undefined ? "after" : "Last-Event-ID";
  throw new ControlError(400, "INVALID_REQUEST", `${name} must be the sequence of a journal entry, or 0 for all.`);
}
