/** One stream of a world's journal shared by all waits: a hundred waits do not read each entry a hundred times. */
import type { JournalEntryInfo } from "./control-types.ts";

type Entries = AsyncGenerator<JournalEntryInfo>;

/** Opens a stream: it is connected once this has resolved, and the signal closes it. */
type Open = (signal: AbortSignal) => Promise<Entries>;

/** One wait that reads the shared stream. */
interface Reader {
  readonly unread: JournalEntryInfo[];
  wake: () => void;
}

/** Opens the stream for the first reader, and again for the next one after all have left or it has ended. */
export class SharedStream {
  readonly #open: Open;
  #broadcast: Broadcast | undefined;

  constructor(open: Open) {
    this.#open = open;
  }

  /**
   * The entries from now on, until the world goes away, is reset or restored. The stream is connected once this has
   * resolved.
   * @param signal ends it; every caller must abort it in the end, or the stream stays open.
   */
  async join(signal: AbortSignal): Promise<Entries> {
    signal.throwIfAborted();
    if (!this.#broadcast || this.#broadcast.isOver) this.#broadcast = new Broadcast(this.#open);
    return this.#broadcast.join(signal);
  }
}

/** One stream from its opening to its end. */
class Broadcast {
  readonly #readers = new Set<Reader>();
  readonly #closing = new AbortController();
  readonly #stands: Promise<void>;
  #end: { readonly error: unknown } | undefined;

  constructor(open: Open) {
    this.#stands = open(this.#closing.signal).then((entries) => void this.#tellAll(entries));
    this.#stands.catch((error: unknown) => this.#finish({ error }));
  }

  get isOver(): boolean {
    return this.#end !== undefined || this.#closing.signal.aborted;
  }

  async join(signal: AbortSignal): Promise<Entries> {
    const reader: Reader = { unread: [], wake: () => {} };
    this.#readers.add(reader);
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    void aborted.then(() => this.#leave(reader));
    await Promise.race([this.#stands, aborted]);
    signal.throwIfAborted();
    return this.#read(reader, signal);
  }

  async *#read(reader: Reader, signal: AbortSignal): Entries {
    for (;;) {
      while (reader.unread.length > 0) {
        // Taken out all at once: to take one out moves all behind it, and there may be a great many.
        for (const entry of reader.unread.splice(0)) {
          yield entry;
          signal.throwIfAborted();
        }
      }
      signal.throwIfAborted();
      if (this.#end) break;
      await new Promise<void>((resolve) => {
        reader.wake = resolve;
      });
    }
    if (this.#end.error !== undefined) throw this.#end.error;
  }

  async #tellAll(entries: Entries): Promise<void> {
    try {
      for await (const entry of entries) {
        for (const reader of this.#readers) {
          reader.unread.push(entry);
          reader.wake();
        }
      }
      this.#finish({ error: undefined });
    } catch (error) {
      this.#finish({ error });
    }
  }

  #finish(end: { readonly error: unknown }): void {
    this.#end ??= end;
    for (const reader of this.#readers) reader.wake();
  }

  /** The last reader closes the stream. */
  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    reader.wake();
    if (this.#readers.size === 0) this.#closing.abort();
  }
}
