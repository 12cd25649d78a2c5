/** Readiness check by check: how the merchant calls the service, and what is not held against it. */
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import { startReady } from "../support/command.ts";
import { control } from "../support/control.ts";
import { openedDispute, pdfOf, reply } from "../support/disputes.ts";
import { expectLost, inject, removeFaults, textOf } from "../support/faults.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { rawRequest } from "../support/raw-request.ts";
import { checkIn, idOf, judgedOf, verdictOf } from "../support/readiness.ts";
import { useSandbox } from "../support/sandbox.ts";
import { SigningMerchant } from "../support/signing.ts";
import { headOf, openSocket } from "../support/socket.ts";
import { StoppedWall } from "../support/stopped-wall.ts";

const file = useSandbox();

const BALANCE = "/v2/account/balance";
const CASHIN = "/v2/transactions/cashin";
const PAYOUT = { currency: "BRL", amount: "1.00", key: "12345678909" };
const NONCE = "aaaaaaaa-1111-4111-8111-111111111111";

const order = (external_id: string, more: object = {}) => ({ currency: "BRL", amount: "10.00", external_id, ...more });

/** A merchant whose calls are answered 429 with Retry-After 1, so many of them. */
async function limited(world: WorldClient, path: string, times: number, injected: object = { status: 429 }) {
  const merchant = await Merchant.of(world);
  await inject(world, { request: `* ${path}`, inject: injected, times });
  return merchant;
}

/** Uses up the window of the fees. @returns the answer of the call that is one too many. */
async function exceedFees(merchant: Merchant): Promise<Answer> {
  const fees = () => merchant.call("GET", "/v2/account/fees");
  for (let count = 0; count < 60; count++) await fees();
  return fees();
}

/** Makes a merchant one with several workers: on connections that are there, its calls are under way at the same time. */
async function crowd(merchant: Merchant): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await Promise.all(["a", "b", "c", "d"].map((name) => merchant.call("GET", `${BALANCE}?currency=BRL&${name}`)));
  }
}

