/** What `GET /coverage` counts as exercised. */
import { describe, expect, test } from "vitest";
import type { CoverageInfo } from "../../src/client/control-types.ts";
import { cashoutErrorCodes } from "../../src/domain/cashout-errors.ts";
import { errorCatalogue } from "../../src/domain/errors.ts";
import { eventKinds } from "../../src/domain/events.ts";
import { serviceCalls } from "../../src/domain/service-calls.ts";
import { chargeOf } from "../support/charges.ts";
import { inject } from "../support/faults.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const counted = ({ sections }: CoverageInfo, id: string) => {
  const section = sections.find((one) => one.id === id);
  const seen = section?.items.filter(({ count }) => count > 0) ?? [];
  return Object.fromEntries(seen.map(({ name, count }) => [name, count]));
};

test("a fresh world has exercised nothing, out of all there is", async () => {
  const coverage = await (await file.world()).coverage();
  expect(coverage).toMatchObject({ covered: 0, percent: 0 });
  const totals = Object.fromEntries(coverage.sections.map(({ id, total }) => [id, total]));
  expect(totals).toMatchObject({ endpoints: 15, events: 17, cashout_error_codes: 10 });
  expect(coverage.total).toBe(Object.values(totals).reduce((sum, total) => sum + total, 0));
});

test("calls, refusals, events and states are counted, what is no endpoint is not", async () => {
  const world = await file.world({ postback_url: "sandbox://inbox" });
  const merchant = await Merchant.of(world);
  await merchant.cashin({ currency: "BRL", amount: 10 });
  await merchant.cashin({ currency: "XXX", amount: 10 });
  await merchant.call("GET", "/v2/nowhere");
  await world.trigger("cashout.failed", { set: { error_code: "BLACKLISTED" } });
  await world.trigger("chargeback.lost");
  const coverage = await world.coverage();
  expect(counted(coverage, "endpoints")).toMatchObject({ "POST /v2/transactions/cashin": 3 });
  expect(counted(coverage, "endpoints")).not.toHaveProperty("GET /v2/nowhere");
  expect(counted(coverage, "error_codes")).toEqual({ INVALID_CURRENCY: 1, NOT_FOUND: 1 });
  expect(counted(coverage, "events")).toMatchObject({
    "cashout.failed": 1,
    "chargeback.lost": 1,
    "cashin.refunded": 1,
  });
  expect(counted(coverage, "states")).toMatchObject({
    "cashin.pending": 2,
    "cashin.confirmed": 1,
    "cashout.failed": 1,
    "dispute.lost": 1,
  });
  expect(counted(coverage, "cashout_error_codes")).toEqual({ BLACKLISTED: 1 });
  expect(coverage.percent).toBe(Math.floor((coverage.covered * 100) / coverage.total));
});

test("the share is told in whole percents, never rounded up", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const rests: number[] = [];
  for (const path of ["balance", "fees", "limits", "info/profile", "infractions"]) {
    await merchant.call("GET", `/v2/account/${path}`);
    const { covered, total, percent } = await world.coverage();
    rests.push((covered * 100) / total - percent);
  }
  for (const rest of rests) expect(rest >= 0 && rest < 1).toBe(true);
  expect(rests.some((rest) => rest >= 0.5)).toBe(true);
});

describe("all there is can be covered, and what the settings rule out is not counted", () => {
  test.each([
    ["by default", {}, 17, 19],
    ["D54 with confirmed disputes", { lost_dispute_status: "confirmed" }, 17, 20],
    ["D55 with the legacy events", { legacy_refund_events: true }, 19, 19],
    ["D44 without wallet_deposit", { deposit_events: "cashin" }, 16, 19],
  ])("%s", async (_which, settings, kinds, states) => {
    const world = await file.world({ postback_url: "sandbox://inbox", settings: { protections: "off", ...settings } });
    const merchant = await Merchant.of(world);
    for (const kind of eventKinds.filter((kind) => kinds > 16 || kind !== "wallet_deposit")) await world.trigger(kind);
    for (const ending of ["cancel", "fail"]) await world.act(await chargeOf(merchant), ending);
    for (const error_code of cashoutErrorCodes) await world.trigger("cashout.failed", { set: { error_code } });
    for (const call of serviceCalls) {
      const [method = "", path = ""] = call.split(" ");
      await merchant.call(method, path, method === "GET" ? undefined : {});
    }
    for (const error of Object.keys(errorCatalogue)) {
      await inject(world, { request: "* /v2/*", inject: { error } });
      await merchant.call("GET", "/v2/account/fees");
    }
    const { sections, percent } = await world.coverage();
    const missing = sections.flatMap(({ items }) => items.filter(({ count }) => count === 0).map(({ name }) => name));
    expect({ missing, percent }).toEqual({ missing: [], percent: 100 });
    expect(sections.map(({ id, total }) => `${id} ${total}`)).toEqual(
      expect.arrayContaining([`events ${kinds}`, `states ${states}`]),
    );
  });
});
