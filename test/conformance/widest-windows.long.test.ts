/** The widest rate windows, filled to their end. */

import { randomUUID } from "node:crypto";
import { Client } from "undici";
import { expect, test } from "vitest";
import type { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { hmacOf, SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

type Headers = Readonly<Record<string, string>>;

/** The headers of a signature with a nonce of its own. */
function signatureOf({ signingKey: key }: SigningMerchant, body: string): Headers {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), randomUUID()];
  return {
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": hmacOf(key, `${timestamp}.${nonce}.${body}`),
  };
}

test.each([
  ["RL-06 the 12001st cash-in", 12_000, 200, "/v2/transactions/cashin", {}],
  ["RL-07 the 6001st cash-out", 6_000, 202, "/v2/transactions/cashout", { key: "12345678909" }],
] as const)("%s of a minute is refused", async (_what, limit, status, path, more) => {
  const world = await file.world();
  const merchant = await SigningMerchant.ofAccount(world);
  // The same one again, which is created once.
  const body = JSON.stringify({ currency: "BRL", amount: 10, external_id: "the same", ...more });
  const proof = () => ("key" in more ? signatureOf(merchant, body) : {});
  expect(await sendMany(merchant, { count: limit + 1, path, body, proof })).toEqual({ [status]: limit, 429: 1 });
  await world.advance("60s");
  expect(await sendMany(merchant, { count: 1, path, body, proof })).toEqual({ [status]: 1 });
});

interface Many {
  readonly count: number;
  readonly path: string;
  readonly body: string;
  /** Further headers of each of them. */
  readonly proof: () => Headers;
}

/** The same call many times over one connection, without waiting for each answer. @returns how many of each status. */
async function sendMany(merchant: Merchant, { count, path, body, proof }: Many): Promise<Record<number, number>> {
  const { origin, pathname } = new URL(merchant.baseUrl);
  const client = new Client(origin, { pipelining: 100 });
  const statuses: Record<number, number> = {};
  const headers = { authorization: `Bearer ${merchant.token}`, "content-type": "application/json" };
  const request = { method: "POST", path: pathname + path, body, idempotent: true } as const;
  const send = async () => {
    const response = await client.request({ ...request, headers: { ...headers, ...proof() } });
    await response.body.dump();
    statuses[response.statusCode] = (statuses[response.statusCode] ?? 0) + 1;
  };
  for (let left = count; left > 0; left -= 500) await Promise.all(Array.from({ length: Math.min(left, 500) }, send));
  await client.close();
  return statuses;
}