describe("AUTH-02 token-reused", () => {
  test("one token for many calls passes, and so does a new one shortly before its end and after it", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const after of ["1s", "56m", "2h"]) {
      await merchant.call("GET", BALANCE);
      await world.advance(after);
      await merchant.authenticate();
    }
    expect(await verdictOf(world, "token-reused")).toBe("warn");
    const patient = await file.world();
    const other = await Merchant.of(patient);
    for (const after of ["56m", "2h"]) {
      await other.call("GET", BALANCE);
      await patient.advance(after);
      await other.authenticate();
    }
    expect(await verdictOf(patient, "token-reused")).toBe("pass");
  });

  test("a token for each call fails", async () => {
    const world = await file.world();
    const fetches: (string | null)[] = [];
    for (let count = 0; count < 3; count++) {
      const merchant = new Merchant(world, world.credentials);
      fetches.push(idOf(await merchant.authenticate()));
      await merchant.call("GET", BALANCE);
    }
    expect(await judgedOf(world, "token-reused")).toEqual(["fail", fetches.slice(1)]);
  });

  test("one that is kept for most of its life is kept, however few calls it serves", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 4; count++) {
      await merchant.call("GET", BALANCE);
      await world.advance("50m");
      await merchant.authenticate();
    }
    expect(await verdictOf(world, "token-reused")).toBe("pass");
  });

  test.each([
    [3, 2, "pass"],
    [4, 2, "warn"],
    [10, 3, "pass"],
    [11, 3, "warn"],
    [11, 9, "warn"],
    [11, 10, "pass"],
  ])("a token for each of %i orders, which take %i calls each: %s", async (tokens, calls, verdict) => {
    const world = await file.world();
    for (let count = 0; count < tokens; count++) {
      const merchant = await Merchant.of(world);
      for (let made = 0; made < calls; made++) await merchant.call("GET", BALANCE);
      await world.advance("3s");
    }
    expect(await verdictOf(world, "token-reused")).toBe(verdict);
  });

  test("several workers may each have one, and each credential has its own", async () => {
    const world = await file.world();
    const workers = await Promise.all(Array.from({ length: 4 }, () => Merchant.of(world)));
    workers.push(await SigningMerchant.second(world));
    for (const worker of workers) for (let count = 0; count < 3; count++) await worker.call("GET", BALANCE);
    expect(await verdictOf(world, "token-reused")).toBe("pass");
  });

  test("a token that was refused is replaced, and one whose answer was lost never was one", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) {
      await inject(world, { request: `GET ${BALANCE}`, inject: { error: "UNAUTHORIZED" }, times: 1 });
      expect((await merchant.call("GET", BALANCE)).status).toBe(401);
      await inject(world, { request: "POST /v2/oauth/token", inject: { disconnect: "after" }, times: 1 });
      await expectLost(merchant.authenticate());
      await merchant.authenticate();
      await merchant.call("GET", BALANCE);
    }
    expect(await verdictOf(world, "token-reused")).toBe("pass");
  });

  test("a token for each call fails too where answers are held back", async () => {
    const world = await file.world();
    await inject(world, { request: "* /v2/*", inject: { latency: "5ms" } });
    for (let count = 0; count < 3; count++) await (await Merchant.of(world)).call("GET", BALANCE);
    expect(await verdictOf(world, "token-reused")).toBe("fail");
  });

  test("a token that was not waited for, as another was asked for before it came, never was one", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) {
      await inject(world, { request: `GET ${BALANCE}`, inject: { error: "UNAUTHORIZED" }, times: 1 });
      expect((await merchant.call("GET", BALANCE)).status).toBe(401);
      await inject(world, { request: "POST /v2/oauth/token", inject: { latency: "10m" }, times: 1 });
      const made = (await world.requests()).length;
      const patience = new AbortController();
      const body = JSON.stringify({ client_id: merchant.clientId, client_secret: merchant.clientSecret });
      const headers = { "Content-Type": "application/json" };
      const init = { method: "POST", headers, body, signal: patience.signal };
      const unanswered = fetch(`${world.baseUrl}/v2/oauth/token`, init).catch(() => null);
      await expect.poll(async () => (await world.requests()).length).toBe(made + 1);
      patience.abort();
      expect(await unanswered).toBeNull();
      await merchant.authenticate();
      await merchant.call("GET", BALANCE);
    }
    expect(await verdictOf(world, "token-reused")).toBe("pass");
  });

  test("a token that ended is replaced after one refusal; who goes on with it is warned", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await merchant.call("GET", BALANCE);
    await world.advance("1h");
    expect((await merchant.call("GET", BALANCE)).status).toBe(401);
    expect(await verdictOf(world, "token-reused")).toBe("pass");
    const again: Answer[] = [];
    for (const path of [BALANCE, "/v2/account/limits"]) {
      await world.advance("1m");
      again.push(await merchant.call("GET", path));
    }
    expect(await judgedOf(world, "token-reused")).toEqual(["warn", again.map(idOf)]);
    expect(checkIn(await world.report(), "token-reused").detail).toBe(
      "After the last token had expired, 2 more calls followed one that was refused; no new token was asked for in between.",
    );
  });

  test("each credential of one program learns by a refusal of its own that its token has ended", async () => {
    const world = await file.world();
    const merchants = [await Merchant.of(world), await SigningMerchant.ofAccount(world, "globex")];
    for (let count = 0; count < 3; count++) for (const merchant of merchants) await merchant.call("GET", BALANCE);
    await world.advance("1h");
    const callAll = async () => {
      const answers: Answer[] = [];
      for (const merchant of merchants) {
        answers.push(await merchant.call("GET", BALANCE));
        await world.advance("1m");
      }
      return answers.map(idOf);
    };
    await callAll();
    expect(await verdictOf(world, "token-reused")).toBe("pass");
    const late = await callAll();
    expect(await judgedOf(world, "token-reused")).toEqual(["warn", late]);
  });

  test.each([
    ["is warned a second later", 1, 1_000, "warn"],
    ["is not, however fast the clock runs, before a program can have acted on the first refusal", 1_000, 5, "pass"],
    ["is warned later", 1_000, 1_000, "warn"],
  ])("another worker whose token ended, too, %s (speed %i, after %i ms)", async (_title, speed, waitMs, verdict) => {
    using wall = new StoppedWall();
    const world = await file.world({ clock: { mode: "running", speed } });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await merchant.call("GET", BALANCE);
    await world.advance("1h");
    const headers = { Authorization: `Bearer ${merchant.token}` };
    const askAlone = async () => (await rawRequest(world.baseUrl, "GET", BALANCE, headers)).status;
    expect(await askAlone()).toBe(401);
    wall.pass(waitMs);
    expect(await askAlone()).toBe(401);
    expect(await verdictOf(world, "token-reused")).toBe(verdict);
    await world.setClock({ mode: "frozen" });
    expect(await verdictOf(world, "token-reused")).toBe(verdict);
  });

  test("who brings no token at all has none that ended", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 3; count++) await merchant.call("GET", BALANCE);
    await world.advance("3h");
    for (let count = 0; count < 3; count++) {
      expect((await fetch(`${world.baseUrl}${BALANCE}`)).status).toBe(401);
      await world.advance("1m");
    }
    expect(await verdictOf(world, "token-reused")).toBe("pass");
  });

  test("what is refused before a token ends, or by a rule, or while none is to be had, tells nothing of its end", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const right = merchant.token;
    merchant.token = "wrong";
    for (let count = 0; count < 2; count++) await merchant.call("GET", BALANCE);
    merchant.token = right;
    for (let count = 0; count < 2; count++) await merchant.call("GET", BALANCE);
    await inject(world, { request: "POST /v2/oauth/token", inject: { status: 503 } });
    await world.advance("1h");
    for (let count = 0; count < 2; count++) {
      expect((await merchant.call("GET", BALANCE)).status).toBe(401);
      await merchant.authenticate();
    }
    expect(await verdictOf(world, "token-reused")).toBe("pass");
  });

  test("what the sandbox does in the merchant's place is not judged", async () => {
    const world = await file.world({ postback_url: "sandbox://inbox" });
    for (let count = 0; count < 4; count++) await world.trigger("cashin.confirmed");
    expect((await world.report()).verdict).toBe("not_observed");
  });
});

describe("external-id", () => {
  test("TX-04 what was refused for coming too often is to have one too", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 1);
    const nameless = await merchant.cashin({ currency: "BRL", amount: "10.00" });
    expect(await judgedOf(world, "external-id")).toEqual(["fail", [idOf(nameless)]]);
  });

  test("is asked of what moved money, not of what was refused or could not be read", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.call("POST", CASHIN, "{", { "Content-Type": "application/json" });
    await merchant.cashin({ currency: "XYZ", amount: "10.00" });
    await merchant.cashout({ ...PAYOUT, amount: "99999999.00" });
    expect(await verdictOf(world, "external-id")).toBe("not_observed");
    await merchant.cashin(order("order-1"));
    expect(await verdictOf(world, "external-id")).toBe("pass");
    const nameless = [await merchant.cashin({ currency: "BRL", amount: "10.00" }), await merchant.cashout(PAYOUT)];
    expect(await judgedOf(world, "external-id")).toEqual(["fail", nameless.map(idOf)]);
  });
});

