/** Threads as the rows of one list: the head of each, and its entries below it where it is open. */
import type { JournalEntry } from "../wire/answers.ts";
import { type EntryIcon, wordsOf } from "../words/entries.ts";
import { says } from "../words/sought.ts";
import type { Thread, ThreadEntry } from "./threads.ts";

/** A row; its key stays the same when others come before it. An entry that stands alone has no thread. */
export type TimelineRow =
  | { readonly kind: "thread"; readonly key: string; readonly thread: Thread; readonly isOpen: boolean }
  | {
      readonly kind: "entry";
      readonly key: string;
      readonly thread: Thread | null;
      readonly entry: JournalEntry;
      readonly depth: number;
      readonly isLast: boolean;
    };

/** What the time line is narrowed to. */
export interface TimelineFilter {
  /** Lower case; empty for everything. */
  readonly text: string;
  readonly icons: ReadonlySet<EntryIcon> | null;
  /** What has the text in its head, which no entry may say, such as its external id. */
  readonly subjects?: ReadonlySet<string>;
}

const texts = new WeakMap<JournalEntry, string>();

/** Whether a filter leaves anything out. */
export function isNarrowed({ text, icons }: TimelineFilter): boolean {
  return text !== "" || icons !== null;
}

/** The same for filters that leave the same. */
export function filterKey({ text, icons, subjects }: TimelineFilter): string {
  return JSON.stringify([text, icons && [...icons], [...(subjects ?? [])]]);
}

/** Whether an entry is what a filter looks for. */
export function passes(entry: JournalEntry, { text, icons, subjects }: TimelineFilter): boolean {
  if (icons && !icons.has(wordsOf(entry).icon)) return false;
  if (text === "" || (entry.subject !== null && subjects?.has(entry.subject))) return true;
  let known = texts.get(entry);
  if (known === undefined) {
    const { text: words, mark = "", note = "" } = wordsOf(entry);
    known = [JSON.stringify(entry), `${words} ${mark}`, note].join("\n").toLowerCase();
    texts.set(entry, known);
  }
  return says(known, text);
}

/** The rows of each thread as they were made last, and what of: of thousands of threads few change at a time. */
const made = new WeakMap<Thread, { readonly of: string; readonly rows: readonly TimelineRow[] }>();

/** The rows of the threads in their order. @param folded the keys of those that are not as threads are by default. */
export function rowsOf(
  threads: readonly Thread[],
  filter: TimelineFilter,
  folded: ReadonlySet<string>,
  openByDefault: boolean,
): TimelineRow[] {
  const narrowed = isNarrowed(filter);
  const sought = narrowed ? filterKey(filter) : "";
  return threads.flatMap((thread) => {
    const isOpen = narrowed || (opensItself(thread) && openByDefault) !== folded.has(thread.key);
    const of = `${thread.entries.length} ${isOpen} ${sought}`;
    let known = made.get(thread);
    if (known?.of !== of) {
      known = { of, rows: rowsOfThread(thread, isOpen, narrowed ? filter : null) };
      made.set(thread, known);
    }
    return known.rows;
  });
}

function rowsOfThread(thread: Thread, isOpen: boolean, filter: TimelineFilter | null): TimelineRow[] {
  // All of a thread belongs to what its head is about.
  const isNamed = thread.subject !== null && filter?.subjects?.has(thread.subject);
  const wanted = filter && isNamed ? { ...filter, text: "" } : filter;
  const shown = wanted ? thread.entries.filter(({ entry }) => passes(entry, wanted)) : thread.entries;
  if (shown.length === 0) return [];
  if (isLone(thread)) return shown.map((place) => entryRow(place, null, false));
  const head: TimelineRow = { kind: "thread", key: `thread ${thread.key}`, thread, isOpen };
  if (!isOpen) return [head];
  return [head, ...shown.map((place, index) => entryRow(place, thread, index === shown.length - 1))];
}

/** The making of the world is of little interest once it is made. */
function opensItself({ entries }: Thread): boolean {
  return entries[0]?.entry.kind !== "world.created";
}

/** A thread of one entry that is about no resource needs no head. */
function isLone({ resource, subject, entries }: Thread): boolean {
  return resource === null && entries.length === 1 && (subject === null || entries[0]?.entry.subject !== subject);
}

function entryRow({ entry, depth }: ThreadEntry, thread: Thread | null, isLast: boolean): TimelineRow {
  return { kind: "entry", key: String(entry.sequence), thread, entry, depth, isLast };
}
