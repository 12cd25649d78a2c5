/** `GET /explain/{id}` of a refused call: what of the past it was refused for. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ExplanationInfo, WorldClient } from "../../src/index.ts";
import { chargeOf } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { openedDispute, pdf, reply } from "../support/disputes.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { rule, scenario } from "../support/scenarios.ts";
import { SigningMerchant } from "../support/signing.ts";
import { kindsOf, textsOf } from "./explanations.ts";

const file = useSandbox();

const CPF = "52998224725";

const calls = ({ chain }: ExplanationInfo) => chain.flatMap(({ call }) => call ?? []);
const idOf = ({ headers }: Answer) => headers.get("x-request-id");

/** The explanation of a call that was refused with this code. */
async function explained(world: WorldClient, refused: Answer, code?: string): Promise<ExplanationInfo> {
  if (code !== undefined) expect(refused.body.error).toMatchObject({ code });
  return world.explain(idOf(refused) ?? "");
}

test("a call whose answer was broken off by a fault says so in the story of what it made", async () => {
  const world = await file.world();
  const merchant = await SigningMerchant.ofAccount(world);
  await control(world, "PUT", "/faults", {
    rules: [{ request: "POST /v2/transactions/cashin", inject: { malformed: true } }],
  });
  await merchant.call("POST", "/v2/transactions/cashin", { currency: "BRL", amount: 5 }).catch(() => {});
  const { items } = await world.call<{ items: { transaction_id: string }[] }>("GET", "/transactions");
  const { chain } = await world.explain(items[0]?.transaction_id ?? "");
  expect(chain[0]?.text).toMatch(/was answered 200 with half a body\.$/);
});

