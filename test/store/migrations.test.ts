/** Data files of older versions of the program are brought up to date when they are opened. */
import { readFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { APPLICATION_ID } from "../../src/store/data-files.ts";
import { Database } from "../../src/store/database.ts";
import { TransactionStore } from "../../src/store/transactions.ts";
import { databaseInFile } from "../support/database.ts";

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
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}

test.each([
  ["in a file", databaseInFile],
  ["kept as bytes", Database.fromBytes],
])("a world of an older version, %s, has its lists", (_place, open) => {
  const store = new TransactionStore(open(olderWorld()));
  const idsOf = (username: string, offset: number) =>
    store.ofAccount(username, {}, {}, { limit: 3, offset }).map(({ transaction_id: id }) => id);
  expect(idsOf("acme", 0)).toEqual(["transaction-7", "transaction-5", "transaction-4"]);
  expect(idsOf("acme", 3)).toEqual(["transaction-2", "transaction-1"]);
  expect(idsOf("acme", 5)).toEqual([]);
  expect(idsOf("globex", 1)).toEqual(["transaction-3"]);
  expect(idsOf("nobody", 0)).toEqual([]);
});
