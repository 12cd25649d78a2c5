/**
 * The journal as threads: all that belongs to one transaction, from the call that made it to the last webhook of its
 * dispute. What belongs to no resource (a call that was refused, a move of the clock) is a thread of its own.
 */
import type { JournalEntry } from "../wire/answers.ts";

/** An entry in its thread; `depth` counts the causes before it there. */
export interface ThreadEntry {
  readonly entry: JournalEntry;
  readonly depth: number;
}

/** One thread, its entries oldest first. */
export interface Thread {
  readonly key: string;
  /** The kind of resource that it is about: `cashin`, `wallet` …; null where there is none, or none is known yet. */
  resource: string | null;
  /** The id of that resource. */
  readonly subject: string | null;
  /** Whether what led to its first entry has not been read yet. */
  readonly beginsEarlier: boolean;
  readonly entries: ThreadEntry[];
}

/** Resources that begin a thread; a dispute joins that of its charge, a split that of the charge which it is of. */
const LEADING = new Set(["cashin", "cashout", "transfer", "conversion"]);

/** Entries that wait for what they bring about, to join its thread. */
const CALLS = new Set(["request", "control"]);

/** TABLE: what events are about, where that is not their first word. */
const byEvent: Readonly<Record<string, string>> = { chargeback: "dispute", wallet_deposit: "cashin" };

/** Sorts entries into threads as they are added, by what led to them. */
export class Threads {
  #threads = new Map<string, Thread>();
  /** The thread and the depth of an entry. */
  #placeOf = new Map<number, { key: string; depth: number }>();
  /** The thread of a resource. */
  #keyOf = new Map<string, string>();
  /** Calls that nothing has followed yet but the faults that struck them, which come right behind. */
  #waiting = new Map<number, JournalEntry[]>();
  #count = 0;

  /** As many entries as are in it. */
  get count(): number {
    return this.#count;
  }

  /** The threads, that with the newest entry first. */
  newestFirst(): Thread[] {
    return [...this.#threads.values()].sort((left, right) => newestOf(right) - newestOf(left));
  }

  /** The thread that an entry is in. */
  keyOf(sequence: number): string | undefined {
    return this.#placeOf.get(sequence)?.key;
  }

  /** Takes entries in their order. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#count++;
      const struck = entry.kind === "fault.injected" ? this.#waiting.get(entry.cause ?? 0) : undefined;
      if (CALLS.has(entry.kind)) this.#waiting.set(entry.sequence, [entry]);
      else if (struck) struck.push(entry);
      else if (this.#hasStruckAlone(entry)) this.#put(entry, loneKey(entry.cause ?? 0), 1);
      else this.#place(entry);
    }
    for (const call of this.#waiting.values()) this.#settle(call);
    this.#waiting.clear();
  }

  /** Whether a fault struck a call that was read before, and that nothing else has followed. */
  #hasStruckAlone({ kind, cause }: JournalEntry): boolean {
    return kind === "fault.injected" && cause !== null && this.#threads.has(loneKey(cause));
  }

  #place(entry: JournalEntry): void {
    const cause = entry.cause === null ? undefined : this.#placeOf.get(entry.cause);
    const call = entry.cause === null ? undefined : this.#takeCall(entry.cause);
    const isKnown = entry.cause === null || cause !== undefined || call !== undefined;
    const isOfOlder = entry.kind === "transition" && entry.data.from !== null;
    const beginsEarlier = !isKnown || isOfOlder;
    const key = this.#threadKeyOf(entry, { causeKey: call ? undefined : cause?.key, beginsEarlier });
    if (call) this.#putCall(call, key);
    const place = call || cause?.key === key ? this.#placeOf.get(entry.cause ?? 0) : undefined;
    this.#put(entry, key, place ? place.depth + 1 : 0);
  }

  /** The call that waits for what it brings about, or that stood for itself until now; with what struck it. */
  #takeCall(sequence: number): JournalEntry[] | undefined {
    const waiting = this.#waiting.get(sequence);
    if (waiting) {
      this.#waiting.delete(sequence);
      return waiting;
    }
    const alone = this.#threads.get(loneKey(sequence))?.entries.map(({ entry }) => entry);
    const [call, ...others] = alone ?? [];
    if (!call || !CALLS.has(call.kind) || others.some(({ kind }) => kind !== "fault.injected")) return undefined;
    this.#threads.delete(loneKey(sequence));
    return alone;
  }

  #threadKeyOf(
    entry: JournalEntry,
    { causeKey, beginsEarlier }: { readonly causeKey: string | undefined; readonly beginsEarlier: boolean },
  ): string {
    const { subject } = entry;
    const known = subject === null ? undefined : this.#keyOf.get(subject);
    const resource = entry.kind === "transition" ? String(entry.data.resource) : null;
    if (known !== undefined) return known;
    const parent = causeKey === undefined ? undefined : this.#threads.get(causeKey);
    const joins = parent !== undefined && !(resource && LEADING.has(resource) && !LEADING.has(parent.resource ?? ""));
    const key = joins ? parent.key : (subject ?? loneKey(entry.sequence));
    if (subject !== null && resource !== null) this.#keyOf.set(subject, key);
    const thread = this.#threads.get(key);
    const about = resource ?? resourceOf(entry);
    if (!thread) this.#threads.set(key, { key, resource: about, subject, beginsEarlier, entries: [] });
    else if (key === subject) thread.resource ??= about;
    return key;
  }

  #put(entry: JournalEntry, key: string, depth: number): void {
    const thread = this.#threads.get(key);
    if (!thread) return;
    thread.entries.push({ entry, depth });
    this.#placeOf.set(entry.sequence, { key, depth });
  }

  /** A call that brought nothing about: it joins the resource that it names, or stands for itself. */
  #settle([call, ...struck]: readonly JournalEntry[]): void {
    if (!call) return;
    const key = (call.subject !== null && this.#keyOf.get(call.subject)) || loneKey(call.sequence);
    const alone = { key, resource: null, subject: null, beginsEarlier: false, entries: [] };
    if (!this.#threads.has(key)) this.#threads.set(key, alone);
    this.#putCall([call, ...struck], key);
  }

  #putCall(entries: readonly JournalEntry[], key: string): void {
    for (const [index, entry] of entries.entries()) this.#put(entry, key, index === 0 ? 0 : 1);
  }
}

/** What an entry without a transition is about, by the event that it tells of; null where it tells of none. */
function resourceOf({ subject, data }: JournalEntry): string | null {
  if (subject === null || typeof data.event !== "string") return null;
  const [first = ""] = data.event.split(".");
  return byEvent[first] ?? first;
}

function newestOf({ entries }: Thread): number {
  return entries.at(-1)?.entry.sequence ?? 0;
}

/** The key of what belongs to no resource. */
function loneKey(sequence: number): string {
  return `entry ${sequence}`;
}
