/** Threads as rows of one list: the head of each, and its entries below if it is open. */
import type { JournalEntry } from "../wire/answers.ts";
import { type EntryIcon, wordsOf } from "../words/entries.ts";
import { says } from "../words/sought.ts";
import type { Thread, ThreadEntry } from "./threads.ts";

/** A row; its key stays the same when rows are inserted before it. An entry without a thread stands alone. */
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

/** The filter of the timeline. */
export interface TimelineFilter {
  /** Lower case; empty for everything. */
  readonly text: string;
  readonly icons: ReadonlySet<EntryIcon> | null;
  /** Resources whose head has the text, such as an external id, which no entry may have. */
  readonly subjects?: ReadonlySet<string>;
}

const texts = new WeakMap<JournalEntry, string>();

/** Whether a filter excludes anything. */
export function isNarrowed({ text, icons }: TimelineFilter): boolean {
  return text !== "" || icons !== null;
}

/** A key that is the same for filters that let the same entries pass. */
export function filterKey({ text, icons, subjects }: TimelineFilter): string {
  return JSON.stringify([text, icons && [...icons], [...(subjects ?? [])]]);
}

/** Whether an entry passes a filter. */
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

/** Each thread's rows as last made, and from what: of thousands of threads, few change at a time. */
const made = new WeakMap<Thread, { readonly of: string; readonly rows: readonly TimelineRow[] }>();

/** The rows of the threads in order. @param folded keys of threads that differ from the default of open or folded. */
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
  // If its head matches the text, the whole thread does.
  const isNamed = thread.subject !== null && filter?.subjects?.has(thread.subject);
  const wanted = filter && isNamed ? { ...filter, text: "" } : filter;
  const shown = wanted ? thread.entries.filter(({ entry }) => passes(entry, wanted)) : thread.entries;
  if (shown.length === 0) return [];
  if (isLone(thread)) return shown.map((place) => entryRow(place, null, false));
  const head: TimelineRow = { kind: "thread", key: `thread ${thread.key}`, thread, isOpen };
  if (!isOpen) return [head];
  return [head, ...shown.map((place, index) => entryRow(place, thread, index === shown.length - 1))];
}

/** Whether a thread is open at first; that of the world's creation, of little interest later, is not. */
function opensItself({ entries }: Thread): boolean {
  return entries[0]?.entry.kind !== "world.created";
}

/** Whether a thread is a single entry without a resource, which needs no head. */
function isLone({ resource, subject, entries }: Thread): boolean {
  return resource === null && entries.length === 1 && (subject === null || entries[0]?.entry.subject !== subject);
}

function entryRow({ entry, depth }: ThreadEntry, thread: Thread | null, isLast: boolean): TimelineRow {
  return { kind: "entry", key: String(entry.sequence), thread, entry, depth, isLast };
}
