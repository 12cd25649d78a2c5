/** What an expectation is met by: it is found without all being read that a world has seen. */
import { beforeAll, describe, expect, type MockInstance, test, vi } from "vitest";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import { connectSandbox } from "../../src/index.ts";
import { judge } from "../../src/scenarios/expectations.ts";
import type { Expectation } from "../../src/scenarios/script-schema.ts";
import type { World } from "../../src/world/world.ts";
import { startBareServer } from "../support/bare-server.ts";
import { chargeOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";

const PAID = 30;
/** The external id of one charge: JSON writes it otherwise. */
const QUOTED = 'say "hi"\\';
let world: World;

beforeAll(async () => {
  const server = await startBareServer({ onFault: () => {} });
  const client = await (await connectSandbox(server.baseUrl)).defaultWorld();
  await client.setPostbackUrl("acme", "sandbox://inbox");
  const merchant = await Merchant.of(client);
  for (let number = 0; number <= PAID; number++) {
    const id = await chargeOf(merchant, { external_id: number === 20 ? QUOTED : `order-${number}` });
    if (number < PAID) await client.act(id, "pay");
  }
  await client.settle();
  const live = server.sandbox.get(DEFAULT_WORLD);
  if (!live) throw new Error("There is no default world.");
  world = live.world;
  return () => server.stop();
});

const judged = (expected: Expectation) =>
  judge(expected, { world, variables: {}, since: 0, afterEntry: 0, final: false });

/** A condition that the same texts meet, of which it cannot be said what stands in a table. */
const saidAtLength = (condition: unknown) => ({ in: [condition] }) as const;

describe("an expectation comes to the same, whether a table can be narrowed by it or not", () => {
  test.each<[string, Omit<Expectation, "where">, Record<string, string>, string]>([
    ["an event", { event: "cashin.confirmed" }, { currency: "BRL" }, `${PAID} are there: `],
    ["the event of one charge", { event: "cashin.confirmed" }, { external_id: "order-7" }, "1 is there: "],
    [
      "the event of one that JSON writes otherwise",
      { event: "cashin.confirmed" },
      { external_id: QUOTED },
      "1 is there: ",
    ],
    [
      "an event by an amount in other digits",
      { event: "cashin.confirmed" },
      { amount: "150.000" },
      `${PAID} are there: `,
    ],
    ["an event that is none", { event: "cashin.confirmed" }, { external_id: "order-8*" }, "1 is there: "],
    [
      "no such event",
      { event: "cashin.confirmed" },
      { external_id: "order-30" },
      `it did not come; the nearest of ${PAID} of its kind came at 2026-01-01T12:00:00.000Z with external_id "order-0"`,
    ],
    [
      "an event that differs in two fields",
      { event: "cashin.confirmed" },
      { external_id: "order-9", currency: "MXN" },
      `it did not come; the nearest of ${PAID} of its kind came at 2026-01-01T12:00:00.000Z with currency "BRL"`,
    ],
    [
      "an absence",
      { no_event: "cashin.confirmed" },
      { external_id: "order-2" },
      "it came at 2026-01-01T12:00:00.000Z: ",
    ],
    ["webhooks", { webhook: "cashin.*", status: "delivered" }, { currency: "BRL" }, `${PAID} are there: `],
    [
      "no such webhook",
      { webhook: "cashin.*" },
      { external_id: "order-30" },
      "there is no such webhook; the nearest, ",
    ],
    ["transactions", { transaction: {} }, { status: "confirmed", currency: "BRL" }, `${PAID} are there: `],
    ["a transaction", { transaction: {} }, { external_id: "order-30" }, "1 is there: "],
    ["no such transaction", { transaction: {} }, { status: "refunded" }, "there is no such transaction; the nearest, "],
  ])("%s", (_what, expected, where, detail) => {
    const atLength = Object.fromEntries(Object.entries(where).map(([name, text]) => [name, saidAtLength(text)]));
    const short = judged({ ...expected, where } as Expectation);
    expect(short.detail.slice(0, detail.length)).toBe(detail);
    expect(judged({ ...expected, where: atLength } as Expectation)).toEqual(short);
  });

  test("an event whose fields are not asked for is counted as one whose fields are", () => {
    const named = judged({ event: "cashin.confirmed", where: { currency: "BRL" } } as Expectation);
    expect(judged({ event: "cashin.confirmed" } as Expectation)).toEqual(named);
  });
});

test("a currency that there is not has no balance, whatever its name", () => {
  expect(judged({ balance: { constructor: "1.00" } })).toEqual({
    verdict: "pending",
    detail: "acme has constructor none",
  });
});

test("what has the id that is meant is the nearest, though another differs in fewer fields", () => {
  const where = { external_id: "order-30", status: "confirmed", confirmed_at: "2026-01-01T12:00:00.000Z" };
  const { detail } = judged({ transaction: {}, where } as Expectation);
  expect(detail).toMatch(/; the nearest, \w+, has status "pending", confirmed_at null$/);
});

describe("of what is there are read", () => {
  test.each<[string, object, number]>([
    ["the first three where all are meant", { event: "cashin.confirmed" }, 3],
    ["the one that is named", { event: "cashin.confirmed", where: { external_id: "order-7" } }, 1],
    ["the first three in a state", { webhook: "*", status: "delivered" }, 3],
    ["the first three with what has a column", { transaction: { status: "confirmed" } }, 3],
    ["none of another kind", { no_event: "chargeback.lost" }, 0],
  ])("%s", (_what, expected, rows) => {
    const reads: MockInstance<(...place: never[]) => readonly unknown[]>[] = [
      vi.spyOn(world.events, "after"),
      vi.spyOn(world.transactions, "after"),
    ];
    judged(expected as Expectation);
    const read = reads.flatMap(({ mock }) => mock.results.map(({ value }) => value)).flat().length;
    vi.restoreAllMocks();
    expect(read).toBe(rows);
  });
});