describe("ERR-12 same-body-on-retry", () => {
  test("large bodies are held to the same", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const note = "x".repeat(70_000);
    const without = await merchant.cashin({ currency: "BRL", amount: "10.00", note });
    expect(await judgedOf(world, "external-id")).toEqual(["fail", [idOf(without)]]);
    await merchant.cashin(order("order-1", { note }));
    const changed = await merchant.cashin(order("order-1", { note: `${note}.` }));
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["fail", [idOf(changed)]]);
  });

  test("the order of keys makes no difference", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 1, { status: 503 });
    await merchant.cashin(order("order-1"));
    const again = await merchant.cashin({ external_id: "order-1", amount: "10.00", currency: "BRL" });
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["pass", [idOf(again)]]);
  });

  test("a body that changes fails, be it that the first call never came to be carried out", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 1, { disconnect: "before" });
    await expectLost(merchant.cashin(order("order-1")));
    const changed = await merchant.cashin(order("order-1", { amount: 10 }));
    expect(changed.status).toBe(200);
    const duplicate = await merchant.cashin(order("order-1", { amount: "11.00" }));
    expect(duplicate.status).toBe(409);
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["fail", [idOf(changed), idOf(duplicate)]]);
  });

  test("an order that was refused may be put right, and a refusal that a rule injects proves nothing", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await merchant.cashin(order("order-1", { currency: "XYZ" }));
    await merchant.cashin(order("order-1"));
    await inject(world, { request: "* /v2/*", inject: { error: "DUPLICATE_EXTERNAL_ID" }, times: 1 });
    expect((await merchant.cashin(order("order-2"))).status).toBe(409);
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
  });

  test("an answer that is cut in half shows by its status that an order was refused, or carried out", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 2, { malformed: true });
    expect((await textOf(merchant, "POST", CASHIN, order("order-1", { currency: "XYZ" }))).status).toBe(422);
    expect((await textOf(merchant, "POST", CASHIN, order("order-1"))).status).toBe(200);
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
    const duplicate = await merchant.cashin(order("order-1", { amount: "11.00" }));
    expect(duplicate.status).toBe(409);
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["fail", [idOf(duplicate)]]);
  });

  test("answers that are held back make no difference to that, nor to what is asked of a refused call", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 100, { latency: "5ms" });
    await merchant.cashin({ currency: "XYZ", amount: "10.00" });
    expect(await verdictOf(world, "external-id")).toBe("not_observed");
    await merchant.cashin(order("order-1", { currency: "XYZ" }));
    await merchant.cashin(order("order-1"));
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
    const duplicate = await merchant.cashin(order("order-1", { amount: "11.00" }));
    expect(duplicate.status).toBe(409);
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["fail", [idOf(duplicate)]]);
  });
});

describe("same-body-on-retry, under another external_id", () => {
  const payout = (external_id: string) => ({ ...PAYOUT, external_id });
  const UNKNOWN = [{ error: "PROVIDER_ERROR" }, { status: 503 }, { malformed: true }, { disconnect: "after" }];

  test.each(UNKNOWN)("a payment whose outcome is not known is not made anew: %j", async (injected) => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: injected, times: 1 });
    await merchant.cashout(payout("pay-1")).catch(() => null);
    await world.advance("1s");
    const renamed = await merchant.cashout(payout("pay-2"));
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["warn", [idOf(renamed)]]);
    await world.advance("1s");
    await merchant.cashout(payout("pay-1"));
    expect(await verdictOf(world, "same-body-on-retry")).toBe("pass");
  });

  test("a payment whose answer is not waited for is not made anew, and one that was waited for may be followed", async () => {
    const transfer = (external_id: string) => ({ username: "globex", currency: "BRL", amount: 5, external_id });
    const late = (latency: string) => ({
      request: "POST /v2/internal_transfers/payment",
      inject: { latency },
      times: 1,
    });
    const patient = await file.world();
    const waiting = await SigningMerchant.ofAccount(patient);
    await inject(patient, late("5ms"));
    for (const id of ["pay-1", "pay-2"]) await waiting.transfer(transfer(id));
    expect(await verdictOf(patient, "same-body-on-retry")).toBe("not_observed");
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, late("10m"));
    const leaving = new AbortController();
    const lost = fetch(`${world.baseUrl}/v2/internal_transfers/payment`, {
      method: "POST",
      headers: { Authorization: `Bearer ${merchant.token}`, "Content-Type": "application/json" },
      body: JSON.stringify(transfer("pay-1")),
      signal: leaving.signal,
    }).catch(() => null);
    await expect.poll(async () => (await world.requests()).length).toBe(2);
    leaving.abort();
    await lost;
    await world.requests();
    const renamed = await merchant.transfer(transfer("pay-2"));
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["warn", [idOf(renamed)]]);
  });

  test("once a payment that was made anew is carried out, another one of the same fields is none of that", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { status: 503 }, times: 1 });
    await merchant.cashout(payout("pay-1"));
    const renamed = await merchant.cashout(payout("pay-2"));
    await merchant.cashout(payout("pay-3"));
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["warn", [idOf(renamed)]]);
  });

  test.each(["pay-2", "pay-3"])(
    "a payment that is made anew as %s is so, though pay-2 was refused before",
    async (id) => {
      const world = await file.world();
      const merchant = await SigningMerchant.ofAccount(world);
      await inject(world, { request: "* /v2/*", inject: { status: 503 }, times: 1 });
      await merchant.cashout(payout("pay-1"));
      await inject(world, { request: "* /v2/*", inject: { status: 429 }, times: 1 });
      await merchant.cashout(payout("pay-2"));
      await world.advance("1s");
      const renamed = await merchant.cashout(payout(id));
      expect(await judgedOf(world, "same-body-on-retry")).toEqual(["warn", [idOf(renamed)]]);
    },
  );

  test("a payment that is made anew is so, though one in between was refused late", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const pay = (external_id: string) =>
      merchant.transfer({ username: "globex", currency: "BRL", amount: 20_000, external_id });
    await inject(world, { request: "* /v2/*", inject: { status: 503 }, times: 1 });
    await pay("pay-1");
    await inject(world, { request: "* /v2/*", inject: { latency: "1ms" }, times: 1 });
    expect((await pay("pay-2")).body.error.code).toBe("INSUFFICIENT_BALANCE");
    await control(world, "POST", "/accounts/acme/fund", { currency: "BRL", amount: "20000.00" });
    const renamed = await pay("pay-3");
    expect(renamed.status).toBe(200);
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["warn", [idOf(renamed)]]);
  });

  test("an order that had been refused before is one of its own", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    for (const [id, status] of [
      ["pay-2", 429],
      ["pay-1", 503],
    ]) {
      await inject(world, { request: "* /v2/*", inject: { status }, times: 1 });
      await merchant.cashout(payout(String(id)));
    }
    await world.advance("1s");
    await merchant.cashout(payout("pay-2"));
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
  });

  test("what had been paid under its own external_id before repeats itself, not a payment whose outcome is not known", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.cashout(payout("pay-1"));
    await inject(world, { request: "* /v2/*", inject: { status: 503 }, times: 1 });
    await merchant.cashout(payout("pay-2"));
    const again = await merchant.cashout(payout("pay-1"));
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["pass", [idOf(again)]]);
  });

  test("several workers may mean to pay the same twice", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await crowd(merchant);
    await inject(world, { request: "POST /v2/transactions/cashout", inject: { status: 503 } });
    const orders = ["pay-1", "pay-2", "pay-3", "pay-4"];
    const answers = await Promise.all(orders.map((id) => merchant.cashout(payout(id))));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
  });

  test("a body that is nested deeper than any that is read is none, though a fault had it answered", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { status: 503 } });
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    for (const external_id of ["pay-1", "pay-2"]) {
      const text = JSON.stringify({ ...payout(external_id), note: 0 }).replace('"note":0', `"note":${deep}`);
      expect((await merchant.signed("/v2/transactions/cashout", text)).status).toBe(503);
    }
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
    expect(await world.requests()).toHaveLength(3);
  });

  test("a refusal that is cut in half is known by its status: the order may be made anew", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const large = (external_id: string) => ({ username: "globex", currency: "BRL", amount: 99_999_999, external_id });
    await inject(world, { request: "* /v2/*", inject: { malformed: true }, times: 1 });
    const path = "/v2/internal_transfers/payment";
    expect((await textOf(merchant, "POST", path, large("pay-1"))).status).toBe(409);
    await inject(world, { request: "* /v2/*", inject: { disconnect: "after" }, times: 1 });
    await expectLost(merchant.transfer(large("pay-2")));
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
  });

  test("what was refused, was carried out, is another payment, or comes much later is none of that", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.cashout(payout("pay-1"));
    await inject(world, { request: "* /v2/*", inject: { error: "LIMIT_EXCEEDED" }, times: 1 });
    await merchant.cashout(payout("pay-2"));
    await merchant.cashout(payout("pay-3"));
    await inject(world, { request: "* /v2/*", inject: { status: 503 }, times: 1 });
    await merchant.cashout(payout("pay-4"));
    await merchant.cashout({ ...payout("pay-5"), amount: "2.00" });
    await world.advance("2m");
    await merchant.cashout(payout("pay-6"));
    expect(await verdictOf(world, "same-body-on-retry")).toBe("not_observed");
  });
});

