/** Indexes that are made when the first question needs them: the answers are the same without and with them. */
import { describe, expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import { JournalStore } from "../../src/store/journal.ts";
import { databaseInFile } from "../support/database.ts";

const MANY = 2_500;

function filled(rows: number, database = Database.inMemory()) {
  const journal = new JournalStore(database);
  const write = (sequence: number) => {
    const entry = { sequence, at: sequence, kind: "note", subject: `s-${sequence % 500}` };
    journal.insert({ ...entry, cause: null, rule: null, data: {} });
  };
  database.transaction(() => {
    for (let sequence = 1; sequence <= rows; sequence++) write(sequence);
  });
  return { database, journal, write };
}

const sequences = (journal: JournalStore) => journal.of("s-7").map(({ sequence }) => sequence);

/** How SQLite goes about a question by subject. */
function plan(database: Database): string {
  const sql = "EXPLAIN QUERY PLAN SELECT kind FROM journal WHERE subject = ? ORDER BY sequence";
  return database
    .all<{ detail: string }>(sql, "s-7")
    .map(({ detail }) => detail)
    .join();
}

const INDEX = /USING INDEX journal_by_subject/;

/** Nothing more goes into a database than is in it. */
function close(database: Database): void {
  const pages = database.get<{ page_count: number }>("PRAGMA page_count")?.page_count;
  database.get(`PRAGMA max_page_count = ${pages}`);
}

test("few rows are looked through", () => {
  const { database, journal } = filled(600);
  expect(sequences(journal)).toEqual([7, 507]);
  expect(plan(database)).not.toMatch(INDEX);
});

describe.each([
  ["in memory", () => Database.inMemory()],
  ["in a file", () => databaseInFile()],
])("of many rows, %s,", (_place, open) => {
  test("the first question makes the index, and what is written later is found too", () => {
    const { database, journal, write } = filled(MANY, open());
    expect(plan(database)).not.toMatch(INDEX);
    expect(sequences(journal)).toEqual([7, 507, 1007, 1507, 2007]);
    expect(plan(database)).toMatch(INDEX);
    write(3_007);
    expect(sequences(journal)).toEqual([7, 507, 1007, 1507, 2007, 3_007]);
    expect(plan(Database.fromBytes(database.serialize()))).toMatch(INDEX);
  });

  test("one that is undone with the work that asked is made again", () => {
    const { database, journal } = filled(MANY, open());
    const refused = () => {
      expect(sequences(journal)).toHaveLength(5);
      throw new Error("refused");
    };
    expect(() => database.transaction(refused)).toThrow("refused");
    expect(plan(database)).not.toMatch(INDEX);
    expect(sequences(journal)).toHaveLength(5);
    expect(plan(database)).toMatch(INDEX);
  });

  test("where there is no room the question is answered without, and nothing is lost that was to be kept", () => {
    const { database, journal, write } = filled(MANY, open());
    const heard: string[] = [];
    const told = (word: string) => () => void heard.push(word);
    database.join({ beforeCommit: () => {}, kept: told("kept"), undone: told("undone") }, () => write(3_007));
    close(database);
    expect(sequences(journal)).toEqual([7, 507, 1007, 1507, 2007, 3_007]);
    expect(plan(database)).not.toMatch(INDEX);
    expect(heard).toEqual(["kept"]);
    expect(sequences(new JournalStore(Database.fromBytes(database.serialize())))).toContain(3_007);
  });
});
