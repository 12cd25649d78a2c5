/** Whatever a network does to calls and webhooks, nothing is lost that is not dropped, and nothing happens twice. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { inject, textOf } from "../support/faults.ts";
import { Merchant } from "../support/merchant.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const CASHIN = "POST /v2/transactions/cashin";
const PATH = "/v2/transactions/cashin";
const ORDERS = 8;

const filters = fc.record(
  {
    skip: fc.nat(3),
    times: fc.integer({ min: 1, max: 5 }),
    chance: fc.integer({ min: 10, max: 100 }).map((percent) => `${percent}%`),
    from: fc.constantFrom("+0s", "+10s"),
    until: fc.constantFrom("+20s", "+5m"),
    for: fc.constantFrom("15s", "10m"),
  },
  { requiredKeys: [] },
);

const deliveryRule = fc
  .tuple(
    fc.constantFrom("*", "cashin.*", "cashin.confirmed", "*.refunded"),
    fc.oneof(
      fc.record({ duplicate: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ delay: fc.constantFrom("500ms", "40s", "5m") }),
      fc.record({ shuffle: fc.integer({ min: 2, max: 6 }) }),
      fc.record({ source: fc.constantFrom("127.0.0.66", "203.0.113.9") }),
    ),
    filters,
  )
  .map(([delivery, injected, more]) => ({ delivery, inject: injected, ...more }));

const requestRule = fc
  .tuple(
    fc.constantFrom(
      { error: "PROVIDER_ERROR" },
      { status: 503 },
      { disconnect: "before" },
      { disconnect: "after" },
      { malformed: true },
      { latency: "1ms" },
    ),
    filters,
    fc.integer({ min: 1, max: 6 }),
  )
  // They all end, as an outage does: a merchant that goes on trying gets through.
  .map(([injected, more, times]) => ({ request: CASHIN, inject: injected, ...more, times }));

const run = fc.record({
  seed: fc.nat(1_000_000),
  rules: fc.array(fc.oneof(deliveryRule, requestRule), { minLength: 1, maxLength: 6 }),
  /** How often the receiver fails each webhook before it takes it. With one wrong sender that makes five of six. */
  failures: fc.nat(4),
  rate: fc.constantFrom(3, 100),
});

test("every event is delivered at least once by idle, each order is charged once, and the ledger holds", async () => {
  await fc.assert(
    fc.asyncProperty(run, async ({ seed, rules, failures, rate }) => {
      await using receiver = await startFailing(failures);
      const settings = { webhook_rate: rate, protections: "off" };
      const world = await file.world({ seed, settings, scenarios: ["happy-path"], postback_url: receiver.url });
      const merchant = await Merchant.of(world);
      await inject(world, ...rules);
      for (let index = 0; index < ORDERS; index++) {
        await order(merchant, { currency: "BRL", amount: "100.00", external_id: `order-${index}` });
        await world.advance("3s");
      }
      await world.advance("1m");
      for (const { transaction_id } of await transactionsOf(world)) await world.act(transaction_id, "refund");
      await world.advance("idle");
      await expectAllThere(world, receiver);
      await world.delete();
    }),
    { numRuns: 30, seed: 20_260_101 },
  );
});

/** Tries until it gets an answer that can be read and is no failure of the service: with the same body each time. */
async function order(merchant: Merchant, body: object): Promise<void> {
  for (;;) {
    const answer = await textOf(merchant, "POST", PATH, body).catch(() => null);
    if (answer?.status === 200 && isJson(answer.text)) return;
  }
}

async function expectAllThere(world: WorldClient, receiver: Receiver): Promise<void> {
  const transactions = await transactionsOf(world);
  const ordered = transactions.map(({ external_id, status }) => [external_id, status]);
  expect(ordered.sort()).toEqual(Array.from({ length: ORDERS }, (_, index) => [`order-${index}`, "refunded"]));
  const webhooks = await world.webhooks();
  expect(webhooks).toHaveLength(2 * ORDERS);
  expect(webhooks.filter(({ status }) => status !== "delivered")).toEqual([]);
  const came = new Set(receiver.received.map(({ headers }) => headers["x-webhook-id"]));
  expect(came).toEqual(new Set(webhooks.map(({ webhook_id }) => webhook_id)));
  for (const { webhook_id, body } of webhooks) {
    const texts = receiver.received.filter(({ headers }) => headers["x-webhook-id"] === webhook_id);
    expect(new Set(texts.map(({ text }) => text))).toEqual(new Set([JSON.stringify(body)]));
  }
  expect(await world.all("/timers")).toEqual([]);
  expect((await world.checkLedger()).ok).toBe(true);
}

/** A receiver that answers 500 to the first requests of each webhook. */
function startFailing(failures: number): Promise<Receiver> {
  const seen = new Map<string, number>();
  return startReceiver(({ headers }, response) => {
    const id = headers["x-webhook-id"] ?? "";
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    response.writeHead(count <= failures ? 500 : 200).end();
  });
}

function transactionsOf(world: WorldClient) {
  return world.all<{ transaction_id: string; external_id: string; status: string }>("/transactions");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
