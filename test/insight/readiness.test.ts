/** The readiness report on two whole merchants: a careful one, of whom nothing is to be said, and a careless one. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { connectSandbox, type ReportInfo, type WebhookInfo, type WorldClient } from "../../src/index.ts";
import { CarefulMerchant } from "../support/careful-merchant.ts";
import { CarelessMerchant } from "../support/careless-merchant.ts";
import { startReady } from "../support/command.ts";
import { inject, removeFaults } from "../support/faults.ts";

import { Merchant } from "../support/merchant.ts";

import { authority } from "../support/odd-receivers.ts";

import { checkIn } from "../support/readiness.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

const CONFIRMED = "cashin.confirmed";
const CASHIN = "POST /v2/transactions/cashin";
const KEY = "12345678909";

/** The verdicts of a report by check, those that are not wanted left out. */
function verdictsOf({ checks }: ReportInfo): Record<string, string> {
  return Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));
}

const evidenceOf = (report: ReportInfo, id: string) => checkIn(report, id).evidence;

function webhooksOf(world: WorldClient, query = "") {
  return world.all<WebhookInfo>(`/webhooks?${query}`);
}

/** The id of the transaction that an external id stands for. */
async function transactionOf(world: WorldClient, externalId: string): Promise<string> {
  const all = await world.all<{ transaction_id: string; external_id: string | null }>("/transactions");
  return all.find(({ external_id }) => external_id === externalId)?.transaction_id ?? "";
}

test("every check names a heading of the specification, and the number or row beneath it", async () => {
  const clauses = readFileSync(new URL("../conformance/clauses.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const headings = clauses.slice(1).map((clause) => clause.split("\t")[1]);
  const { checks } = await (await file.world()).report();
  const places = checks.flatMap(({ id, source }) => source.split("; ").map((place) => ({ id, place })));
  const isThere = (place: string) => headings.some((heading) => place.startsWith(`${heading}, `));
  expect(places.filter(({ place }) => !isThere(place))).toEqual([]);
});

test("a check names twenty pieces of evidence, and says whether there are more", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const named = async () => {
    const { evidence, evidence_truncated } = checkIn(await world.report(), "external-id");
    return [evidence.length, evidence_truncated];
  };
  for (let count = 0; count < 20; count++) await merchant.cashin({ currency: "BRL", amount: "10.00" });
  expect(await named()).toEqual([20, undefined]);
  await merchant.cashin({ currency: "BRL", amount: "10.00" });
  expect(await named()).toEqual([20, true]);
});

describe("a careful merchant", () => {
  test("passes every check: AUTH-02 AUTH-06 ERR-14 ERR-17 ERR-18 WH-13 WH-16 WH-20 WH-22 WH-23", async () => {
    const { ready } = await startReady(["--clock", "frozen", "--scenario", "none"], {
      env: { NODE_EXTRA_CA_CERTS: authority },
    });
    const world = await (await connectSandbox(ready.base_url)).defaultWorld();
    await using merchant = await CarefulMerchant.open(world, {
      certificate: "certificates/vouched-for.pem",
      wait: (ms) => world.advance(`${ms}ms`),
    });
    await world.setPostbackUrl("acme", merchant.hookUrl);

    await inject(world, { request: CASHIN, inject: { disconnect: "after" }, times: 1 });
    await merchant.charge("order-1", "150.00");
    await inject(world, { request: CASHIN, inject: { status: 503 }, times: 3 });
    await merchant.charge("order-2", "20.00");
    await inject(world, { request: "POST /v2/transactions/cashout", inject: { error: "PROVIDER_ERROR" }, times: 1 });
    for (const order of ["payout-1", "payout-2"]) await merchant.payOut(order, "5.00", KEY);
    for (let count = 1; count <= 12; count++) await merchant.transfer(`transfer-${count}`, "1.00", "globex");
    await inject(world, { request: "GET /v2/account/balance", inject: { error: "IP_BLOCKED_TEMPORARILY" }, times: 1 });
    await merchant.balance();

    await inject(world, { delivery: CONFIRMED, inject: { duplicate: 1 }, times: 1 });
    const first = await transactionOf(world, "order-1");
    await world.act(first, "pay");
    await inject(world, { delivery: CONFIRMED, inject: { delay: "40s" }, times: 1 });
    const second = await transactionOf(world, "order-2");
    await world.act(second, "pay");
    await world.act(second, "refund");
    await world.advance("1m");
    await world.act(first, "dispute");
    await merchant.answerDisputes();
    await merchant.charge("order-3", "30.00");
    await inject(world, { delivery: "*", inject: { drop: true } });
    await world.act(await transactionOf(world, "order-3"), "pay");
    await removeFaults(world);
    await world.advance("1d");
    await merchant.reconcile();

    const report = await world.probe();
    const { "sandbox-refused-in-production": production, ...others } = verdictsOf(report);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((id) => [id, "pass"])));
    expect(production).toBe("not_observed");
    expect(report.verdict).toBe("pass");
    expect(report.checks.every(({ advice }) => advice === "")).toBe(true);
    expect(merchant.credited).toEqual(["order-1", "order-2", "order-3"]);
    expect(await world.report()).toEqual(report);
  });

  test("WH-08 refuses the sandbox's events where it is told to be production", async () => {
    const world = await file.world({ settings: { receiver_environment: "production" } });
    const wait = (ms: number) => world.advance(`${ms}ms`);
    await using merchant = await CarefulMerchant.open(world, { isProduction: true, wait });
    await world.setPostbackUrl("acme", merchant.hookUrl);
    await merchant.charge("order-1", "150.00");
    await world.act(await transactionOf(world, "order-1"), "pay");
    const report = await world.report();
    expect(verdictsOf(report)).toMatchObject({
      "sandbox-refused-in-production": "pass",
      "receiver-accepts": "not_observed",
    });
    expect(evidenceOf(report, "sandbox-refused-in-production")).toEqual([(await webhooksOf(world))[0]?.webhook_id]);
    expect(report.verdict).toBe("warn");
  });
});

