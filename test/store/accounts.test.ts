/** The credentials of an account are found without looking through those of all: there may be thousands. */
import { expect, test } from "vitest";
import { AccountStore } from "../../src/store/accounts.ts";
import { Database } from "../../src/store/database.ts";

test("the credentials of an account are looked up, in the order in which they were issued", () => {
  const database = Database.inMemory();
  const accounts = new AccountStore(database);
  for (const username of ["acme", "globex"]) {
    const account = { username, name: username, document: "1", email: "a@b.example", status: "active" as const };
    accounts.insert({ ...account, postback_url: null, created_at: 0 });
  }
  for (const [client_id, username] of [
    ["z", "acme"],
    ["m", "globex"],
    ["a", "acme"],
  ] as const) {
    const secrets = { client_secret: "secret", signing_key: "key" };
    accounts.insertCredential({ client_id, username, ...secrets, postback_url: null, created_at: 0 });
  }
  expect(accounts.credentialsOf("acme").map(({ client_id }) => client_id)).toEqual(["z", "a"]);
  const sql = "EXPLAIN QUERY PLAN SELECT client_secret FROM credentials WHERE username = ? ORDER BY position";
  const plan = database.all<{ detail: string }>(sql, "acme").map(({ detail }) => detail);
  expect(plan).toEqual(["SEARCH credentials USING INDEX credentials_by_username (username=?)"]);
});
