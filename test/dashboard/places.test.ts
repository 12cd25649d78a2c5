/** Where the page shows what has an id. */
import { expect, test } from "vitest";
import type { Control } from "../../src/dashboard/wire/control.ts";
import { placeOf } from "../../src/dashboard/words/places.ts";
import { chargeOf } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

test("a refund, a timer and a webhook lead to a view: what has no place of its own to what it is of", async () => {
  const world = await file.world({ postback_url: "sandbox://inbox" });
  const control = { get: (path: string) => world.call("GET", path) } as unknown as Control;
  const id = await chargeOf(await SigningMerchant.ofAccount(world));
  const { items } = await world.call<{ items: { id: string }[] }>("GET", "/timers");
  const charge = { view: "transactions", id };
  expect(await placeOf(control, items[0]?.id ?? "")).toEqual({ view: "timeline", id: expect.stringMatching(/^\d+$/) });
  await world.act(id, "pay");
  await world.act(id, "refund");
  const refund = (await world.webhooks()).at(-1);
  expect(refund?.body.transaction_id).not.toBe(id);
  expect(await placeOf(control, String(refund?.body.transaction_id))).toEqual(charge);
  expect(await placeOf(control, refund?.webhook_id ?? "")).toEqual({ view: "webhooks", id: refund?.webhook_id });
  expect(await placeOf(control, "nowhere")).toBeNull();
});