describe("fresh-nonce and signature", () => {
  test("a nonce of its own for each passes; one used again fails within five minutes, and is warned of later", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.cashout(PAYOUT, { nonce: NONCE });
    expect(await verdictOf(world, "fresh-nonce")).toBe("not_observed");
    await merchant.cashout(PAYOUT);
    expect(await verdictOf(world, "fresh-nonce")).toBe("pass");
    await world.advance("5m");
    const later = await merchant.cashout(PAYOUT, { nonce: NONCE.toUpperCase() });
    expect(later.status).toBe(202);
    expect(await judgedOf(world, "fresh-nonce")).toEqual(["warn", [idOf(later)]]);
    const soon = await merchant.cashout(PAYOUT, { nonce: NONCE });
    expect(soon.status).toBe(401);
    expect(await judgedOf(world, "fresh-nonce")).toEqual(["fail", [idOf(soon)]]);
    expect(await verdictOf(world, "signature")).toBe("pass");
  });

  test("D14 one that a wrongly signed call had is not used up, but no nonce of the next call's own either", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.cashout(PAYOUT, { nonce: NONCE, sign: () => "0".repeat(64) });
    const again = await merchant.cashout(PAYOUT, { nonce: NONCE });
    expect(again.status).toBe(202);
    expect(await judgedOf(world, "fresh-nonce")).toEqual(["warn", [idOf(again)]]);
    await merchant.cashout(PAYOUT, { nonce: NONCE });
    expect(await verdictOf(world, "fresh-nonce")).toBe("fail");
  });

  test("D14 a nonce that was used up stays so, whatever wrongly signed call had it since", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await merchant.cashout(PAYOUT, { nonce: NONCE });
    const forged = await merchant.cashout(PAYOUT, { nonce: NONCE, sign: () => "0".repeat(64) });
    const again = await merchant.cashout(PAYOUT, { nonce: NONCE });
    expect(await judgedOf(world, "fresh-nonce")).toEqual(["fail", [forged, again].map(idOf)]);
  });

  test("D14 a nonce that was used up is free again after five minutes, whatever was refused for it meanwhile", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const answers: Answer[] = [];
    for (const wait of ["3m", "2m6s", "1s"]) {
      answers.push(await merchant.cashout(PAYOUT, { nonce: NONCE }));
      await world.advance(wait);
    }
    expect(answers.map(({ status }) => status)).toEqual([202, 401, 202]);
    expect(await judgedOf(world, "fresh-nonce")).toEqual(["fail", answers.slice(1, 2).map(idOf)]);
  });

  test("D14 each credential has its own nonces", async () => {
    const world = await file.world();
    for (const merchant of [await SigningMerchant.ofAccount(world), await SigningMerchant.second(world)]) {
      expect((await merchant.cashout(PAYOUT, { nonce: NONCE })).status).toBe(202);
    }
    expect(await verdictOf(world, "fresh-nonce")).toBe("pass");
  });

  test("ERR-01 ERR-02 wrong, missing and stale signatures fail, injected refusals do not", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { error: "INVALID_SIGNATURE" }, times: 1 });
    expect((await merchant.cashout(PAYOUT)).status).toBe(401);
    expect(await verdictOf(world, "signature")).toBe("pass");
    const wrong = [
      await merchant.cashout(PAYOUT, { sign: () => "0".repeat(64) }),
      await merchant.call("POST", "/v2/transactions/cashout", PAYOUT),
      await merchant.cashout(PAYOUT, { timestamp: 1_000_000_000 }),
      await merchant.cashout(PAYOUT, { nonce: "1" }),
    ];
    expect(await judgedOf(world, "signature")).toEqual(["fail", wrong.map(idOf)]);
    expect(await verdictOf(world, "fresh-nonce")).toBe("pass");
  });
});