describe("a call whose caller was shut out is told with what had shut it out", () => {
  test("SECURITY_BLOCKED: the review, down to its control call", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const changes = [{ status: "under_review" }, { status: "active" }, { name: "Acme" }, { status: "under_review" }];
    for (const change of [...changes, { status: "under_review" }])
      await control(world, "PATCH", "/accounts/acme", change);
    const refused = await merchant.cashin({ currency: "BRL", amount: 5 });
    const told = await explained(world, refused);
    const calls = ["PATCH /accounts/acme", null, "POST /v2/transactions/cashin"];
    expect(told.chain.map(({ call }) => call)).toEqual(calls);
    expect(told.chain[1]?.text).toBe("The account acme came under review.");
    const controlCalls = (await world.journal()).filter(({ kind }) => kind === "control");
    expect(told.chain[0]?.sequence).toBe(controlCalls.at(-2)?.sequence);
    expect(told.history.map(({ kind }) => kind)).toEqual(["request"]);
  });

  test("SECURITY_BLOCKED: the review, down to the step of a scenario", async () => {
    const steps = [{ set_account: { status: "under_review" } }];
    const world = await file.world({ scenarios: [scenario("review", rule("cashin.created", steps))] });
    const merchant = await Merchant.of(world);
    await chargeOf(merchant);
    const told = await explained(world, await merchant.cashin({ currency: "BRL", amount: 5 }));
    expect(kindsOf(told)).toEqual(["request", "transition", "rule.fired", "step", "account.changed", "request"]);
  });

  test.each(["127.0.0.1", "::ffff:127.0.0.1"])(
    "IP_BLACKLISTED: the control call that listed the address last, as %s",
    async (address) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      for (const ips of [["127.0.0.1"], [], ["10.0.0.1", address]]) {
        await control(world, "PUT", "/blocked-ips", { ips });
      }
      const refused = await merchant.cashin({ currency: "BRL", amount: 5 });
      const told = await explained(world, refused);
      expect(kindsOf(told)).toEqual(["control", "request"]);
      expect(textsOf(told)[0]).toContain('"10.0.0.1"');
    },
  );

  test("IP_BLACKLISTED: the step of a scenario, down to the call that its rule followed", async () => {
    const steps = [{ block_ip: "127.0.0.1" }];
    const world = await file.world({ scenarios: [scenario("shut", rule("cashin.created", steps))] });
    const merchant = await Merchant.of(world);
    const id = await chargeOf(merchant);
    const refused = await merchant.cashin({ currency: "BRL", amount: 5 });
    const told = await explained(world, refused);
    expect(kindsOf(told)).toEqual(["request", "transition", "rule.fired", "step", "request"]);
    expect(told.chain[1]?.subject).toBe(id);
    expect(told.chain[3]?.rule).toMatch(/^inline\.json:\d+$/);
  });

  /** The last of so many calls of something. */
  async function last(times: number, call: () => Promise<Answer>): Promise<Answer> {
    const answers: Answer[] = [];
    while (answers.length < times) answers.push(await call());
    return answers.at(-1) as Answer;
  }

  test("D18 IP_BLOCKED_TEMPORARILY: the block, and the failures that led to it", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const stranger = new Merchant(world, { ...world.credentials, clientSecret: "wrong" });
    const fifth = await last(5, () => stranger.authenticate());
    const told = await explained(world, await merchant.call("GET", "/v2/account/balance"));
    expect(kindsOf(told)).toEqual([...Array(5).fill("request"), "address.blocked", "request"]);
    expect(told.chain[4]?.request_id).toBe(fifth.headers.get("x-request-id"));
    expect(textsOf(told)[5]).toBe(
      "The caller's address had 5 authentication failures and is blocked until 2026-01-01T12:05:00.000Z.",
    );
    expect(told.summary.match(/blocked for another 300 s/g)).toHaveLength(1);
    expect(JSON.stringify(await world.journal())).not.toContain("127.0.0.1");
  });

  test("D18 IP_BLOCKED_TEMPORARILY after failures in a row, however long they took: all of them", async () => {
    const world = await file.world({ settings: { auth_failures: "consecutive" } });
    const merchant = await Merchant.of(world);
    const stranger = new Merchant(world, { ...world.credentials, clientSecret: "wrong" });
    for (let count = 0; count < 5; count++) {
      await world.advance("2m");
      await stranger.authenticate().catch(() => {});
    }
    const told = await explained(world, await merchant.call("GET", "/v2/account/balance"));
    expect(kindsOf(told)).toEqual([...Array(5).fill("request"), "address.blocked", "request"]);
  });

  test("D16 RATE_LIMIT_EXCEEDED: the block of the credential, and the refusals that led to it", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);

    const fifteenth = await last(15, () => merchant.cashin({}));
    const told = await explained(world, await merchant.call("GET", "/v2/account/balance"));
    expect(kindsOf(told)).toEqual([...Array(15).fill("request"), "credential.blocked", "request"]);
    expect(told.chain[14]?.request_id).toBe(fifteenth.headers.get("x-request-id"));
    expect(textsOf(told)[15]).toBe(
      `The credential ${world.credentials.clientId} had 15 refusals in a minute and is blocked until 2026-01-01T12:05:00.000Z.`,
    );
  });

  test("D16 RATE_LIMIT_EXCEEDED that begins the block itself: the refusals that led to it", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const refused = await last(14, () => merchant.cashin({}));
    const call = () => merchant.call("GET", "/v2/account/infractions");
    await world.advance("30s");
    const beginning = await last(61, call);
    expect(beginning.headers.get("x-sandbox-hint")).toMatch(/^The credential had 15 refusals/);
    const told = await explained(world, beginning);
    expect(kindsOf(told)).toEqual(Array(15).fill("request"));
    expect(told.chain[13]?.request_id).toBe(refused.headers.get("x-request-id"));
  });

  test("D16 a fault rule's 429 that begins the block says which rule struck, and is told with the refusals and the block", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const fault = { name: "slow down", request: "GET /v2/account/balance", inject: { status: 429 } };
    await control(world, "PUT", "/faults", { rules: [fault] });
    const beginning = await last(15, () => merchant.call("GET", "/v2/account/balance"));
    expect(beginning.headers.get("retry-after")).toBe("300");
    expect(beginning.headers.get("x-sandbox-hint")).toMatch(/slow down.*15 refusals in a minute/);
    expect((await merchant.call("GET", "/v2/account/fees")).headers.get("x-sandbox-hint")).not.toMatch(/slow down/);
    const told = await explained(world, beginning);
    expect(kindsOf(told).filter((kind) => kind === "request")).toHaveLength(15);
    expect(kindsOf(told)).toContain("fault.injected");
  });

  test("D19 RATE_LIMIT_EXCEEDED of a window that is used up is told alone, also after a block", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await last(15, () => merchant.cashin({}));
    await world.advance("5m");
    const exceeding = await last(61, () => merchant.call("GET", "/v2/account/infractions"));
    expect(exceeding.status).toBe(429);
    expect(kindsOf(await explained(world, exceeding))).toEqual(["request"]);
  });

  test("D19 a block that is counted and shown only is told as what it would be", async () => {
    const world = await file.world({ settings: { protections: "report" } });
    const merchant = await Merchant.of(world);
    await last(15, () => merchant.cashin({}));
    const { history } = await world.explain(world.credentials.clientId);
    expect(history.at(-1)?.text).toMatch(/would be blocked until .+ if protections were enforced\.$/);
  });

  test("the failures and the review are those before the call, whatever else there was", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.call("GET", "/v2/account/balance", undefined, { Authorization: undefined });
    const stranger = new Merchant(world, { ...world.credentials, clientSecret: "wrong" });
    const failed = [await stranger.authenticate(), await stranger.authenticate()];
    await merchant.cashin({});
    for (let count = 0; count < 3; count++) failed.push(await stranger.authenticate());
    const blocked = await explained(world, await merchant.cashin({}), "IP_BLOCKED_TEMPORARILY");
    expect(blocked.chain.flatMap(({ request_id }) => request_id ?? []).slice(0, 5)).toEqual(failed.map(idOf));
    await world.advance("5m");
    await control(world, "PATCH", "/accounts/acme", { status: "under_review" });
    const refused = await merchant.cashin({ currency: "BRL", amount: 5 });
    for (let count = 0; count < 1_001; count++) {
      await world.call("POST", "/accounts/acme/fund", { currency: "BRL", amount: "1.00" });
    }
    expect(calls(await explained(world, refused, "SECURITY_BLOCKED"))).toContain("PATCH /accounts/acme");
    const { chain } = await world.explain(world.credentials.clientId);
    expect(chain.map(({ kind }) => kind)).toEqual(["world.created", "account.opened", "credential.issued"]);
  });

  test("a call that comes to nothing by itself is told alone", async () => {
    const world = await file.world();
    await control(world, "PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    await control(world, "PUT", "/blocked-ips", { ips: [] });
    const merchant = await Merchant.of(world);
    const refused = await merchant.cashin({ currency: "BRL" });
    expect(kindsOf(await explained(world, refused))).toEqual(["request"]);
  });
});

