/** Balances, windows and counters are written once a transaction; what is undone takes them back. */
import { expect, test } from "vitest";
import { Database } from "../../src/store/database.ts";
import { LedgerStore } from "../../src/store/ledger.ts";
import { ScenarioStore } from "../../src/store/scenarios.ts";
import { UsageStore } from "../../src/store/usage.ts";
import { databaseInFile, refused } from "../support/database.ts";

const ACCOUNT = "merchant:acme:available";
const usageOf = { clientId: "acme", operation: "cashin", currency: "BRL" };

function stores(database = Database.inMemory()) {
  return {
    database,
    ledger: new LedgerStore(database),
    usage: new UsageStore(database),
    scenarios: new ScenarioStore(database),
  };
}

function pay({ ledger }: ReturnType<typeof stores>, amount: bigint): void {
  ledger.post(1, 0, "t", { source: "external:pix", destination: ACCOUNT, currency: "BRL", amount });
}

/** What the table says, beside what is known of it. */
function written({ database }: ReturnType<typeof stores>): bigint | undefined {
  const sql = "SELECT amount FROM balances WHERE account = ?";
  return database.exactGet<{ amount: bigint }>(sql, ACCOUNT)?.amount;
}

test("a balance is known at once, and in its table when the transaction ends", () => {
  const all = stores();
  all.database.transaction(() => {
    pay(all, 100n);
    expect([all.ledger.balance(ACCOUNT, "BRL"), written(all)]).toEqual([100n, undefined]);
  });
  expect(written(all)).toBe(100n);
});

test("outside a transaction it is in its table at once", () => {
  const all = stores();
  pay(all, 100n);
  expect(written(all)).toBe(100n);
});

test("a balance that comes back to nothing is written as such", () => {
  const all = stores();
  pay(all, 100n);
  all.ledger.post(2, 0, "t", { source: ACCOUNT, destination: "external:pix", currency: "BRL", amount: 100n });
  expect([all.ledger.balance(ACCOUNT, "BRL"), written(all)]).toEqual([0n, 0n]);
});

test("work that is refused within a transaction takes back what it moved, and no more", () => {
  const all = stores();
  all.database.transaction(() => {
    pay(all, 100n);
    refused(all.database, () => pay(all, 20n));
    expect(all.ledger.balance(ACCOUNT, "BRL")).toBe(100n);
    pay(all, 3n);
  });
  expect([all.ledger.balance(ACCOUNT, "BRL"), written(all)]).toEqual([103n, 103n]);
});

test("what was written for a listing within refused work is written again", () => {
  const all = stores();
  const listed = { account: ACCOUNT, currency: "BRL", amount: 100n };
  all.database.transaction(() => {
    pay(all, 100n);
    refused(all.database, () => expect(all.ledger.balances()).toContainEqual(listed));
  });
  expect(written(all)).toBe(100n);
});

test("a whole transaction that comes to nothing leaves everything as it was", () => {
  const all = stores();
  pay(all, 7n);
  refused(all.database, () => {
    pay(all, 100n);
    all.usage.move(usageOf, "2026-01", (used) => used + 100n);
  });
  expect([all.ledger.balance(ACCOUNT, "BRL"), all.usage.used(usageOf, "2026-01")]).toEqual([7n, 0n]);
  pay(all, 1n);
  expect(written(all)).toBe(8n);
});

test("a group that is committed together writes what all of it came to; one that is lost, nothing", () => {
  const all = stores(databaseInFile());
  const outcomes: string[] = [];
  const group = (breaks: boolean) => ({
    beforeCommit: () => {
      if (breaks) throw new Error("no");
    },
    kept: () => outcomes.push("kept"),
    undone: () => outcomes.push("undone"),
  });
  for (const breaks of [false, true]) {
    const together = group(breaks);
    for (const amount of [5n, 6n]) all.database.join(together, () => pay(all, amount));
    all.database.commitGroup();
  }
  expect([outcomes, all.ledger.balance(ACCOUNT, "BRL"), written(all)]).toEqual([["kept", "undone"], 11n, 11n]);
});

test("counters of a scenario that is removed begin anew, unless the removal is undone", () => {
  const all = stores();
  const { database, scenarios } = all;
  const count = () => scenarios.count("story", 0, true);
  database.transaction(count);
  refused(all.database, () => {
    count();
    scenarios.forgetCounters("story");
    expect(scenarios.counters("story", 0)).toEqual({ matched: 0, fired: 0 });
  });
  expect(scenarios.counters("story", 0)).toEqual({ matched: 1, fired: 1 });
  scenarios.forgetCounters("story");
  expect(database.all("SELECT * FROM rule_counters")).toEqual([]);
  count();
  expect(database.get("SELECT matched, fired FROM rule_counters")).toEqual({ matched: 1, fired: 1 });
});

test("counters that are first read once they are removed are what they were where the removal is undone", () => {
  const { database, scenarios } = stores();
  scenarios.count("story", 0, true);
  const all = stores(database);
  refused(all.database, () => {
    all.scenarios.forgetCounters("story");
    expect(all.scenarios.counters("story", 0)).toEqual({ matched: 0, fired: 0 });
  });
  expect(all.scenarios.counters("story", 0)).toEqual({ matched: 1, fired: 1 });
});

test("a database at rest is what it was, counts its changes on, and can be closed", () => {
  const all = stores();
  pay(all, 100n);
  const [changes, bytes] = [all.database.changes, all.database.serialize()];
  all.database.rest();
  expect([all.database.changes, all.database.serialize().equals(bytes)]).toEqual([changes, true]);
  expect([written(all), all.ledger.balance(ACCOUNT, "BRL")]).toEqual([100n, 100n]);
  pay(all, 1n);
  expect(all.database.changes).toBeGreaterThan(changes);
  all.database.rest();
  all.database.close();
  expect(() => written(all)).toThrow("not open");
});
