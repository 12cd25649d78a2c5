/** The rows of the time line: those of a thread are made when something comes to it, or when it is shown otherwise. */
import { expect, test } from "vitest";
import { rowsOf, type TimelineFilter } from "../../src/dashboard/timeline/rows.ts";
import { Threads } from "../../src/dashboard/timeline/threads.ts";
import type { JournalEntry } from "../../src/dashboard/wire/answers.ts";

const everything: TimelineFilter = { text: "", icons: null };
const at = "2026-01-01T12:00:00.000Z";

function transition(sequence: number, subject: string): JournalEntry {
  const data = { resource: "cashin", trigger: "create" };
  return { sequence, at, kind: "transition", subject, cause: null, rule: null, data } as unknown as JournalEntry;
}

function made() {
  const threads = new Threads();
  threads.add([transition(1, "a"), transition(2, "b")]);
  const rows = (filter = everything, folded: readonly string[] = []) =>
    rowsOf(threads.newestFirst(), filter, new Set(folded), true);
  const keys = (...shown: Parameters<typeof rows>) => rows(...shown).map(({ key }) => key);
  return { threads, rows, keys };
}

test("a search finds what entries say in words, and all of a thread whose head says it", () => {
  const { threads, keys } = made();
  expect(keys({ text: "charge is made", icons: null })).toEqual(["thread b", "2", "thread a", "1"]);
  expect(keys({ text: "order-1", icons: null })).toEqual([]);
  threads.add([{ ...transition(3, "a"), kind: "note", subject: null, cause: 1 }]);
  expect(keys({ text: "order-1", icons: null, subjects: new Set(["a"]) })).toEqual(["thread a", "1", "3"]);
});

test("what comes to one thread leaves the rows of the others as they are", () => {
  const { threads, rows, keys } = made();
  const [headOfB, , headOfA] = rows();
  threads.add([transition(3, "a")]);
  expect(keys()).toEqual(["thread a", "1", "3", "thread b", "2"]);
  expect(rows()[3]).toBe(headOfB);
  expect(rows()[0]).not.toBe(headOfA);
});

test("a thread that is folded, and one that is searched, is shown otherwise, and as before afterwards", () => {
  const { keys } = made();
  expect(keys(everything, ["b"])).toEqual(["thread b", "thread a", "1"]);
  expect(keys({ text: '"subject":"a"', icons: null }, ["a"])).toEqual(["thread a", "1"]);
  expect(keys({ text: "", icons: new Set(["webhook"]) })).toEqual([]);
  expect(keys()).toEqual(["thread b", "2", "thread a", "1"]);
});
