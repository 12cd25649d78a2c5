/** The widest rate window, filled to its end. */

import { Client } from "undici";
import { expect, test } from "vitest";
import { expectSuccess } from "../support/answers.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const CASHIN = "/v2/transactions/cashin";
const ORDER = { currency: "BRL", amount: 10 };

test("RL-06 the 12001st cash-in of a minute is refused", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const statuses = await sendMany(merchant, 12_001);
  expect(statuses).toEqual({ 200: 12_000, 429: 1 });
  await world.advance("60s");
  expectSuccess(await merchant.cashin(ORDER));
});

/** The same cash-in many times over one connection, without waiting for each answer. */
async function sendMany(merchant: Merchant, count: number): Promise<Record<number, number>> {
  const { origin, pathname } = new URL(merchant.baseUrl);
  const client = new Client(origin, { pipelining: 100 });
  const statuses: Record<number, number> = {};
  const request = {
    method: "POST",
    path: pathname + CASHIN,
    headers: { authorization: `Bearer ${merchant.token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...ORDER, external_id: "the same" }),
    idempotent: true,
  } as const;
  const send = async () => {
    const response = await client.request(request);
    await response.body.dump();
    statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
  };
  for (let left = count; left > 0; left -= 500) await Promise.all(Array.from({ length: Math.min(left, 500) }, send));
  await client.close();
  return statuses;
}
