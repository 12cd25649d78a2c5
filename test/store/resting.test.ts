/** Copies of one database: each rests as the bytes that it came from until something is done to it. */
import { describe, expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import { MetaStore } from "../../src/store/meta.ts";

function origin(rows = 1): Buffer {
  const database = Database.inMemory();
  const meta = new MetaStore(database);
  for (let row = 0; row < rows; row++) meta.set(`row-${row}`, "x".repeat(1_000));
  meta.set("id", "origin");
  return database.serialize();
}

/** A copy that is given an id of its own. */
const copyOf = (bytes: Buffer, id: string) =>
  Database.fromBytes(bytes, (database) => new MetaStore(database).set("id", id));

const idOf = (database: Database) => new MetaStore(database).get("id");

describe.each([
  ["a small one", 1],
  ["one of a few megabytes", 3_000],
])("%s", (_size, rows) => {
  const bytes = origin(rows);
  const untouched = Buffer.from(bytes);

  test("is what it was when it has rested, and the bytes are nobody's", () => {
    const [one, other] = [copyOf(bytes, "one"), copyOf(bytes, "other")];
    for (const copy of [one, other]) copy.rest();
    expect([idOf(one), idOf(other)]).toEqual(["one", "other"]);
    expect(new MetaStore(one).get(`row-${rows - 1}`)).toHaveLength(1_000);
    new MetaStore(one).set("note", "of its own");
    expect(new MetaStore(other).get("note")).toBeUndefined();
    expect(bytes.equals(untouched)).toBe(true);
  });

  test("keeps what was done to it before it rests", () => {
    const copy = copyOf(bytes, "one");
    new MetaStore(copy).set("note", "early");
    copy.rest();
    expect([idOf(copy), new MetaStore(copy).get("note")]).toEqual(["one", "early"]);
  });

  test("can be copied while it rests", () => {
    const copy = copyOf(bytes, "one");
    copy.rest();
    expect(idOf(Database.fromBytes(copy.serialize()))).toBe("one");
  });

  test("tells of changes that are its own, and not of those that made it", () => {
    const copy = copyOf(bytes, "one");
    expect(copy.changes).toBe(0);
    copy.rest();
    expect([copy.changes, idOf(copy), copy.changes]).toEqual([0, "one", 0]);
    new MetaStore(copy).set("note", "new");
    expect(copy.changes).toBeGreaterThan(0);
  });

  test("wakes to a transaction that is undone, and is as it was", () => {
    const copy = copyOf(bytes, "one");
    copy.rest();
    const refused = () => {
      new MetaStore(copy).set("id", "refused");
      throw new Error("refused");
    };
    expect(() => copy.transaction(refused)).toThrow("refused");
    expect(idOf(copy)).toBe("one");
  });

  test("opened ahead is as any other: with nothing of the copy before it", () => {
    const [first, second] = [copyOf(bytes, "first"), copyOf(bytes, "second")];
    new MetaStore(second).set("note", "of the second");
    for (const copy of [first, second, second]) copy.openNext();
    const third = copyOf(bytes, "third");
    third.openNext();
    const [other, fourth] = [copyOf(origin(2), "other"), copyOf(bytes, "fourth")];
    expect([third, other, fourth].map(idOf)).toEqual(["third", "other", "fourth"]);
    expect([third, fourth].map((copy) => [copy.changes, new MetaStore(copy).get("note")])).toEqual(
      Array(2).fill([0, undefined]),
    );
    expect(new MetaStore(other).get("row-1")).toHaveLength(1_000);
    expect(third.serialize().equals(copyOf(bytes, "third").serialize())).toBe(true);
    for (const copy of [first, second, third, other, fourth]) copy.close();
    first.openNext();
    expect(idOf(copyOf(bytes, "last"))).toBe("last");
    expect(bytes.equals(untouched)).toBe(true);
  });

  test("wakes to work that is committed later", () => {
    const copy = copyOf(bytes, "one");
    copy.rest();
    const heard: string[] = [];
    const told = (word: string) => () => void heard.push(word);
    copy.join({ beforeCommit: told("before"), kept: told("kept"), undone: told("undone") }, () =>
      new MetaStore(copy).set("note", "joined"),
    );
    copy.commitGroup();
    expect([heard, new MetaStore(Database.fromBytes(copy.serialize())).get("note")]).toEqual([
      ["kept", "before"],
      "joined",
    ]);
  });
});

test("an error of ours is told as it is, though the database has been closed while it rested", () => {
  const copy = copyOf(origin(), "one");
  copy.rest();
  copy.close();
  const fault = new TypeError("a fault of ours");
  expect(copy.asTold(fault)).toBe(fault);
});
