/** Quotes: which one a conversion refers to, and what it costs to be done with it. */
import { expect, test } from "vitest";
import { ConversionStore, type Quote } from "../../src/store/conversions.ts";
import { Database } from "../../src/store/database.ts";

const QUOTE = {
  username: "acme",
  currency_from: "BRL",
  currency_to: "USDT",
  amount_from: 100n,
  rate: "0.2",
  created_at: 0,
  expires_at: 60_000,
};

test("D40 the latest one counts until it is used; then none does, whatever was before, until the next", () => {
  const store = new ConversionStore(Database.inMemory());
  const latest = (amount = 100n) => store.latestQuote("acme", "BRL", "USDT", amount)?.rate;
  for (const rate of ["0.1", "0.2"]) store.insertQuote({ ...QUOTE, rate });
  store.insertQuote({ ...QUOTE, rate: "0.3", amount_from: 200n });
  expect([latest(), latest(200n), latest(300n)]).toEqual(["0.2", "0.3", undefined]);
  store.consumeQuote(store.latestQuote("acme", "BRL", "USDT", 100n) as Quote);
  expect([latest(), latest(200n)]).toEqual([undefined, "0.3"]);
  store.insertQuote({ ...QUOTE, rate: "0.4" });
  expect(latest()).toBe("0.4");
});

test("D40 a conversion writes one quote, however many there were before", () => {
  const database = Database.inMemory();
  const store = new ConversionStore(database);
  const written = () => database.get<{ count: number }>("SELECT total_changes() AS count")?.count ?? 0;
  for (let count = 0; count < 100; count++) store.insertQuote(QUOTE);
  const before = written();
  store.consumeQuote(store.latestQuote("acme", "BRL", "USDT", 100n) as Quote);
  expect(written() - before).toBe(1);
});
