/** Data files of older versions of the program are brought up to date when they are opened. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { APPLICATION_ID } from "../../src/store/data-files.ts";
import { Database } from "../../src/store/database.ts";
import { JournalStore } from "../../src/store/journal.ts";
import { migrate, NEWEST_VERSION, schemaText } from "../../src/store/migrations.ts";
import { RequestStore } from "../../src/store/requests.ts";
import { ScenarioStore } from "../../src/store/scenarios.ts";
import { TransactionStore } from "../../src/store/transactions.ts";
import { databaseInFile } from "../support/database.ts";
import { testFolder } from "../support/folder.ts";

const migrations = new URL("../../src/store/migrations/", import.meta.url);

/** A world of version 2 with the transactions of two accounts, taking turns. */
function olderWorld(): Buffer {
  const sqlite = new Sqlite(":memory:");
  for (const name of ["0001-initial.sql", "0002-whole-service.sql"]) {
    sqlite.exec(readFileSync(new URL(name, migrations), "utf8"));
  }
  sqlite.pragma(`application_id = ${APPLICATION_ID}`);
  sqlite.pragma("user_version = 2");
  const insert = sqlite.prepare(
    `INSERT INTO transactions (transaction_id, username, client_id, type, currency, amount, fee, amount_net, status,
      network, created_at) VALUES (?, ?, 'client', 'cashin', 'BRL', 100, 1, 99, 'pending', 'PIX', 0)`,
  );
  for (let count = 1; count <= 7; count++) insert.run(`transaction-${count}`, count % 3 === 0 ? "globex" : "acme");
  sqlite.exec(`INSERT INTO requests VALUES (9, 'request-9', 41, 7, 1000, 'client', '127.0.0.1', 'GET', '/v2/x', '', '{}', 'a', 0,
    200, NULL, '{"Content-Type":"application/json","X-RateLimit-Limit":"60","X-RateLimit-Remaining":"59",
    "X-RateLimit-Reset":"1767268860","X-Request-Id":"request-9","X-Sandbox-World":"default",
    "X-Sandbox-Time":"1970-01-01T00:00:01.000Z","Retry-After":"5"}', 'b', 2000, 8, 1, '{}')`);
  sqlite.exec("INSERT INTO journal VALUES (1, 0, 'note', 'transaction-1', NULL, NULL, '{}')");
  sqlite.exec("INSERT INTO scenarios VALUES ('mine', 1, 'mine.yaml', 'scenario: mine', 500)");
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}

function rested(bytes: Buffer): Database {
  const database = Database.fromBytes(bytes);
  database.rest();
  return database;
}

test.each([
  ["in a file", databaseInFile],
  ["kept as bytes", Database.fromBytes],
  ["kept as bytes, rested", rested],
])("a world of an older version, %s, has its lists, calls and journal", (_place, open) => {
  const database = open(olderWorld());
  const call = { request_id: "request-9", position: 9, ordinal: 41, entry: 7, path: "/v2/x", status: 200 };
  const times = { at: 1000, wall_at: 2000, sent_after: 8, in_company: true, duration_ms: 0 };
  const common = { limit: 60, remaining: 59, resetsAtSeconds: 1_767_268_860, world: "default" };
  const answer_headers = { ...common, more: { "Retry-After": "5" } };
  expect(new RequestStore(database).get("request-9")).toMatchObject({ ...call, ...times, answer_headers });
  expect(new JournalStore(database).of("transaction-1")).toHaveLength(1);
  expect(new ScenarioStore(database).all()).toMatchObject([{ name: "mine", loaded_at: 500, loaded_after: 1 }]);

  const store = new TransactionStore(database);
  const idsOf = (username: string, offset: number) =>
    store.ofAccount(username, {}, {}, { limit: 3, offset }).map(({ transaction_id: id }) => id);
  expect(idsOf("acme", 0)).toEqual(["transaction-7", "transaction-5", "transaction-4"]);
  expect(idsOf("acme", 3)).toEqual(["transaction-2", "transaction-1"]);
  expect(idsOf("acme", 5)).toEqual([]);
  expect(idsOf("globex", 1)).toEqual(["transaction-3"]);
  expect(idsOf("nobody", 0)).toEqual([]);
});

test("a file that could not be brought up to date is not held: another try is told the same reason", () => {
  const sqlite = new Sqlite(olderWorld());
  sqlite.exec("DROP TABLE transactions");
  const file = join(testFolder({ "world.db": sqlite.serialize() }), "world.db");
  sqlite.close();
  for (let tries = 1; tries <= 2; tries++) {
    expect(() => Database.inFile(file)).toThrow("cannot be opened: no such table: transactions.");
  }
});

test("what the build leaves for new worlds is what all migrations come to", () => {
  const [ready, older] = [new Sqlite(":memory:"), new Sqlite(olderWorld())];
  ready.exec(schemaText());
  migrate(older, "an older world");
  // Statements as they were given, and what SQLite makes of them: tables, columns, indexes and their order.
  const schemaOf = (sqlite: Sqlite.Database) =>
    sqlite.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name <> 'sqlite_sequence'").all();
  expect(schemaOf(ready)).toEqual(schemaOf(older));
  expect(older.pragma("user_version", { simple: true })).toBe(NEWEST_VERSION);
  for (const sqlite of [ready, older]) sqlite.close();
});