/** A world of a sandbox in this process, and one of a sandbox in another. */
const places: readonly [string, () => Promise<WorldClient>][] = [
  ["in this process", () => file.world()],
  [
    "in a process of its own",
    async () => {
      const { ready } = await startReady(["--clock", "frozen", "--scenario", "none"]);
      return (await connectSandbox(ready.base_url)).defaultWorld();
    },
  ],
];

describe.each(places)("a sandbox %s", (_where, makeWorld) => {
  test("ERR-17 what repeats a call before Retry-After has passed fails, what waits passes", async () => {
    const world = await makeWorld();
    const merchant = await limited(world, BALANCE, 3);
    const calls: Answer[] = [];
    for (let count = 0; count < 3; count++) calls.push(await merchant.call("GET", BALANCE));
    await world.advance("1s");
    expect((await merchant.call("GET", BALANCE)).status).toBe(200);
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", calls.slice(1).map(idOf)]);
  });

  test("ERR-17 what goes on with other orders fails too", async () => {
    const world = await makeWorld();
    const merchant = await limited(world, CASHIN, 1);
    const [, ...others] = [
      await merchant.cashin(order("order-1")),
      await merchant.cashin(order("order-2")),
      await merchant.cashin(order("order-3")),
    ];
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", others.map(idOf)]);
  });

  test("ERR-17 ERR-18 what was under way when the refusal came is not held against anybody", async () => {
    for (const status of [429, 503]) {
      const world = await makeWorld();
      const merchant = await limited(world, BALANCE, 12, { status });
      const answers = await Promise.all(Array.from({ length: 12 }, () => merchant.call("GET", BALANCE)));
      expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(status));
      expect(await verdictOf(world, status === 429 ? "retry-after" : "backoff")).toBe("not_observed");
      await world.advance("1s");
      await merchant.call("GET", BALANCE);
      expect(await verdictOf(world, status === 429 ? "retry-after" : "backoff")).toBe("pass");
    }
  });

  test("ERR-18 a call that is repeated at once fails, one that backs off passes", async () => {
    const world = await makeWorld();
    const merchant = await limited(world, BALANCE, 2, { error: "PROVIDER_ERROR" });
    await merchant.call("GET", BALANCE);
    const early = await merchant.call("GET", BALANCE);
    expect(await judgedOf(world, "backoff")).toEqual(["fail", [idOf(early)]]);
  });
});

describe("ERR-17 retry-after", () => {
  test("D16 the block of a credential is waited for at every endpoint", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 15; count++) await merchant.cashin({});
    expect((await merchant.call("GET", BALANCE)).status).toBe(429);
    expect(await verdictOf(world, "retry-after")).toBe("not_observed");
    const other = await merchant.call("GET", "/v2/account/fees");
    expect(other.status).toBe(429);
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(other)]]);
    await world.advance("5m");
    const patient = await merchant.call("GET", "/v2/account/limits");
    expect(patient.status).toBe(200);
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(other)]]);
  });

  test("D16 so is one that a 429 began, which said how long it lasts", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 14; count++) await merchant.cashin({});
    expect((await exceedFees(merchant)).headers.get("retry-after")).toBe("300");
    const other = await merchant.call("GET", BALANCE);
    expect(other.status).toBe(429);
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(other)]]);
  });

  test("D16 so is one that a 429 of a fault rule began", async () => {
    const world = await file.world();
    const merchant = await limited(world, BALANCE, 15);
    for (let count = 0; count < 14; count++) await merchant.cashin({});
    expect((await merchant.call("GET", BALANCE)).headers.get("retry-after")).toBe("300");
    const other = await merchant.call("GET", "/v2/account/fees");
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(other)]]);
  });

  test("D16 where its own window lasts longer, that is waited for at its endpoint alone", async () => {
    const world = await file.world({ settings: { credential_block: "1s" } });
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 14; count++) await merchant.cashin({});
    expect((await exceedFees(merchant)).headers.get("retry-after")).toBe("60");
    await world.advance("1s");
    expect((await merchant.call("GET", BALANCE)).status).toBe(200);
    expect(await verdictOf(world, "retry-after")).toBe("not_observed");
  });

  test("D16 once the block is over, a window that is used up is waited for at its endpoint alone", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 15; count++) await merchant.cashin({});
    await world.advance("5m");
    expect((await exceedFees(merchant)).status).toBe(429);
    expect((await merchant.call("GET", BALANCE)).status).toBe(200);
    expect(await verdictOf(world, "retry-after")).toBe("not_observed");
  });

  test("each endpoint and each credential has its own", async () => {
    const world = await file.world();
    const merchant = await limited(world, BALANCE, 1);
    await merchant.call("GET", BALANCE);
    await merchant.call("GET", "/v2/account/limits");
    await (await SigningMerchant.second(world)).call("GET", BALANCE);
    expect(await verdictOf(world, "retry-after")).toBe("not_observed");
  });

  test("so has each client that has no token yet, on one address", async () => {
    const world = await file.world();
    await inject(world, { request: "POST /v2/oauth/token", inject: { status: 429 }, times: 2 });
    for (const clientId of ["one", "other"]) {
      expect((await new Merchant(world, { clientId, clientSecret: "secret" }).authenticate()).status).toBe(429);
    }
    expect(await verdictOf(world, "retry-after")).toBe("not_observed");
  });

  test("the window of the rate table is waited for by the world's clock", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const transfer = (id: string) =>
      merchant.call("POST", "/v2/internal_transfers/payment", { username: "globex", ...order(id, { amount: "1.00" }) });
    for (let count = 1; count <= 10; count++) await transfer(`transfer-${count}`);
    const refused = await transfer("transfer-11");
    expect(refused.headers.get("retry-after")).toBe("60");
    await world.advance("60s");
    const patient = await transfer("transfer-11");
    expect(await judgedOf(world, "retry-after")).toEqual(["pass", [idOf(patient)]]);
  });

  test("a timer may be a tenth of a second out, and what comes after the wait is a matter of its own", async () => {
    const world = await file.world();
    const merchant = await limited(world, BALANCE, 1);
    await merchant.call("GET", BALANCE);
    await world.advance("900ms");
    const patient = await merchant.call("GET", BALANCE);
    expect(await judgedOf(world, "retry-after")).toEqual(["pass", [idOf(patient)]]);
    await world.advance("1h");
    await merchant.authenticate();
    await merchant.call("GET", BALANCE);
    expect(await judgedOf(world, "retry-after")).toEqual(["pass", [idOf(patient)]]);
  });

  test("who comes a second too early has not waited, however long the wait was to be", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const profile = () => merchant.call("GET", "/v2/account/info/profile");
    for (let count = 1; count <= 60; count++) await profile();
    expect((await profile()).headers.get("retry-after")).toBe("60");
    await world.advance("59s");
    const early = await profile();
    expect(early.status).toBe(429);
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(early)]]);
  });

  test("several workers: the very order that was refused fails, other calls are doubtful", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 2);
    await crowd(merchant);
    await merchant.cashin(order("order-1"));
    await merchant.cashin(order("order-2"));
    expect(await verdictOf(world, "retry-after")).toBe("warn");
    const repeated = await merchant.cashin(order("order-1"));
    expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(repeated)]]);
  });
});