describe("a careless merchant", () => {
  test("is told of every mistake, with evidence: AUTH-02 AUTH-06 ERR-15 ERR-17 ERR-18 WH-16 WH-20 WH-22 WH-23", async () => {
    const world = await file.world();
    await using merchant = await CarelessMerchant.open(world);
    await world.setPostbackUrl("acme", merchant.hookUrl);
    const found: Record<string, readonly (string | undefined)[]> = {};

    const nameless = [await merchant.charge("10.00"), await merchant.charge("20.00")];
    await inject(world, { request: CASHIN, inject: { status: 503 }, times: 2 });
    const tries = await merchant.insist("order-1", "30.00");
    expect(tries.map(({ status }) => status)).toEqual([503, 503, 200]);
    found.backoff = [tries[1]?.requestId, tries[2]?.requestId];
    found["same-body-on-retry"] = found.backoff;
    const payouts = [await merchant.payOut("payout-1"), await merchant.payOut("payout-2")];
    found["fresh-nonce"] = [payouts[1]?.requestId];
    await world.advance("10m");
    const wrong = await merchant.payOut("payout-3", { wrongly: true });
    found.signature = [wrong.requestId];
    const transfers = await merchant.transfer(12);
    expect(transfers.map(({ status }) => status).slice(9)).toEqual([200, 429, 429]);
    found["retry-after"] = [transfers[11]?.requestId];
    await world.advance("2m");
    await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    const blocked = await merchant.poll("/v2/account/balance", 2);
    await world.call("PUT", "/blocked-ips", { ips: [] });

    const paid = await transactionOf(world, "order-1");
    await inject(world, { delivery: CONFIRMED, inject: { delay: "40s" }, times: 1 });
    await world.act(paid, "pay");
    await world.act(paid, "refund");
    await world.advance("5m");
    const [confirmed, refunded] = (await webhooksOf(world)).filter(({ event }) => event.startsWith("cashin."));
    found["out-of-order"] = [refunded?.webhook_id];
    found["receiver-quick"] = [refunded?.webhook_id];
    expect((await world.redeliver(confirmed?.webhook_id ?? "")).attempts.at(-1)?.response?.status).toBe(409);

    await inject(world, { delivery: "*", inject: { drop: true }, times: 1 });
    await merchant.charge("40.00", { external_id: "order-2", postback_url: "http://shop.internal/hook" });
    await world.act(await transactionOf(world, "order-2"), "pay");
    const [dropped] = await world.webhooks({ status: "dropped" });
    found.reconciliation = [dropped?.webhook_id];
    found.https = found.reconciliation;
    await merchant.charge("50.00", { external_id: "order-3" });
    const disputed = await transactionOf(world, "order-3");
    await world.act(disputed, "pay");
    await world.act(disputed, "dispute");
    const [opened] = await world.webhooks({ event: "chargeback.opened" });
    found["disputes-answered"] = [opened?.webhook_id];
    const unwanted = (await world.webhooks({ event: "transfer.confirmed" })).filter(
      ({ username }) => username === "acme",
    );
    found["receiver-accepts"] = unwanted.map(({ webhook_id }) => webhook_id);
    await world.advance("8d");

    const before = new Set((await webhooksOf(world)).map(({ webhook_id }) => webhook_id));
    const report = await world.probe();
    const [unknown] = (await webhooksOf(world)).filter(({ webhook_id }) => !before.has(webhook_id));
    found["unknown-transaction"] = [unknown?.webhook_id];
    const { "sandbox-refused-in-production": production, "receiver-quick": quick, ...others } = verdictsOf(report);
    expect(others).toEqual(Object.fromEntries(Object.keys(others).map((id) => [id, "fail"])));
    expect({ production, quick, whole: report.verdict }).toEqual({
      production: "not_observed",
      quick: "warn",
      whole: "fail",
    });
    for (const [id, evidence] of Object.entries(found)) expect([id, evidenceOf(report, id)]).toEqual([id, evidence]);
    expect(evidenceOf(report, "external-id")).toEqual(nameless.map(({ requestId }) => requestId));
    expect(evidenceOf(report, "token-reused")).toEqual(merchant.fetches.slice(1, 21));
    expect(evidenceOf(report, "no-retry-when-blocked")).toContain(blocked[1]?.requestId);
    expect(evidenceOf(report, "duplicates")).toContain(confirmed?.webhook_id);
    expect(evidenceOf(report, "wrong-source")).toHaveLength(1);
    for (const { verdict, advice } of report.checks) {
      expect(advice === "").toBe(verdict === "pass" || verdict === "not_observed");
    }

    const [call] = await world.all<{ request_id: string; findings: object[] }>("/requests");
    expect(call?.findings).toEqual([]);
    const second = await world.call<{ findings: object[] }>("GET", `/requests/${nameless[1]?.requestId}`);
    expect(second.findings).toEqual([
      { check: "external-id", verdict: "fail", advice: expect.stringContaining("external_id") },
    ]);
  });

  test("WH-08 is told when its receiver of production takes the sandbox's events", async () => {
    const world = await file.world({ settings: { receiver_environment: "production" } });
    await using merchant = await CarelessMerchant.open(world);
    await world.setPostbackUrl("acme", merchant.hookUrl);
    await merchant.charge("10.00", { external_id: "order-1" });
    await world.act(await transactionOf(world, "order-1"), "pay");
    const report = await world.report();
    expect(verdictsOf(report)["sandbox-refused-in-production"]).toBe("fail");
    expect(evidenceOf(report, "sandbox-refused-in-production")).toEqual([(await webhooksOf(world))[0]?.webhook_id]);
  });
});
