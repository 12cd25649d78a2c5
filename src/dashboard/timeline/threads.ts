/**
 * The journal as threads: everything about one transaction, from the call that created it to the last webhook of its
 * dispute. What belongs to no resource (such as a refused call, or a move of the clock) has a thread of its own.
 */
import type { JournalEntry } from "../wire/answers.ts";

/** An entry of a thread; `depth` counts the causes before it in the thread. */
export interface ThreadEntry {
  readonly entry: JournalEntry;
  readonly depth: number;
}

/** One thread, its entries oldest first. */
export interface Thread {
  readonly key: string;
  /** The kind of its resource: `cashin`, `wallet` …, {@link PROBED}; null if there is none, or none is known yet. */
  resource: string | null;
  /** The id of that resource. */
  readonly subject: string | null;
  /** Whether the cause of its first entry has not been read yet. */
  readonly beginsEarlier: boolean;
  readonly entries: ThreadEntry[];
}

/** Resources that begin a thread; a dispute or a split joins the thread of its charge. */
const LEADING = new Set(["cashin", "cashout", "transfer", "conversion"]);

/** Kinds of entries that wait for their effects, to join the thread of these. */
const CALLS = new Set(["request", "control"]);

/** TABLE: the kind of resource that events are about, where that is not their first word. */
const byEvent: Readonly<Record<string, string>> = {
  chargeback: "dispute",
  refund_confirmed: "dispute",
  refund_responded: "dispute",
  wallet_deposit: "cashin",
};

/** The kind of what a probe is about: a payment that there is not. */
const PROBED = "probe";

/** Sorts entries into threads by their causes, as they are added. */
export class Threads {
  #threads = new Map<string, Thread>();
  /** The thread and the depth of an entry. */
  #placeOf = new Map<number, { key: string; depth: number }>();
  /** The thread of a resource. */
  #keyOf = new Map<string, string>();
  /** Calls without effects so far, other than injected faults, which come right after them. */
  #waiting = new Map<number, JournalEntry[]>();
  #count = 0;

  /** The number of entries. */
  get count(): number {
    return this.#count;
  }

  /** The threads, sorted by their newest entry, newest first. */
  newestFirst(): Thread[] {
    return [...this.#threads.values()].sort((left, right) => newestOf(right) - newestOf(left));
  }

  /** The thread that an entry is in. */
  keyOf(sequence: number): string | undefined {
    return this.#placeOf.get(sequence)?.key;
  }

  /** Adds entries, in the order of the journal. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#count++;
      const struck = entry.kind === "fault.injected" ? this.#waiting.get(entry.cause ?? 0) : undefined;
      if (CALLS.has(entry.kind)) this.#waiting.set(entry.sequence, [entry]);
      else if (struck) struck.push(entry);
      else if (this.#hasStruckAlone(entry)) this.#put(entry, loneKey(entry.cause ?? 0), 1);
      else this.#place(entry);
    }
    for (const call of this.#waiting.values()) this.#placeCallWithoutEffects(call);
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

  /** Takes a call, with its faults, that waits for its effects, or that has stood alone in a thread until now. */
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

  /** Places a call without effects: in the thread of the resource that it names, or in one of its own. */
  #placeCallWithoutEffects([call, ...struck]: readonly JournalEntry[]): void {
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

/** The resource kind of an entry that is no transition, by its event; null if it has none. */
function resourceOf({ kind, subject, data }: JournalEntry): string | null {
  if (kind === "webhook.probe") return PROBED;
  if (subject === null || typeof data.event !== "string") return null;
  const [first = ""] = data.event.split(".");
  return byEvent[first] ?? first;
}

function newestOf({ entries }: Thread): number {
  return entries.at(-1)?.entry.sequence ?? 0;
}

/** The key of a thread without a resource. */
function loneKey(sequence: number): string {
  return `entry ${sequence}`;
}