const behind = useSandbox({ trustProxy: true });

test("ERR-17 behind a proxy, whose connections tell nothing, only the very same order counts", async () => {
  const world = await behind.world();
  const merchant = await limited(world, CASHIN, 2);
  await merchant.cashin(order("order-1"));
  await merchant.cashin(order("order-2"));
  expect(await verdictOf(world, "retry-after")).toBe("not_observed");
  const repeated = await merchant.cashin(order("order-1"));
  expect(await judgedOf(world, "retry-after")).toEqual(["fail", [idOf(repeated)]]);
});

describe("ERR-18 backoff", () => {
  test("an order is tried again after 1, 2, 4 and 8 s, and a new series may begin at 1 s", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 7, { status: 503 });
    for (const wait of ["1s", "2s", "4s", "8s", "8s", "40s", "1s"]) {
      expect((await merchant.cashin(order("order-1"))).status).toBe(503);
      await world.advance(wait);
    }
    expect((await merchant.cashin(order("order-1"))).status).toBe(200);
    const [verdict, evidence] = await judgedOf(world, "backoff");
    expect([verdict, evidence.length]).toEqual(["pass", 7]);
  });

  test.each([
    ["second", ["1s", "1s"]],
    ["third", ["1s", "2s", "3s"]],
    ["fourth", ["1s", "2s", "4s", "7s"]],
  ])("the %s retry must wait twice as long as the one before", async (_which, waits) => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, waits.length, { status: 502 });
    let last = await merchant.cashin(order("order-1"));
    for (const wait of waits) {
      await world.advance(wait);
      last = await merchant.cashin(order("order-1"));
    }
    expect(await judgedOf(world, "backoff")).toEqual(["fail", [idOf(last)]]);
  });

  test.each([
    ["always after 1 s", ["1s", "1s", "1s", "1s"], ["warn", 3]],
    ["every 300 ms, and once after a minute", ["300ms", "300ms", "1m"], ["warn", 2]],
    ["after 1, 2 and 4 s", ["1s", "2s", "4s"], ["pass", 3]],
    ["at once, among others", ["1s", "1s", "100ms"], ["fail", 1]],
  ])("what has no external_id and is asked for again %s", async (_how, waits, expected) => {
    const world = await file.world();
    const merchant = await limited(world, BALANCE, waits.length + 1, { error: "PROVIDER_ERROR" });
    await merchant.call("GET", BALANCE);
    for (const wait of waits) {
      await world.advance(wait);
      await merchant.call("GET", BALANCE);
    }
    const [verdict, evidence] = await judgedOf(world, "backoff");
    expect([verdict, evidence.length]).toEqual(expected);
  });

  test("what has succeeded since begins anew, and may be tried again after 1 s", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 2; count++) {
      await inject(world, { request: `GET ${BALANCE}`, inject: { status: 503 }, times: 1 });
      expect((await merchant.call("GET", BALANCE)).status).toBe(503);
      await world.advance("1s");
      expect((await merchant.call("GET", BALANCE)).status).toBe(200);
    }
    expect(await verdictOf(world, "backoff")).toBe("pass");
  });

  test("what began to come before a reset was not sent after a refusal that was given since", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const charge = { currency: "BRL", amount: 5 };
    const [body, { pathname }] = [JSON.stringify(charge), new URL(world.baseUrl)];
    const own = { Authorization: `Bearer ${merchant.token}`, "Content-Type": "application/json" };
    const head = headOf(world.baseUrl, "POST", pathname + CASHIN, { ...own, "Content-Length": String(body.length) });
    const socket = await openSocket(world.baseUrl);
    onTestFinished(() => void socket.destroy());
    for (let count = 0; count < 3; count++) {
      socket.write(head + body);
      await once(socket, "data");
    }
    socket.write(head + body.slice(0, 1));
    await world.clock();

    await world.reset();
    await inject(world, { request: `* ${CASHIN}`, inject: { status: 503 }, times: 1 });
    expect((await merchant.cashin(charge)).status).toBe(503);
    socket.write(body.slice(1));
    await once(socket, "data");
    expect(await world.transactions.list()).toHaveLength(1);
    expect(await verdictOf(world, "backoff")).toBe("not_observed");
  });

  test("what several workers ask for at once, without an external_id, may be asked for by another one", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await crowd(merchant);
    await inject(world, { request: `* ${BALANCE}`, inject: { status: 503 }, times: 1 });
    expect((await merchant.call("GET", BALANCE)).status).toBe(503);
    await merchant.call("GET", BALANCE);
    expect(await verdictOf(world, "backoff")).toBe("not_observed");
  });

  test.each([
    ["at once", ["1ms", "1ms", "1ms"], "warn", [0, 1, 2]],
    ["always after 1 s", ["1s", "1s", "1s"], "warn", [1, 2]],
    ["after 1, 2 and 4 s", ["1s", "2s", "4s"], "pass", [0, 1, 2]],
  ])("what is tried again under new external_ids %s may be one series", async (_how, waits, verdict, named) => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { error: "PROVIDER_ERROR" }, times: 3 });
    await merchant.cashout({ ...PAYOUT, external_id: "pay-1" });
    const tries: (string | null)[] = [];
    for (const wait of waits) {
      await world.advance(wait);
      tries.push(idOf(await merchant.cashout({ ...PAYOUT, external_id: `pay-1-try${tries.length + 1}` })));
    }
    expect(await judgedOf(world, "backoff")).toEqual([verdict, named.map((index) => tries[index])]);
    expect(await judgedOf(world, "same-body-on-retry")).toEqual(["warn", tries]);
  });

  test("a new external_id that is tried again at once is no other order", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { error: "PROVIDER_ERROR" }, times: 2 });
    for (const external_id of ["pay-1", "pay-2"]) await merchant.cashout({ ...PAYOUT, external_id });
    const early = await merchant.cashout({ ...PAYOUT, external_id: "pay-2" });
    expect(await judgedOf(world, "backoff")).toEqual(["fail", [idOf(early)]]);
  });

  test("a payment of the same fields is none of a series that goes on under its own external_id", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { error: "PROVIDER_ERROR" }, times: 1 });
    await merchant.cashout({ ...PAYOUT, external_id: "pay-1" });
    await merchant.cashout({ ...PAYOUT, external_id: "pay-2" });
    await world.advance("1s");
    const again = await merchant.cashout({ ...PAYOUT, external_id: "pay-1" });
    expect(await judgedOf(world, "backoff")).toEqual(["pass", [idOf(again)]]);
  });

  test("a reply to a dispute that is sent again is known, though each form has another boundary", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { infractionId: infraction_id } = await openedDispute(world, merchant);
    await inject(world, { request: "POST /v2/account/infractions/reply", inject: { status: 503 } });
    await reply(merchant, { infraction_id, text: "It was delivered." });
    await reply(merchant, { infraction_id, text: "It was not." });
    expect(await verdictOf(world, "backoff")).toBe("not_observed");
    const early = await reply(merchant, { infraction_id, text: "It was not." });
    expect(await judgedOf(world, "backoff")).toEqual(["fail", [idOf(early)]]);
  });

  test("large replies to two disputes are two calls, and one that is sent again is known", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const files = [{ name: "proof.pdf", content: pdfOf(70_000), type: "application/pdf" }];
    const [one = "", other = ""] = await openedDisputes(world, merchant);
    await inject(world, { request: "POST /v2/account/infractions/reply", inject: { status: 503 } });
    for (const infraction_id of [one, other])
      await reply(merchant, { infraction_id, text: "It was delivered.", files });
    expect(await verdictOf(world, "backoff")).toBe("not_observed");
    const again = await reply(merchant, { infraction_id: other, text: "It was delivered.", files });
    expect(await judgedOf(world, "backoff")).toEqual(["fail", [idOf(again)]]);
  });

  test("other orders need not wait, and neither does what was lost on the way", async () => {
    const world = await file.world();
    const merchant = await limited(world, CASHIN, 1, { status: 503 });
    await merchant.cashin(order("order-1"));
    await merchant.cashin(order("order-2"));
    await inject(world, { request: "* /v2/*", inject: { disconnect: "after" }, times: 1 });
    await expectLost(merchant.cashin(order("order-3")));
    await merchant.cashin(order("order-3"));
    expect(await verdictOf(world, "backoff")).toBe("not_observed");
  });
});

