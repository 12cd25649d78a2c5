/** Work that shares one commit: each undone alone, all kept or lost together, nobody told before. */
import { describe, expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import type { Group } from "../../src/store/group.ts";
import { MemoryFull } from "../../src/store/storage-fault.ts";
import { bareWorld } from "../support/bare-world.ts";
import { databaseInFile } from "../support/database.ts";

/** What a group was told, in order. */
function told(beforeCommit: () => void = () => {}): Group & { readonly heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    beforeCommit,
    kept: () => void heard.push("kept"),
    undone: (error) => void heard.push(`undone: ${(error as Error).message}`),
  };
}

function put(database: Database, key: string): void {
  database.run("INSERT INTO meta VALUES (?, '1')", key);
}

function keys(database: Database): string[] {
  return database.all<{ key: string }>("SELECT key FROM meta ORDER BY key").map(({ key }) => key);
}

function fail(): never {
  throw new Error("no");
}

describe("pieces of work that join one transaction", () => {
  test("are told that they are kept when it is committed, and not before", () => {
    const database = Database.inMemory();
    const group = told();
    database.join(group, () => put(database, "a"));
    database.join(told(), () => put(database, "b"));
    expect([group.heard, database.hasGroup]).toEqual([[], true]);
    database.commitGroup();
    expect([group.heard, database.hasGroup, keys(database)]).toEqual([["kept"], false, ["a", "b"]]);
  });

  test("are undone one by one where they fail", () => {
    const database = Database.inMemory();
    const group = told();
    database.join(group, () => put(database, "a"));
    const failing = () => {
      put(database, "b");
      database.transaction(() => put(database, "c"));
      fail();
    };
    expect(() => database.join(group, failing)).toThrow("no");
    database.join(group, () => put(database, "d"));
    database.commitGroup();
    expect([group.heard, keys(database)]).toEqual([["kept"], ["a", "d"]]);
  });

  test("come to nothing together where they cannot be committed, and the next ones are kept", () => {
    const database = databaseInFile();
    const group = told(fail);
    database.join(group, () => put(database, "a"));
    database.join(group, () => put(database, "b"));
    database.commitGroup();
    expect([group.heard, keys(database)]).toEqual([["undone: no"], []]);
    const next = told();
    database.join(next, () => put(database, "a"));
    database.commitGroup();
    expect([next.heard, keys(database)]).toEqual([["kept"], ["a"]]);
  });

  test("linger in memory, kept as anything is there; a copy has them, and is told of at their last commit", () => {
    const database = Database.inMemory();
    const commits: string[] = [];
    const groups = ["a", "b"].map((key) => ({ key, ...told(() => void commits.push(key)) }));
    for (const group of groups) {
      database.join(group, () => put(database, group.key));
      database.commitGroup();
    }
    expect([groups.map(({ heard }) => heard), commits]).toEqual([[["kept"], ["kept"]], []]);
    expect(() => database.join(told(), fail)).toThrow("no");
    expect(keys(Database.fromBytes(database.serialize()))).toEqual(["a", "b"]);
    expect(commits).toEqual(["a"]);
  });

  test("that linger come to nothing with the one in which SQLite ends their transaction by itself", () => {
    const database = Database.inMemory();
    const order: string[] = [];
    const groups = ["a", "b", "c"].map((key) => ({ key, ...told(), undone: () => void order.push(key) }));
    for (const group of groups) {
      const work = () => {
        put(database, group.key);
        if (group.key !== "c") return;
        database.run("INSERT OR ROLLBACK INTO meta VALUES ('a', '2')");
      };
      if (group.key === "c") expect(() => database.join(group, work)).toThrow("UNIQUE");
      else database.join(group, work);
      database.commitGroup();
    }
    expect([order, keys(database), database.hasGroup]).toEqual([["c", "a"], [], false]);
    database.transaction(() => put(database, "d"));
    expect(keys(database)).toEqual(["d"]);
  });

  test("that linger and cannot be committed are told of, and nothing is built on them", () => {
    const database = Database.inMemory();
    const [first, second] = [told(fail), told()];
    for (const group of [first, second]) {
      database.join(group, () => put(database, "a"));
      database.commitGroup();
      if (group === second) break;
      expect(() => database.transaction(() => put(database, "b"))).toThrow("no");
      expect([group.heard, keys(database)]).toEqual([["kept", "undone: no"], []]);
    }
    expect([second.heard, keys(Database.fromBytes(database.serialize()))]).toEqual([["kept"], ["a"]]);
  });

  test("come to nothing where memory holds no more, which is told as that", () => {
    const database = Database.inMemory();
    const group = told();
    database.get("PRAGMA max_page_count = 200");
    const fill = () => {
      for (let number = 0; number < 1_000; number++) put(database, `${number}-${"x".repeat(500)}`);
    };
    expect(() => database.join(group, fill)).toThrow(new MemoryFull());
    database.commitGroup();
    expect([group.heard, keys(database)]).toEqual([["undone: 1 GB is the most that a world in memory holds"], []]);
    expect(() => database.transaction(fill)).toThrow(new MemoryFull());
    expect(keys(database)).toEqual([]);
  });

  test("do not linger without end: so many of them are committed", () => {
    const database = Database.inMemory();
    let commits = 0;
    for (let number = 0; number < 3_000; number++) {
      const group = told(() => void commits++);
      database.join(group, () => put(database, String(number)));
      database.commitGroup();
      expect(group.heard).toEqual(["kept"]);
    }
    expect(commits).toBeGreaterThanOrEqual(2);
    expect(commits).toBeLessThanOrEqual(3);
  });

  test("are committed before a transaction of its own begins, before a copy is taken and before the store closes", () => {
    const database = Database.inMemory();
    const groups = [told(), told(), told()] as const;
    database.join(groups[0], () => put(database, "a"));
    expect(() =>
      database.transaction(() => {
        put(database, "b");
        fail();
      }),
    ).toThrow("no");
    database.join(groups[1], () => put(database, "c"));
    const copy = Database.fromBytes(database.serialize());
    expect(keys(copy)).toEqual(["a", "c"]);
    database.join(groups[2], () => put(database, "d"));
    database.close();
    expect(groups.map(({ heard }) => heard)).toEqual([["kept"], ["kept"], ["kept"]]);
  });
});

