/** New rows wait to be written together; nobody who asks can tell. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Additions } from "../../src/store/additions.ts";
import { Database } from "../../src/store/database.ts";
import { JournalStore } from "../../src/store/journal.ts";
import type { SqlValue } from "../../src/store/sql-value.ts";
import { MemoryFull } from "../../src/store/storage-fault.ts";
import { databaseInFile, REFUSED, refused } from "../support/database.ts";

const group = { beforeCommit: () => {}, kept: () => {}, undone: () => {} };

/** A journal that takes whatever it is given next. */
function journal(database: Database) {
  const store = new JournalStore(database);
  let last = 0;
  const add = (count = 1) => {
    for (; count > 0; count--) {
      const at = ++last;
      store.insert({ sequence: at, at, kind: "note", subject: null, cause: null, rule: null, data: { at } });
    }
  };
  const sequences = () => store.after(0, 10_000).map(({ sequence }) => sequence);
  return { database, add, sequences };
}

/** Rows that are in the table, without a statement that makes those that wait be written. */
function changesOf(database: Database): number {
  return database.get<{ count: number }>("SELECT total_changes() AS count")?.count ?? 0;
}

test("rows wait until the transaction ends, and are there for whoever asks before", () => {
  const { database, add, sequences } = journal(Database.inMemory());
  const before = changesOf(database);
  database.transaction(() => {
    add(3);
    expect(changesOf(database)).toBe(before);
    expect(sequences()).toEqual([1, 2, 3]);
    add(2);
    expect(changesOf(database)).toBe(before + 3);
  });
  expect(changesOf(database)).toBe(before + 5);
  expect(sequences()).toEqual([1, 2, 3, 4, 5]);
});

test("outside a transaction a row is written at once", () => {
  const { database, add } = journal(Database.inMemory());
  const before = changesOf(database);
  add();
  expect(changesOf(database)).toBe(before + 1);
});

test("who asked of a table before anything was added to it still finds what waits", () => {
  const database = Database.inMemory();
  const count = () => database.get<{ count: number }>("SELECT count(*) AS count FROM journal")?.count;
  expect(count()).toBe(0);
  const { add } = journal(database);
  database.transaction(() => {
    add(2);
    expect(count()).toBe(2);
  });
});

test("what is kept is not remembered any longer", () => {
  const written: (readonly SqlValue[])[] = [];
  const additions = new Additions((_sql, values) => written.push(values));
  additions.to("journal", ["sequence"]).add([1]);
  additions.write();
  expect([written, additions.mark]).toEqual([[[1]], [1, 1]]);
  additions.keep();
  expect(additions.mark).toEqual([0, 0]);
});

test("what waits is counted among the changes, and once", () => {
  const { database, add, sequences } = journal(Database.inMemory());
  const before = database.changes;
  database.transaction(() => {
    add(3);
    expect(database.changes).toBe(before + 3);
    sequences();
    expect(database.changes).toBe(before + 3);
  });
  expect(database.changes).toBe(before + 3);
});

test.each([
  ["in memory", () => Database.inMemory()],
  ["in a file", () => databaseInFile()],
])("%s, rows of work that is undone go with it, wherever they were written, and those before stay", (_place, open) => {
  const { database, add, sequences } = journal(open());
  database.join(group, () => {
    add(2);
    refused(database, () => {
      add(3);
      expect(sequences()).toEqual([1, 2, 3, 4, 5]);
    });
    expect(sequences()).toEqual([1, 2]);
    refused(database, () => add(100));
    refused(database, () => add());
  });
  database.commitGroup();
  expect(sequences()).toEqual([1, 2]);
});

test("a snapshot has what waits", () => {
  const { database, add } = journal(Database.inMemory());
  database.join(group, () => add(3));
  database.commitGroup();
  const copy = journal(Database.fromBytes(database.serialize()));
  expect(copy.sequences()).toEqual([1, 2, 3]);
});

/** Adds rows where two find room and many more do not, and two when there is room again. @returns what was heard. */
function withoutRoom({ database, add }: ReturnType<typeof journal>): unknown[] {
  const heard: unknown[] = [];
  const told = { ...group, kept: () => heard.push("kept"), undone: (error: unknown) => heard.push(error) };
  const size = database.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  database.join(told, () => add(2));
  database.get(`PRAGMA max_page_count = ${size + 2}`);
  expect(() => database.join(told, () => add(900))).toThrow(new MemoryFull());
  database.commitGroup();
  database.get("PRAGMA max_page_count = 100000");
  database.join(told, () => add(2));
  database.commitGroup();
  return heard;
}

test("rows that find no room are undone with all of the transaction, where SQLite ends it", () => {
  const all = journal(Database.inMemory());
  expect(withoutRoom(all)).toEqual([new MemoryFull(), "kept"]);
  expect(all.sequences()).toEqual([903, 904]);
});

test("rows that find no room are undone with the work that added them, where it does not", () => {
  const all = journal(Database.inMemory());
  all.database.transaction(() => all.add(200));
  expect(withoutRoom(all)).toEqual(["kept", "kept"]);
  expect(all.sequences().slice(200)).toEqual([201, 202, 1_103, 1_104]);
});

/** What may be done to a world's store, in the words of a plain list. */
type Step = "add" | "add many" | "ask" | "begin" | "end" | "undo" | "commit";

describe("a store does what a list would", () => {
  const step = fc.constantFrom<Step[]>("add", "add", "add many", "ask", "begin", "begin", "end", "undo", "commit");

  test.each([
    ["in memory", () => Database.inMemory()],
    ["in a file", () => databaseInFile()],
  ])("%s", (_place, open) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { database, add, sequences } = journal(open());
        let [next, expected]: [number, number[]] = [1, []];
        const left = [...steps];
        /** Goes on until the work that is under way ends. */
        const go = (isInner: boolean): void => {
          for (let one = left.shift(); one !== undefined; one = left.shift()) {
            if (one === "add" || one === "add many") {
              const count = one === "add" ? 1 : 70;
              add(count);
              expected = [...expected, ...Array.from({ length: count }, () => next++)];
            } else if (one === "ask") expect(sequences()).toEqual(expected);
            else if (one === "begin") inner();
            else if (isInner && one === "undo") throw REFUSED;
            else if (isInner && one === "end") return;
            else if (!isInner) return;
          }
        };
        const inner = () => {
          const before = expected;
          try {
            database.transaction(() => go(true));
          } catch (error) {
            if (error !== REFUSED) throw error;
            expected = before;
          }
        };
        while (left.length > 0) {
          database.join(group, () => go(false));
          database.commitGroup();
        }
        expect(sequences()).toEqual(expected);
        database.close();
      }),
      { numRuns: 150 },
    );
  });
});
