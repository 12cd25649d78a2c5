/** Many worlds at once: each does its own, none sees anything of another. */
import { expect, test } from "vitest";
import { chargeOf, externalIdsOf } from "../support/charges.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const WORLDS = 200;
const WORKERS = 16;
/** So many worlds differ: each is played several times, among others that are not alike. */
const DIFFERENT = 10;

test("200 worlds driven at once, each with its own receiver: no cross-talk, and every ledger holds", async () => {
  const numbers = Array.from({ length: WORLDS }, (_, number) => number);
  const waiting = numbers.values();
  const journals = new Map<number, string>();
  const work = async () => {
    for (const number of waiting) journals.set(number, await playIn(number % DIFFERENT));
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  expect(journals.size).toBe(WORLDS);
  for (const number of numbers) expect(journals.get(number)).toBe(journals.get(number % DIFFERENT));
});

/** Plays an hour in a world of its own. @returns its journal. */
async function playIn(seed: number): Promise<string> {
  const fails = seed % 2 === 1;
  const charges = 1 + (seed % 3);
  await using receiver = await startReceiver(...(fails ? [500, 200] : [200]));
  await using world = await file.sandbox.createWorld({ seed, scenarios: ["happy-path"], postback_url: receiver.url });
  const merchant = await Merchant.of(world);
  const orders = Array.from({ length: charges }, (_, count) => `seed-${seed}-order-${count}`);
  for (const external_id of orders) await chargeOf(merchant, { external_id });
  expect(await world.advance("1h")).toMatchObject({
    timers: 2 * charges + (fails ? 1 : 0),
    webhooks: { delivered: charges, failed: 0, pending: 0 },
  });
  expect(new Set(externalIdsOf(receiver))).toEqual(new Set(orders));
  expect(await world.checkLedger()).toMatchObject({ ok: true });
  const journal = await world.journal();
  expect(journal.filter(({ kind }) => kind === "webhook.delivered")).toHaveLength(charges);
  return JSON.stringify(journal);
}