test("entries are told in the order of the journal, also those whose number was taken before they were written", () => {
  const world = bareWorld("w1");
  const heard: number[] = [];
  world.commitListeners.add((entries) => void heard.push(...entries.map(({ sequence }) => sequence)));
  const { sequence } = world.journal.last();
  world.operate((operation) => {
    const first = world.reserveEntry();
    operation.record("second", null, {});
    operation.write(first, "first", null, {});
  });
  expect(heard).toEqual([sequence + 1, sequence + 2]);
  world.database.close();
});

describe("what is remembered of a table", () => {
  const read = (database: Database, key: string) =>
    database.recall("meta", "SELECT value FROM meta WHERE key = ?", key, (row?: { value: string }) => row?.value);

  test("is read again after any write to it, and after anything was undone", () => {
    const database = Database.inMemory();
    expect(read(database, "a")).toBeUndefined();
    put(database, "a");
    expect(read(database, "a")).toBe("1");
    database.run("UPDATE meta SET value = '2'");
    expect(read(database, "a")).toBe("2");
    const change = () => {
      database.run("UPDATE meta SET value = '3'");
      expect(read(database, "a")).toBe("3");
      fail();
    };
    expect(() => database.transaction(change)).toThrow("no");
    expect(read(database, "a")).toBe("2");
    database.run("DELETE FROM meta WHERE key = ?", "a");
    expect(read(database, "a")).toBeUndefined();
  });
});
