import { askAgain } from "../live/ask-again.ts";
import type { Session } from "../live/session.ts";
import { Emitter } from "../live/signal.ts";
import type { JournalEntry, Page } from "../wire/answers.ts";
import { ControlError } from "../wire/control.ts";
import { Threads } from "./threads.ts";

const FIRST_PAGE = 300;
const PAGE = 1_000;

/** The most entries that are read for threads; the journal as a list shows any number. */
const MOST_ENTRIES = 20_000;

/** The part of the journal that threads are made of: its newest entries, and older ones as they are needed. */
export class TimelineWindow extends Emitter {
  readonly #session: Session;
  #entries: JournalEntry[] = [];
  #threads = new Threads();
  #reading = false;
  /** Counts histories: an answer to a request from another one is dropped. */
  #history = 0;
  isReady = false;
  error: ControlError | null = null;

  constructor(session: Session) {
    super();
    this.#session = session;
  }

  get threads(): Threads {
    return this.#threads;
  }

  /** Whether there are older entries to read. */
  get hasOlder(): boolean {
    return (this.#entries[0]?.sequence ?? 1) > 1;
  }

  get isFull(): boolean {
    return this.#entries.length >= MOST_ENTRIES;
  }

  /** Reads the newest entries and follows the feed. @returns a function that ends it. */
  open(): () => void {
    const { feed, journal } = this.#session;
    const begin = () => this.#begin();
    begin();
    const ready = journal.listen(begin);
    const back = askAgain(feed, this);
    const took = feed.take((entries) => this.#append(entries));
    const anew = feed.replaced.listen(() => this.#clear());
    return () => {
      ready();
      back();
      took();
      anew();
    };
  }

  /** Reads a page of older entries, if there are any. */
  readOlder(): void {
    const first = this.#entries[0];
    if (first && this.hasOlder && !this.isFull && !this.error) void this.#readBefore(first.sequence, PAGE);
  }

  /** Reads again after an error. */
  async touch(): Promise<void> {
    this.error = null;
    this.#begin();
    this.readOlder();
  }

  #begin(): void {
    const { journal } = this.#session;
    if (this.#entries.length === 0 && journal.isReady) void this.#readBefore(journal.end + 1, FIRST_PAGE);
  }

  async #readBefore(sequence: number, count: number): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    const history = this.#history;
    const after = Math.max(0, sequence - 1 - count);
    try {
      const page = await this.#session.control.get<Page<JournalEntry>>(
        `/journal?cursor=${after}&limit=${Math.max(1, Math.min(count, sequence - 1 - after))}`,
      );
      if (history === this.#history) this.#prepend(page.items);
      this.error = null;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.error = error;
    }
    this.#reading = false;
    if (history !== this.#history) {
      this.#begin();
      return;
    }
    this.isReady = true;
    this.emit();
  }

  #prepend(older: readonly JournalEntry[]): void {
    const first = this.#entries[0]?.sequence ?? Number.POSITIVE_INFINITY;
    this.#entries = [...older.filter(({ sequence }) => sequence < first), ...this.#entries];
    this.#rebuild();
  }

  #append(entries: readonly JournalEntry[]): void {
    const last = this.#entries.at(-1)?.sequence ?? 0;
    const fresh = entries.filter(({ sequence }) => sequence > last);
    const [next] = fresh;
    if (!next) return;
    // If entries were skipped, the former ones are no longer adjacent to the new ones.
    const follows = this.#entries.length === 0 || next.sequence === last + 1;
    if (follows) this.#entries.push(...fresh);
    else this.#entries = fresh;
    const tooMany = this.#entries.length - 2 * MOST_ENTRIES;
    if (tooMany > 0) this.#entries = this.#entries.slice(-MOST_ENTRIES);
    if (follows && tooMany <= 0) this.#threads.add(fresh);
    else this.#rebuild();
    this.isReady = true;
    this.emit();
  }

  #rebuild(): void {
    this.#threads = new Threads();
    this.#threads.add(this.#entries);
  }

  #clear(): void {
    this.#history++;
    this.#entries = [];
    this.#threads = new Threads();
    this.isReady = false;
    this.emit();
  }
}