describe("a call that came too late is told with what had ended, and what moved the clock", () => {
  test("D10 UNAUTHORIZED: the call for the token and the advance, and no later token", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { token } = merchant;
    await world.advance("30m");
    await merchant.authenticate();
    await world.advance("30m");
    merchant.token = token;
    const told = await explained(world, await merchant.cashin({ currency: "BRL", amount: 5 }), "UNAUTHORIZED");
    expect(calls(told)).toEqual([
      "POST /v2/oauth/token",
      "POST /clock/advance",
      "POST /clock/advance",
      "POST /v2/transactions/cashin",
    ]);
    expect(told.chain[0]?.at).toBe("2026-01-01T12:00:00.000Z");
  });

  test("D10 UNAUTHORIZED: the move past the token's end, however many came after it", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const by of ["59m", "1m", ...Array(6).fill("1s")]) await world.advance(by);
    const told = await explained(world, await merchant.call("GET", "/v2/account/balance"), "UNAUTHORIZED");
    expect(textsOf(told).slice(1, -1)).toEqual(
      ["59m", "1m"].map((by) => `Control call POST /clock/advance with {"by":"${by}"}.`),
    );
  });

  test("D10 UNAUTHORIZED: no call for the token if others than its owner got one at the same instant", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.authenticate();
    const asked = () => merchant.call("GET", "/v2/account/balance");
    await SigningMerchant.ofAccount(world, "globex");
    await world.advance("1h");
    expect(calls(await explained(world, await asked(), "UNAUTHORIZED"))).toEqual([
      "POST /clock/advance",
      "GET /v2/account/balance",
    ]);
    await merchant.authenticate();
    const last = await merchant.authenticate();
    await world.advance("1h");
    const told = await explained(world, await asked(), "UNAUTHORIZED");
    expect(told.chain[0]?.request_id).toBe(idOf(last));
  });

  test("D10 UNAUTHORIZED: no other's call for a token of a credential that this world has not", async () => {
    const world = await file.world();
    const second = await SigningMerchant.second(world);
    await world.reset();
    await Merchant.of(world);
    const told = await explained(world, await second.call("GET", "/v2/account/balance"), "UNAUTHORIZED");
    expect(kindsOf(told)).toEqual(["request"]);
  });

  test("a token that is none is told alone", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    merchant.token = "made-up";
    expect(kindsOf(await explained(world, await merchant.call("GET", "/v2/account/balance"), "UNAUTHORIZED"))).toEqual([
      "request",
    ]);
  });

  test("D40 RATE_EXPIRED: the simulation of that account, pair and amount, and the advance", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const other = await SigningMerchant.ofAccount(world, "globex");
    const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
    const simulate = (body: object, by = merchant) => by.call("POST", "/v2/conversions/simulate", body);
    await simulate(pair);
    const meant = await simulate(pair);
    await simulate({ ...pair, amount: 200 });
    await simulate({ ...pair, base_currency: "MXN" });
    await simulate(pair, other);
    await control(world, "POST", "/accounts/acme/fund", { currency: "BRL", amount: "1.00" });
    await world.advance("61s");
    const told = await explained(world, await merchant.convert({ ...pair, external_id: "late" }), "RATE_EXPIRED");
    expect(calls(told)).toEqual(["POST /v2/conversions/simulate", "POST /clock/advance", "POST /v2/conversions/new"]);
    expect(told.chain[0]?.request_id).toBe(idOf(meant));
  });

  test("D14 INVALID_SIGNATURE: the call that had used the nonce, and nothing for another fault of a signature", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
    const nonce = randomUUID();
    const wrong = await merchant.convert(pair, { nonce, sign: () => "0".repeat(64) });
    const first = await merchant.convert({ ...pair, external_id: "first" }, { nonce });
    await merchant.convert({ ...pair, external_id: "between" });
    const again = await merchant.convert({ ...pair, external_id: "again" }, { nonce: nonce.toUpperCase() });
    const told = await explained(world, again, "INVALID_SIGNATURE");
    expect(told.chain.map(({ request_id }) => request_id)).toEqual([idOf(first), idOf(again)]);
    const third = await explained(world, await merchant.convert(pair, { nonce }), "INVALID_SIGNATURE");
    expect(third.chain[0]?.request_id).toBe(idOf(first));
    expect(kindsOf(await explained(world, wrong, "INVALID_SIGNATURE"))).toEqual(["request"]);
    const forged = await merchant.convert(pair, { nonce, sign: () => "0".repeat(64) });
    expect(kindsOf(await explained(world, forged, "INVALID_SIGNATURE"))).toEqual(["request"]);
  });

  test("D51 INFRACTION_NOT_OPEN: what had become of the dispute", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { infractionId: infraction_id } = await openedDispute(world, merchant);
    const answer = { infraction_id, text: "It was delivered.", files: [{ name: "a.pdf", content: pdf }] };
    const replied = await reply(merchant, answer);
    const told = await explained(world, await reply(merchant, answer), "INFRACTION_NOT_OPEN");
    expect(kindsOf(told)).toEqual(["request", "transition", "request"]);
    expect(told.chain[0]?.request_id).toBe(idOf(replied));
  });

  test("D51 INFRACTION_NOT_OPEN: what had become of the dispute of the field, not of one that its text names", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { infractionId: won } = await openedDispute(world, merchant);
    const { infractionId: lost } = await openedDispute(world, merchant);
    await world.disputes.win(won);
    await world.disputes.lose(lost);
    const refused = await reply(merchant, { text: `Delivered, as in ${won}.`, infraction_id: lost });
    const told = await explained(world, refused, "INFRACTION_NOT_OPEN");
    expect(textsOf(told)[1]).toMatch(/^The merchant lost the dispute/);
  });

  test("D53 INFRACTION_NOT_OPEN of a dispute that is left open: the move of the clock past its deadline", async () => {
    const world = await file.world({ settings: { unanswered_dispute: "open" } });
    const merchant = await Merchant.of(world);
    const { infractionId: infraction_id } = await openedDispute(world, merchant);
    const before = await world.explain(infraction_id);
    expect(before.summary).toMatch(/: open\.$/);
    for (const by of ["8d", ...Array(6).fill("1s")]) await world.advance(by);
    await merchant.authenticate();
    const answer = { infraction_id, text: "It was delivered.", files: [{ name: "a.pdf", content: pdf }] };
    const told = await explained(world, await reply(merchant, answer), "INFRACTION_NOT_OPEN");
    expect(textsOf(told).slice(1, -1)).toEqual([
      expect.stringMatching(/^The dispute was opened/),
      'Control call POST /clock/advance with {"by":"8d"}.',
    ]);
    expect((await world.explain(infraction_id)).summary).toMatch(
      /: open\. Its deadline passed at 2026-01-08T12:00:00\.000Z without a reply; the setting unanswered_dispute keeps it open\.$/,
    );
  });
});

