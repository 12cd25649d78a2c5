/** What the time line is searched by beside its entries. */
import { expect, test } from "vitest";
import { subjectsNamed } from "../../src/dashboard/timeline/named-subjects.ts";
import { chargeOf } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

test("charges and transfers are found by their external ids, which no entry may say", async () => {
  const world = await file.world();
  const merchant = await SigningMerchant.ofAccount(world);
  const id = await chargeOf(merchant, { external_id: "Order-1" });
  await merchant.transfer({ username: "globex", currency: "BRL", amount: "75.00", external_id: "share-1" });
  const control = { get: <Answer>(path: string) => world.call<Answer & object>("GET", path) };
  expect(JSON.stringify(await world.journal())).not.toContain("Order-1");
  expect([...(await subjectsNamed(control, "order-1"))]).toEqual([id]);
  expect((await subjectsNamed(control, "share-1")).size).toBe(1);
  expect((await subjectsNamed(control, "order-2")).size).toBe(0);
});
