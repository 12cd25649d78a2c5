/** `GET /explain/{id}` where a fault cut off answers, whose calls were carried out all the same. */
import { expect, test } from "vitest";
import type { ExplanationInfo, WorldClient } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { inject, removeFaults } from "../support/faults.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { textsOf } from "./explanations.ts";

const file = useSandbox();

const PAIR = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };

/** Makes a call that a fault spoils, by cutting off its answer unless it says otherwise. */
async function spoilt(
  world: WorldClient,
  path: string,
  call: () => Promise<Answer>,
  fault: object = { malformed: true },
) {
  await inject(world, { request: `POST /v2${path}`, inject: fault });
  await call().catch(() => {});
  await removeFaults(world);
}

const callsOf = ({ chain }: ExplanationInfo) => chain.flatMap(({ call }) => call ?? []);

test("D49 LIMIT_EXCEEDED: what was made by a call whose answer was cut off counts, too", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const limits = [{ currency: "BRL", operation: "cashin", daily_limit: "300.00" }];
  await control(world, "PATCH", `/credentials/${merchant.clientId}`, { limits });
  await spoilt(world, "/transactions/cashin", () => merchant.cashin({ currency: "BRL", amount: "200.00" }));
  const [cut] = await world.all<{ transaction_id: string }>("/transactions");
  const counted = await chargeOf(merchant, { amount: "50.00" });
  const refused = await merchant.cashin({ currency: "BRL", amount: "100.00" });
  const { summary } = await world.explain(refused.headers.get("x-request-id") ?? "");
  expect(summary).toMatch(
    new RegExp(`the latest first: 50\\.00 of ${counted}, 200\\.00 of ${cut?.transaction_id}\\.$`),
  );
});

test("D34 what a charge was made over, although the answer to its call was cut off", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  await spoilt(world, "/transactions/cashin", () => merchant.cashin({ currency: "USDT", chain: "tron", amount: 100 }));
  const [cut] = await world.all<{ transaction_id: string }>("/transactions");
  const id = cut?.transaction_id ?? "";
  await world.act(id, "pay", { amount: "20" });
  await world.advance("1h");
  expect((await world.explain(id)).summary).toMatch(/ It was made over 100\.000000 USDT\.$/);
});

test("D40 a rate comes of a simulation whose answer was cut off, and not of one that was not carried out", async () => {
  const world = await file.world();
  const merchant = await SigningMerchant.ofAccount(world);
  const simulate = () => merchant.call("POST", "/v2/conversions/simulate", PAIR);
  await spoilt(world, "/conversions/simulate", simulate);
  await spoilt(world, "/conversions/simulate", simulate, { disconnect: "before" });
  await world.rates.set({ BRL: "0.5" });
  const { body } = await merchant.convert({ ...PAIR, external_id: "quoted" });
  const explained = await world.explain(body.data.conversion_id);
  expect(callsOf(explained)).toEqual(["POST /v2/conversions/simulate", "POST /v2/conversions/new"]);
  expect(textsOf(explained)[0]).toContain("was answered 200 with half a body");
});

test("D40 a quote that a conversion used whose answer was cut off is not what a later rate came of", async () => {
  const world = await file.world();
  const merchant = await SigningMerchant.ofAccount(world);
  await merchant.call("POST", "/v2/conversions/simulate", PAIR);
  await spoilt(world, "/conversions/new", () => merchant.convert({ ...PAIR, external_id: "first" }));
  const { body } = await merchant.convert({ ...PAIR, external_id: "second" });
  expect(callsOf(await world.explain(body.data.conversion_id))).toEqual(["POST /v2/conversions/new"]);
});