/** Gives the merchant's credential limits of its own. */
function limitTo(world: WorldClient, merchant: Merchant, limits: readonly object[]) {
  return control(world, "PATCH", `/credentials/${merchant.clientId}`, { limits });
}

describe("a call that asked for more than was left is told with what had used it up", () => {
  test("D49 LIMIT_EXCEEDED: the change of the limit, and what was made since the day began", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const limit = { daily_limit: "100.00", per_operation_max: "90.00" };
    await limitTo(world, merchant, [{ currency: "BRL", operation: "cashin", ...limit }]);
    await world.act(await chargeOf(merchant, { amount: "20.00" }), "pay");
    await world.advance("24h");
    await merchant.authenticate();
    const counted = await chargeOf(merchant, { amount: "40.00" });
    const canceled = await chargeOf(merchant, { amount: "30.00" });
    await world.act(canceled, "cancel");
    await merchant.cashin({ currency: "MXN", amount: "50.00" });
    const refused = await merchant.cashin({ currency: "BRL", amount: "61.00" });
    const told = await explained(world, refused, "LIMIT_EXCEEDED");
    expect(calls(told)).toEqual([
      `PATCH /credentials/${merchant.clientId}`,
      "POST /v2/transactions/cashin",
      "POST /v2/transactions/cashin",
    ]);
    expect(told.chain.filter(({ kind }) => kind === "transition").map(({ subject }) => subject)).toEqual([counted]);
    expect(told.summary).toContain(`Counted since 2026-01-02T00:00:00.000Z, the latest first: 40.00 of ${counted}.`);
    const tooLarge = await merchant.cashin({ currency: "BRL", amount: "91.00" });
    expect(kindsOf(await explained(world, tooLarge, "LIMIT_EXCEEDED"))).toEqual(["control", "request"]);
  });

  test("D49 LIMIT_EXCEEDED: what another merchant made at the same time is not told", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const other = await SigningMerchant.ofAccount(world, "globex");
    const limits = [{ currency: "BRL", operation: "cashin", daily_limit: "100.00" }];
    await limitTo(world, merchant, limits);
    const own = await chargeOf(merchant, { amount: "40.00" });
    await chargeOf(other, { amount: "30.00" });
    const refused = await merchant.cashin({ currency: "BRL", amount: "61.00" });
    const told = await explained(world, refused, "LIMIT_EXCEEDED");
    expect(told.chain.filter(({ kind }) => kind === "transition").map(({ subject }) => subject)).toEqual([own]);
  });

  test("D49 LIMIT_EXCEEDED: conversions count in the currency that they are from, by the month", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await limitTo(world, merchant, [{ currency: "BRL", operation: "conversion", monthly_limit: "150.00" }]);
    const pair = { amount: 100, base_currency: "BRL", destination_currency: "USDT" };
    const first = await merchant.convert({ ...pair, external_id: "first" });
    await merchant.convert({ ...pair, base_currency: "MXN", external_id: "other" });
    await world.advance("48h");
    await merchant.authenticate();
    const told = await explained(world, await merchant.convert({ ...pair, external_id: "more" }), "LIMIT_EXCEEDED");
    expect(kindsOf(told)).toEqual(["control", "request", "transition", "request"]);
    expect(told.chain[1]?.request_id).toBe(idOf(first));
  });

  test("D49 D52 a conversion that names a currency besides, which is ignored, is told by the one that it is from", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await limitTo(world, merchant, [{ currency: "BRL", operation: "conversion", daily_limit: "20000.00" }]);
    const pair = { base_currency: "BRL", destination_currency: "USDT", currency: "XXX" };
    const made = await merchant.convert({ ...pair, amount: 9000 });
    const limited = await explained(world, await merchant.convert({ ...pair, amount: 11001 }), "LIMIT_EXCEEDED");
    expect(limited.summary).toContain(`the latest first: 9000.00 of ${made.body.data.conversion_id}.`);
    const short = await merchant.convert({ ...pair, currency: "USDT", amount: 1001 });
    const told = await explained(world, short, "INSUFFICIENT_BALANCE");
    expect(told.summary).toContain("What left the balance in BRL, the latest first: 9000.00 of");
  });

  test("D52 INSUFFICIENT_BALANCE: what had left the balance of that currency, the latest of it", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const sent = await merchant.transfer({ username: "globex", currency: "BRL", amount: "9000.00" });
    expect(sent.body).toMatchObject({ success: true });
    await merchant.transfer({ username: "globex", currency: "MXN", amount: "10.00" });
    const refused = await merchant.cashout({ currency: "BRL", amount: "5000.00", key: CPF });
    const told = await explained(world, refused, "INSUFFICIENT_BALANCE");
    expect(kindsOf(told)).toEqual(["request", "transition", "request"]);
    expect(told.chain[0]?.request_id).toBe(idOf(sent));
    expect(told.summary).toContain(
      `What left the balance in BRL, the latest first: 9000.00 of ${told.chain[1]?.subject}.`,
    );
  });

  test("D49 a refusal is told by what was used when it was refused, whatever became of that since", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const limits = [{ currency: "BRL", operation: "cashin", daily_limit: "100.00" }];
    await limitTo(world, merchant, limits);
    const charge = await chargeOf(merchant, { amount: "100.00" });
    const refused = await merchant.cashin({ currency: "BRL", amount: "1.00" });
    const before = await explained(world, refused, "LIMIT_EXCEEDED");
    await world.advance("31m");
    const after = await explained(world, refused, "LIMIT_EXCEEDED");
    expect(before.summary).toContain(`100.00 of ${charge}.`);
    expect(after).toEqual(before);
  });

  test("D49 neither a call that was answered as before nor a change of another limit is what a refusal came of", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const ofCashouts = (currency: string, daily_limit: string) => ({ currency, operation: "cashout", daily_limit });
    const limits = [ofCashouts("BRL", "100.00"), ofCashouts("BTC", "0.5")];
    await limitTo(world, merchant, limits);
    const monday = { currency: "BRL", key: CPF, amount: "60.00", external_id: "monday" };
    await merchant.cashout(monday);
    await world.advance("24h");
    await merchant.authenticate();
    await merchant.cashout(monday);
    const counted = await merchant.cashout({ ...monday, amount: "70.00", external_id: "tuesday" });
    const refused = await merchant.cashout({ ...monday, amount: "50.00", external_id: "more" });
    const told = await explained(world, refused, "LIMIT_EXCEEDED");
    expect(kindsOf(told)).toEqual(["control", "request", "transition", "request"]);
    expect(told.chain[1]?.request_id).toBe(idOf(counted));
    await limitTo(world, merchant, [ofCashouts("BTC", "0.5")]);
    const small = await merchant.cashout({ ...monday, amount: "0.50", external_id: "small" });
    expect(kindsOf(await explained(world, small, "LIMIT_EXCEEDED"))).toEqual(["request"]);
  });

  test("D52 what has come back to the balance before is no reason", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const body = { currency: "BRL", key: CPF };
    const failed = await merchant.cashout({ ...body, amount: "9000.00", external_id: "failed" });
    await world.act(failed.body.data.transaction_id, "fail", { error_code: "PIX_KEY_NOT_FOUND" });
    const sent = await merchant.cashout({ ...body, amount: "100.00", external_id: "sent" });
    const refused = await merchant.cashout({ ...body, amount: "10000.00", external_id: "more" });
    await world.act(sent.body.data.transaction_id, "fail", { error_code: "PIX_KEY_NOT_FOUND" });
    const told = await explained(world, refused, "INSUFFICIENT_BALANCE");
    expect(told.chain.map(({ request_id }) => request_id).filter(Boolean)).toEqual([idOf(sent), idOf(refused)]);
    expect(told.summary).toContain(`the latest first: 100.00 of ${sent.body.data.transaction_id}.`);
  });

  test("D49 an amount that was sent as a number is told in full, however small", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const limits = [{ currency: "BTC", operation: "internal_transfer", daily_limit: "0.6" }];
    await limitTo(world, merchant, limits);
    const pay = (amount: number) => merchant.transfer({ username: "globex", currency: "BTC", amount });
    const { body } = await pay(0.0000001);
    const told = await explained(world, await pay(0.7), "LIMIT_EXCEEDED");
    expect(told.summary).toContain(`the latest first: 0.00000010 of ${body.data.transaction_id}.`);
  });

  test("D49 of more than ten uses the latest ten are told, and that there were others", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const limits = [{ currency: "BRL", operation: "cashin", daily_limit: "100.00" }];
    await limitTo(world, merchant, limits);
    const made: string[] = [];
    for (let amount = 1; amount <= 12; amount++) made.push(await chargeOf(merchant, { amount: String(amount) }));
    const refused = await merchant.cashin({ currency: "BRL", amount: "50.00" });
    const told = await explained(world, refused, "LIMIT_EXCEEDED");
    const shown = told.chain.filter(({ kind }) => kind === "transition").map(({ subject }) => subject);
    expect(shown).toEqual(made.slice(2));
    const uses = made.map((id, index) => `${index + 1}.00 of ${id}`).slice(2);
    expect(told.summary).toContain(`the latest first: ${uses.reverse().join(", ")}, and others before.`);
  });

  test("D43 WALLET_LIMIT_REACHED: the wallets that there are", async () => {
    const terms = { conversion_spread_percentage: "0.50", wallets_per_credential: 2 };
    const world = await file.world({ settings: { fixtures: { terms } } });
    const merchant = await Merchant.of(world);
    const wallet = () => merchant.call("POST", "/v2/transactions/wallet", { currency: "USDT", chain: "tron" });
    const made = [await wallet(), await wallet()];
    const told = await explained(world, await wallet(), "WALLET_LIMIT_REACHED");
    expect(kindsOf(told)).toEqual(["request", "transition", "request", "transition", "request"]);
    expect(
      told.chain
        .filter(({ kind }) => kind === "request")
        .map(({ request_id }) => request_id)
        .slice(0, 2),
    ).toEqual(made.map(idOf));
  });
});