async function openedDisputes(world: WorldClient, merchant: Merchant): Promise<string[]> {
  const opened = [await openedDispute(world, merchant), await openedDispute(world, merchant)];
  return opened.map(({ infractionId }) => infractionId);
}

describe("no-retry-when-blocked", () => {
  test("ERR-14 five minutes are waited for after a block of the address", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const right = merchant.token;
    merchant.token = "wrong";
    for (let count = 0; count < 5; count++) await merchant.call("GET", BALANCE);
    merchant.token = right;
    const first = await merchant.call("GET", BALANCE);
    expect(first.body.error.code).toBe("IP_BLOCKED_TEMPORARILY");
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["pass", [idOf(first)]]);
    await world.advance("5m");
    expect((await merchant.call("GET", BALANCE)).status).toBe(200);
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["pass", [idOf(first)]]);
    const { detail } = checkIn(await world.report(), "no-retry-when-blocked");
    expect(detail).toBe("After a block nothing was tried at once.");
  });

  test("ERR-14 what tries again sooner fails", async () => {
    const world = await file.world();
    const merchant = new Merchant(world, { clientId: world.credentials.clientId, clientSecret: "wrong" });
    for (let count = 0; count < 6; count++) await merchant.authenticate();
    await world.advance("1m");
    const early = await merchant.authenticate();
    expect(early.status).toBe(403);
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["fail", [idOf(early)]]);
  });

  test("ERR-14 ERR-15 what goes on with other orders from a blocked address fails too", async () => {
    for (const ips of [[], ["127.0.0.1"]]) {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      await world.call("PUT", "/blocked-ips", { ips });
      const stranger = new Merchant(world, { clientId: world.credentials.clientId, clientSecret: "wrong" });
      if (ips.length === 0) for (let count = 0; count < 5; count++) await stranger.authenticate();
      await merchant.cashin(order("order-1"));
      await world.advance("2s");
      const next = await merchant.cashin(order("order-2"));
      expect(next.status).toBe(403);
      expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["fail", [idOf(next)]]);
    }
  });

  test("ERR-15 ERR-16 what was lifted meanwhile may be called again at once", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    await merchant.call("GET", BALANCE);
    await world.call("PUT", "/blocked-ips", { ips: [] });
    await merchant.call("GET", BALANCE);
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    expect((await merchant.call("GET", BALANCE)).status).toBe(423);
    expect((await merchant.call("GET", "/v2/account/info/profile")).status).toBe(200);
    await world.call("PATCH", "/accounts/acme", { status: "active" });
    await merchant.call("GET", BALANCE);
    expect(await verdictOf(world, "no-retry-when-blocked")).toBe("pass");
  });

  test("ERR-16 the same call again while the account is under review fails, others are warned of", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    const first = await merchant.cashin(order("order-1"));
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["pass", [idOf(first)]]);
    const other = await merchant.cashin(order("order-2"));
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["warn", [idOf(other)]]);
    const early = await merchant.cashin(order("order-1"));
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["fail", [idOf(early)]]);
  });

  test("ERR-16 who goes on with other orders is warned, whatever is answered in between for all that", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const other = await SigningMerchant.ofAccount(world, "globex");
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    const answers: Answer[] = [];
    for (const id of ["order-1", "order-2", "order-3"]) {
      answers.push(await merchant.cashin(order(id)));
      expect((await merchant.call("GET", "/v2/account/info/profile")).status).toBe(200);
      expect((await other.call("GET", BALANCE)).status).toBe(200);
      await merchant.authenticate();
    }
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["warn", answers.slice(1).map(idOf)]);
  });

  test("ERR-16 the review of one account tells nothing of another one's", async () => {
    const world = await file.world();
    const usernames = ["acme", "globex"];
    const merchants = await Promise.all(usernames.map((username) => SigningMerchant.ofAccount(world, username)));
    for (const username of usernames) await world.call("PATCH", `/accounts/${username}`, { status: "under_review" });
    await world.advance("2m");
    for (const merchant of merchants) expect((await merchant.call("GET", BALANCE)).status).toBe(423);
    expect(await verdictOf(world, "no-retry-when-blocked")).toBe("pass");
  });

  test("ERR-16 several workers: the very order that was refused fails all the same", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await crowd(merchant);
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    await merchant.cashin(order("order-1"));
    const again = await merchant.cashin(order("order-1"));
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["fail", [idOf(again)]]);
  });

  test("ERR-16 a call that is refused for another reason, once the review is over, has not come too early", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const large = order("order-1", { amount: "99999999.00" });
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    expect((await merchant.cashin(large)).status).toBe(423);
    await world.call("PATCH", "/accounts/acme", { status: "active" });
    expect((await merchant.cashin(large)).status).toBe(409);
    expect(await verdictOf(world, "no-retry-when-blocked")).toBe("pass");
  });

  test.each([
    ["ERR-15", (world: WorldClient) => world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] })],
    ["ERR-16", (world: WorldClient) => world.call("PATCH", "/accounts/acme", { status: "under_review" })],
  ])(
    "%s who goes on in a block that only support lifts is warned, however long it waits each time",
    async (_clause, block) => {
      const world = await file.world();
      const merchant = await Merchant.of(world);
      await block(world);
      const answers: Answer[] = [];
      const callAgain = async () => {
        answers.push(await merchant.call("GET", BALANCE));
        await world.advance("10m");
      };
      for (let count = 0; count < 3; count++) await callAgain();
      expect(await verdictOf(world, "no-retry-when-blocked")).toBe("pass");
      await callAgain();
      expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["warn", answers.slice(1).map(idOf)]);
      const { detail } = checkIn(await world.report(), "no-retry-when-blocked");
      expect(detail).toBe("3 calls more came while it was blocked.");
    },
  );

  test("ERR-16 a block that a rule injects may be gone, which nobody can know", async () => {
    const world = await file.world();
    const merchant = await limited(world, BALANCE, 1, { error: "SECURITY_BLOCKED" });
    await merchant.call("GET", BALANCE);
    const early = await merchant.call("GET", BALANCE);
    expect(early.status).toBe(200);
    expect(await judgedOf(world, "no-retry-when-blocked")).toEqual(["fail", [idOf(early)]]);
  });
});

test("findings stand beside the calls that they are about, and a replay comes to the same", async () => {
  const world = await file.world();
  const merchant = await limited(world, BALANCE, 1);
  await merchant.call("GET", BALANCE);
  const early = await merchant.call("GET", BALANCE);
  await merchant.cashin({ currency: "BRL", amount: "10.00" });
  await removeFaults(world);
  const requests = await world.all<{ request_id: string; findings: { check: string }[] }>("/requests");
  const found = requests.map(({ findings }) => findings.map(({ check }) => check));
  expect(found).toEqual([[], [], ["retry-after"], ["external-id"]]);
  const one = await control(world, "GET", `/requests/${idOf(early)}`);
  expect(one.body.findings).toEqual([
    { check: "retry-after", verdict: "fail", advice: expect.stringContaining("Retry-After") },
  ]);

  const root = await file.sandbox.defaultWorld();
  const bundle = await world.call("GET", "/export");
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
  const again = await root.call<any>("POST", "/worlds", { replay: bundle });
  expect(again.replay).toMatchObject({ identical: true });
  expect(await (await file.sandbox.openWorld(again.world)).report()).toEqual(await world.report());
});
