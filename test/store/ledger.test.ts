/** The balances that the postings alone give. */
import { expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import { LedgerStore } from "../../src/store/ledger.ts";

const HUGE = 10n ** 17n + 7n;

test("are right where more has gone through an account than 64 bits hold", () => {
  const database = Database.inMemory();
  const ledger = new LedgerStore(database);
  const post = (source: string, destination: string, amount: bigint) =>
    ledger.post(1, 0, "order-1", { source, destination, currency: "BRL", amount });
  database.transaction(() => {
    for (let count = 0; count < 100; count++) {
      post("opening:acme", "available:acme", HUGE);
      post("available:acme", "opening:acme", HUGE);
    }
    post("opening:acme", "available:acme", 5n);
  });
  const expected = [
    { account: "available:acme", currency: "BRL", amount: 5n },
    { account: "opening:acme", currency: "BRL", amount: -5n },
  ];
  expect(ledger.derivedBalances()).toEqual(expected);
  expect(ledger.balances()).toEqual(expected);
  database.close();
});
