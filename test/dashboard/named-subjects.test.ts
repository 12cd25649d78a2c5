/** What the time line is searched by beside its entries. */
import { expect, test } from "vitest";
import { NamedSubjects } from "../../src/dashboard/timeline/named-subjects.ts";
import { type Control, ControlError } from "../../src/dashboard/wire/control.ts";
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
  const named = async (text: string) => {
    const searched = new NamedSubjects(control, text, String);
    await searched.touch();
    return [...searched.subjects];
  };
  expect(JSON.stringify(await world.journal())).not.toContain("Order-1");
  expect(await named("order-1")).toEqual([id]);
  expect(await named("share-1")).toHaveLength(1);
  expect(await named("order-2")).toEqual([]);
});

test("a reading that is lost, of a list or of its end, is told of until it comes", async () => {
  const lost = new Set<string>();
  const get = async (path: string) => {
    if (lost.delete(path)) throw new ControlError(0, "UNREACHABLE", "The sandbox does not answer.");
    const isPage = path.startsWith("/transactions?cursor=0&");
    return { items: isPage ? [{ transaction_id: "charge", external_id: "shop" }] : [], next_cursor: null };
  };
  for (const path of ["/transactions?cursor=0&limit=100", "/transactions?cursor=0&limit=1"]) {
    const named = new NamedSubjects({ get } as unknown as Control, "shop", String);
    let told = 0;
    named.listen(() => told++);
    lost.add(path);
    await named.touch();
    expect([path, named.error?.status, named.subjects.size, told > 0]).toEqual([path, 0, 0, true]);
    await named.touch();
    expect([path, named.error, named.subjects.size]).toEqual([path, null, 1]);
  }
});

test("any number of matches is found, a portion of each list at a time, and again as far as was searched", async () => {
  const charges = Array.from({ length: 5_200 }, (_, index) => ({
    transaction_id: `charge ${index}`,
    external_id: "shop",
  }));
  const get = async (path: string) => {
    const asked = new URLSearchParams(path.split("?")[1]);
    const [after, limit] = [Number(asked.get("cursor")), Number(asked.get("limit"))];
    const items = path.startsWith("/transactions?") ? charges.slice(after, after + limit) : [];
    return { items, next_cursor: after + limit < charges.length && items.length > 0 ? String(after + limit) : null };
  };
  const named = new NamedSubjects({ get } as unknown as Control, "shop", String);
  await named.touch();
  expect([named.subjects.size, named.isDone]).toEqual([5_000, false]);
  await named.more();
  expect([named.subjects.size, named.isDone]).toEqual([5_200, true]);
  charges.push({ transaction_id: "another", external_id: "shop" });
  charges[0] = { transaction_id: "charge 0", external_id: "other" };
  await named.touch();
  expect([named.subjects.has("another"), named.subjects.has("charge 0")]).toEqual([true, false]);
});
