import { expect, test } from "vitest";
import { Merchant } from "../support/merchant.ts";
import { startProcess } from "../support/process.ts";
import { startReceiver } from "../support/receiver.ts";

/** The same calls in the same order, against a process of its own with a receiver of its own. */
async function play(seed: string): Promise<{ journal: string; webhooks: string[] }> {
  await using receiver = await startReceiver(200, 500, 500, 200, 404, 200);
  const process = await startProcess("--clock", "frozen", "--start", "2026-03-01T09:00:00Z", "--seed", seed);
  const { world } = process;
  await world.setPostbackUrl("acme", receiver.url);
  const merchant = await Merchant.of(world);
  for (const [index, currency] of ["BRL", "MXN", "BTC", "SOL", "BRL", "ETH"].entries()) {
    await merchant.cashin({ currency, amount: "100.5", chain: "ethereum", external_id: `order-${index}` });
    await merchant.cashin({ currency, amount: "2", external_id: `magic-refund-${index}` });
    await world.advance("3s");
  }
  await merchant.cashin({ currency: "BRL", amount: "0" });
  await merchant.cashin({ currency: "BRL", amount: "7.77", external_id: "magic-expire" });
  await world.advance("idle");
  const journal = JSON.stringify(await world.journal());
  await process.end("SIGTERM");
  return { journal, webhooks: receiver.received.map((webhook) => webhook.text) };
}

test("the same seed and calls give the same journal and webhooks, byte for byte, in two processes", async () => {
  const [first, second] = await Promise.all([play("7"), play("7")]);
  expect(second.journal).toBe(first.journal);
  expect(second.webhooks).toEqual(first.webhooks);
  expect(first.webhooks.length).toBeGreaterThan(15);
});

test("another seed gives other ids", async () => {
  const [first, second] = await Promise.all([play("7"), play("8")]);
  expect(second.journal).not.toBe(first.journal);
});
