/** Faults injected into calls: what the merchant sees of each, and what it leaves behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, stateOf } from "../support/answers.ts";
import { infractionsOf } from "../support/disputes.ts";
import { countsOf, expectLost, inject, removeFaults, strikesOf, textOf } from "../support/faults.ts";
import { Merchant } from "../support/merchant.ts";
import { documentOfTests } from "../support/openapi.ts";
import { startReceiver } from "../support/receiver.ts";
import { useSandbox } from "../support/sandbox.ts";
import { refusal, SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

const CASHIN = "POST /v2/transactions/cashin";
const CASHOUT = "POST /v2/transactions/cashout";
const CHARGE = { currency: "BRL", amount: "100.00" };
const PAYOUT = { currency: "BRL", amount: "100.00", key: "12345678909" };
const HINT = "A fault rule of this world struck this call: ";

/** A world without protections, so that a test may be refused as often as it likes, with a rule by hand. */
async function struck(...rules: readonly object[]): Promise<{ world: WorldClient; merchant: SigningMerchant }> {
  const world = await file.world({ settings: { protections: "off" } });
  const merchant = await SigningMerchant.ofAccount(world);
  await inject(world, ...rules);
  return { world, merchant };
}

test("ERR-11 PROVIDER_ERROR is 502 and retryable, creates nothing, and the repetition succeeds", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const rule = { request: "POST /v2/transactions/wallet", inject: { error: "PROVIDER_ERROR" }, times: 1 };
  await world.call("PUT", "/faults", { rules: [rule] });

  const refused = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  expect(refused.status).toBe(502);
  expect(refused.body).toEqual({
    success: false,
    error: { code: "PROVIDER_ERROR", message: expect.any(String), group: "PROVIDER", retryable: true },
  });
  expect(refused.headers.get("x-sandbox-hint")).toContain("fault");
  expect(await world.all("/wallets")).toEqual([]);

  const repeated = await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" });
  expect(repeated.status).toBe(200);
  expect(await world.all("/wallets")).toHaveLength(1);
});

test("a fault by status carries the common failure body, and ends on the clock", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const rule = { request: "GET /v2/account/*", inject: { status: 503 }, for: "30s" };
  await world.call("PUT", "/faults", { rules: [rule] });

  const refused = await merchant.call("GET", "/v2/account/fees");
  expect(refused.status).toBe(503);
  expect(refused.body.error).toMatchObject({ code: "SERVICE_UNAVAILABLE", group: "PROVIDER", retryable: true });
  await world.advance("30s");
  expect((await merchant.call("GET", "/v2/account/fees")).status).toBe(200);
});

test("a fault rule that is none is refused with what would be right, and changes nothing", async () => {
  const world = await file.world();
  const set = (rules: object[]) => world.call("PUT", "/faults", { rules });
  await expect(set([{ request: CASHIN, inject: { error: "PROVIDER_EROR" } }])).rejects.toThrow("PROVIDER_ERROR");
  await expect(set([{ request: CASHIN, inject: {} }])).rejects.toThrow("exactly one of error, status");
  await expect(set([{ reqest: CASHIN, inject: { status: 503 } }])).rejects.toThrow('did you mean "request"');
  expect(await world.call("GET", "/faults")).toEqual({ rules: [] });
});

test("R4 a magic value is told in the header X-Sandbox-Hint, never in the body", async () => {
  const world = await file.world({ scenarios: ["happy-path", "magic-values"] });
  const merchant = await Merchant.of(world);
  const magic = await merchant.cashin({ currency: "BRL", amount: 10, external_id: "magic-expire-1" });
  expect(magic.headers.get("x-sandbox-hint")).toBe("Scenario magic-values: the charge expires unpaid.");
  expect(magic.text).not.toContain("magic-values");
  const plain = await merchant.cashin({ currency: "BRL", amount: 10 });
  expect(plain.headers.get("x-sandbox-hint")).toBeNull();
});

test.each(["magic-dispute-won", "magic-dispute-lost", "magic-dispute-canceled", "magic-dispute"])(
  "R4 a dispute by the magic value %s reads like any other",
  async (external_id) => {
    const world = await file.world({ scenarios: ["magic-values"], postback_url: "sandbox://inbox" });
    const merchant = await Merchant.of(world);
    await merchant.cashin({ currency: "BRL", amount: 10, external_id });
    await world.advance({ until: "chargeback.opened" });
    await merchant.authenticate();
    const [{ reason }] = await infractionsOf(merchant);
    expect(reason).not.toMatch(/magic|sandbox|scenario|decided|\b(won|lost|canceled)\b/i);
    const { body } = await world.waitForWebhook("chargeback.opened");
    expect(body).toMatchObject({ data: { reason } });
  },
);

test("ERR-18 a client that backs off 1, 2, 4, 8 s gets through an outage of 502 and 503", async () => {
  for (const [status, code] of [
    [502, "PROVIDER_ERROR"],
    [503, "SERVICE_UNAVAILABLE"],
  ] as const) {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const rule = { request: "POST /v2/transactions/cashin", inject: { status }, for: "10s" };
    await world.call("PUT", "/faults", { rules: [rule] });
    const charge = { currency: "BRL", amount: 10, external_id: "order-1" };
    for (const wait of ["1s", "2s", "4s", "8s"]) {
      const refused = await merchant.cashin(charge);
      expect([refused.status, refused.body.error.code, refused.body.error.retryable]).toEqual([status, code, true]);
      await world.advance(wait);
    }
    expect((await merchant.cashin(charge)).status).toBe(200);
    expect(await world.all("/transactions")).toHaveLength(1);
  }
});

test("ERR-17 a client that repeats before Retry-After is refused again, one that waits it out is served", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const transfer = () =>
    merchant.call("POST", "/v2/internal_transfers/payment", { username: "globex", currency: "BRL", amount: 1 });
  for (let count = 0; count < 10; count++) expect((await transfer()).status).toBe(200);
  const refused = await transfer();
  expect(refused.status).toBe(429);
  const retryAfterS = Number(refused.headers.get("retry-after"));
  await world.advance(`${retryAfterS - 1}s`);
  expect((await transfer()).status).toBe(429);
  await world.advance("1s");
  expect((await transfer()).status).toBe(200);
});

describe("a refusal by code", () => {
  /** TABLE: the specification's sixteen codes, then those of D20, D21, D22 and D51. */
  const codes = [
    ["MISSING_SIGNATURE", 401],
    ["INVALID_SIGNATURE", 401],
    ["UNAUTHORIZED", 401],
    ["INVALID_CURRENCY", 422],
    ["INSUFFICIENT_BALANCE", 422],
    ["UNSUPPORTED_CHAIN", 422],
    ["UNSUPPORTED_CURRENCY", 422],
    ["LIMIT_EXCEEDED", 409],
    ["RATE_EXPIRED", 409],
    ["WALLET_LIMIT_REACHED", 409],
    ["PROVIDER_ERROR", 502],
    ["DUPLICATE_EXTERNAL_ID", 409],
    ["RATE_LIMIT_EXCEEDED", 429],
    ["IP_BLOCKED_TEMPORARILY", 403],
    ["IP_BLACKLISTED", 403],
    ["SECURITY_BLOCKED", 423],
    ["INVALID_REQUEST", 400],
    ["NOT_FOUND", 404],
    ["METHOD_NOT_ALLOWED", 405],
    ["UNSUPPORTED_MEDIA_TYPE", 415],
    ["PAYLOAD_TOO_LARGE", 413],
    ["INFRACTION_NOT_OPEN", 409],
    ["SERVICE_UNAVAILABLE", 503],
    ["INTERNAL_ERROR", 500],
  ] as const;

  test("can be every code that the service describes", () => {
    const described = Object.keys(documentOfTests().components.schemas).filter((name) => name.endsWith("Error"));
    expect(codes).toHaveLength(described.length);
  });

  test.each(codes)(
    "ENV-03 D22 HDR-05 %s is %i with its group, retryable and headers, and changes nothing",
    async (code, status) => {
      const { world, merchant } = await struck({ request: CASHIN, inject: { error: code } });
      const before = await stateOf(world);
      const refused = await merchant.cashin({ ...CHARGE, external_id: "order-1" });
      expectRefusal(refused, status, code);
      expect(refused.headers.get("x-sandbox-hint")).toBe(`${HINT}error ${code}.`);
      expect(refused.headers.get("allow")).toBe(status === 405 ? "POST" : null);
      expect(await stateOf(world)).toEqual(before);

      await removeFaults(world);
      expect((await merchant.cashin({ ...CHARGE, external_id: "order-1" })).status).toBe(200);
    },
  );

  test("D23 DUPLICATE_EXTERNAL_ID has the status of the setting", async () => {
    const world = await file.world({ settings: { duplicate_status: 422 } });
    await inject(world, { request: CASHIN, inject: { error: "DUPLICATE_EXTERNAL_ID" } });
    const merchant = await Merchant.of(world);
    expect(refusal(await merchant.cashin(CHARGE))).toEqual([422, "DUPLICATE_EXTERNAL_ID"]);
  });

  test("D16 D18 it counts as the refusal that it is, but proves nothing against the address", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await inject(world, { request: CASHIN, inject: { error: "UNAUTHORIZED" } });
    for (let count = 0; count < 15; count++) {
      expect(refusal(await merchant.cashin(CHARGE))).toEqual([401, "UNAUTHORIZED"]);
    }
    expect(refusal(await merchant.cashin(CHARGE))).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(await countsOf(world)).toEqual([[15, 15]]);
  });

  test("D16 a failure of the service blocks nobody", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    await inject(world, { request: CASHIN, inject: { error: "PROVIDER_ERROR" }, times: 20 });
    for (let count = 0; count < 20; count++) expect((await merchant.cashin(CHARGE)).status).toBe(502);
    expect((await merchant.cashin(CHARGE)).status).toBe(200);
  });
});

describe("a refusal by status", () => {
  test.each([
    [400, "INVALID_REQUEST", "VALIDATION", false],
    [401, "UNAUTHORIZED", "AUTH", false],
    [402, "INVALID_REQUEST", "VALIDATION", false],
    [404, "NOT_FOUND", "VALIDATION", false],
    [405, "METHOD_NOT_ALLOWED", "VALIDATION", false],
    [413, "PAYLOAD_TOO_LARGE", "VALIDATION", false],
    [415, "UNSUPPORTED_MEDIA_TYPE", "VALIDATION", false],
    [423, "SECURITY_BLOCKED", "SECURITY", false],
    [429, "RATE_LIMIT_EXCEEDED", "RATE_LIMIT", true],
    [500, "INTERNAL_ERROR", "INTERNAL", false],
    [502, "PROVIDER_ERROR", "PROVIDER", true],
    [503, "SERVICE_UNAVAILABLE", "PROVIDER", true],
    [504, "INTERNAL_ERROR", "INTERNAL", false],
    [599, "INTERNAL_ERROR", "INTERNAL", false],
  ])("ENV-03 D22 %i has the common failure body with %s", async (status, code, group, retryable) => {
    const { merchant } = await struck({ request: "GET /v2/account/fees", inject: { status } });
    const refused = await merchant.call("GET", "/v2/account/fees");
    expect(refused.status).toBe(status);
    const error = { code, message: expect.stringMatching(/^\S.*\.$/), group, retryable };
    expect(refused.body).toStrictEqual({ success: false, error });
    expect(refused.headers.get("retry-after")).toEqual(status === 429 ? "1" : null);
    expect(refused.headers.get("allow")).toEqual(status === 405 ? "GET" : null);
  });

  test.each([403, 409, 422])("D22 %i has the body of one of its codes", async (status) => {
    const { merchant } = await struck({ request: CASHIN, inject: { status } });
    const refused = await merchant.cashin(CHARGE);
    expectRefusal(refused, status, refused.body.error.code);
  });
});

describe("latency", () => {
  test("the call is carried out at once, though its answer is held back", async () => {
    await using receiver = await startReceiver();
    const { world, merchant } = await struck({ request: CASHIN, inject: { latency: "10m" } });
    await world.setPostbackUrl("acme", receiver.url);
    const controller = new AbortController();
    let answered = false;
    const call = fetch(`${world.baseUrl}/v2/transactions/cashin`, {
      method: "POST",
      headers: { Authorization: `Bearer ${merchant.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ...CHARGE, external_id: "order-1" }),
      signal: controller.signal,
    }).finally(() => {
      answered = true;
    });
    const gone = expect(call).rejects.toThrow("aborted");
    const id = await firstTransaction(world);
    const [strike] = await strikesOf(world);
    const requests = await world.all<{ path: string; status: number }>("/requests");
    expect(requests.at(-1)).toMatchObject({ path: "/v2/transactions/cashin", status: 200, duration_ms: 600_000 });
    expect(strike?.data).toEqual({
      request: CASHIN,
      inject: { latency: "10m" },
      fault: "fault_1",
      set_by: expect.any(Number),
    });
    // The world goes on meanwhile: it is the network that is slow.
    await world.act(id, "pay");
    await world.advance("1m");
    expect((await merchant.call("GET", "/v2/account/fees")).status).toBe(200);
    expect(receiver.received.map(({ body }) => body.transaction_id)).toEqual([id]);
    expect(answered).toBe(false);

    controller.abort();
    await gone;
    await removeFaults(world);
    const again = await merchant.cashin({ ...CHARGE, external_id: "order-1" });
    expect([again.status, again.body.data.transaction_id, again.body.data.status]).toEqual([200, id, "confirmed"]);
  });

  test.each(["0s", "1ms", "PT0.02S"])(
    "after %s the answer is what it would have been, with a hint",
    async (latency) => {
      const { world, merchant } = await struck({ request: CASHIN, inject: { latency } });
      const answer = await merchant.cashin({ ...CHARGE, external_id: "order-1" });
      expect([answer.status, answer.body.data.external_id]).toEqual([200, "order-1"]);
      expect(answer.headers.get("x-sandbox-hint")).toBe(`${HINT}latency ${latency}.`);
      expect(answer.headers.get("x-sandbox-time")).toBe("2026-01-01T12:00:00.000Z");
      expect(await world.all("/transactions")).toHaveLength(1);
    },
  );

  test("a refusal is held back like any answer, and says in its hint why", async () => {
    const { world, merchant } = await struck({ request: CASHIN, inject: { latency: "1ms" } });
    const refused = await merchant.cashin({ currency: "XYZ", amount: 1 });
    expect(refusal(refused)).toEqual([422, "INVALID_CURRENCY"]);
    expect(refused.headers.get("x-sandbox-hint")).toBe(
      `${HINT}latency 1ms. There are BRL, MXN, USDT, USDC, BTC, ETH, SOL, BNB.`,
    );
    expect(await countsOf(world)).toEqual([[1, 1]]);
  });

  test("a caller that has given up does not keep the process of the sandbox alive", async () => {
    const index = new URL("../../src/index.ts", import.meta.url).href;
    const program = `
      import { startSandbox } from ${JSON.stringify(index)};
      const sandbox = await startSandbox();
      const world = await sandbox.createWorld();
      const rules = [{ request: "POST /v2/oauth/token", inject: { latency: "10m" } }];
      await world.call("PUT", "/faults", { rules });
      const controller = new AbortController();
      const call = fetch(world.baseUrl + "/v2/oauth/token", { method: "POST", signal: controller.signal });
      while ((await world.all("/requests")).length === 0);
      controller.abort();
      await call.catch(() => {});
      await sandbox.stop();`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("disconnect: before", () => {
  const rule = { request: CASHOUT, inject: { disconnect: "before" }, times: 1 };

  test("nothing is executed, and the repetition with the same external_id succeeds", async () => {
    const { world, merchant } = await struck(rule);
    const before = await stateOf(world);
    const body = { ...PAYOUT, external_id: "payout-1" };
    await expectLost(merchant.cashout(body));
    expect(await stateOf(world)).toEqual(before);
    expect(await merchant.money("BRL")).toEqual(["10000.00", "0.00"]);
    const again = await merchant.cashout(body);
    expect([again.status, again.body.data.external_id]).toEqual([202, "payout-1"]);
    expect(await merchant.money("BRL")).toEqual(["9900.00", "100.00"]);
  });

  test("D14 CONST-02 its nonce is burnt", async () => {
    const { world, merchant } = await struck(rule);
    const nonce = "9b2f6c0e-3c3c-4c3c-8c3c-3c3c3c3c3c3c";
    await expectLost(merchant.cashout(PAYOUT, { nonce }));
    expect(refusal(await merchant.cashout(PAYOUT, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
    expect((await merchant.cashout(PAYOUT)).status).toBe(202);
    expect(await countsOf(world)).toEqual([[2, 1]]);
  });

  test("HDR-02 RL-09 it counts in the rate window", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    const path = "/v2/internal_transfers/payment";
    await inject(world, { request: `POST ${path}`, inject: { disconnect: "before" }, times: 3 });
    const transfer = () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 });
    for (let count = 0; count < 3; count++) await expectLost(transfer());
    const answer = await transfer();
    expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([200, "6"]);
  });

  test("D18 a lost call for a token proves nothing: it ends no series of failures", async () => {
    const world = await file.world({ settings: { auth_failures: "consecutive" } });
    const { clientId, clientSecret } = world.credentials;
    const wrong = new Merchant(world, { clientId, clientSecret: "wrong" });
    for (let count = 0; count < 4; count++) expect((await wrong.authenticate()).status).toBe(401);
    await inject(world, { request: "POST /v2/oauth/token", inject: { disconnect: "before" }, times: 1 });
    await expectLost(new Merchant(world, { clientId, clientSecret }).authenticate());
    expect((await wrong.authenticate()).status).toBe(401);
    expect(refusal(await wrong.authenticate())).toEqual([403, "IP_BLOCKED_TEMPORARILY"]);
  });

  test("the call is in the log of calls, struck by its rule", async () => {
    const { world, merchant } = await struck(rule);
    await expectLost(merchant.cashout(PAYOUT));
    const requests = await world.all<{ request_id: string; path: string; body: string }>("/requests");
    const last = requests.at(-1);
    expect(last).toMatchObject({ path: "/v2/transactions/cashout", body: JSON.stringify(PAYOUT) });
    const request = (await world.journal()).find(
      ({ kind, subject }) => kind === "request" && subject === last?.request_id,
    );
    expect(await strikesOf(world)).toMatchObject([{ cause: request?.sequence, rule: null }]);
    expect(request?.data).toMatchObject({ status: 0, error: null, lost: true });
    const { summary } = await world.explain(last?.request_id ?? "");
    expect(summary).toMatch(/^POST \/v2\/transactions\/cashout by \S+ was not carried out and got no answer\.$/);
  });
});

describe("disconnect: after", () => {
  /** TABLE: the four calls that move money, and what is left of acme's BRL after one of them. */
  const calls = [
    ["TX-04", CASHIN, CHARGE, ["10000.00", "0.00"]],
    ["TX-04 COUT-01", CASHOUT, PAYOUT, ["9900.00", "100.00"]],
    [
      "CONV-17",
      "POST /v2/conversions/new",
      { amount: 100, base_currency: "BRL", destination_currency: "USDT" },
      ["9900.00", "0.00"],
    ],
    [
      "D24",
      "POST /v2/internal_transfers/payment",
      { username: "globex", currency: "BRL", amount: "100.00" },
      ["9900.00", "0.00"],
    ],
  ] as const;

  test.each(calls)("%s %s is executed once: the repetition gives the original", async (_clauses, call, body, money) => {
    const { world, merchant } = await struck({ request: call, inject: { disconnect: "after" }, times: 1 });
    const named = { ...body, external_id: "order-1" };
    const path = call.slice("POST ".length);
    await expectLost(merchant.signed(path, named));
    expect(await merchant.money("BRL")).toEqual(money);
    const journal = await world.journal();
    const request = journal.findLast(({ kind, data }) => kind === "request" && `POST ${data.path}` === call);
    expect(request?.data).toMatchObject({ status: expect.any(Number), error: null, lost: true });
    expect((await world.explain(request?.subject ?? "")).summary).toMatch(
      / was answered 20[02], which never arrived\.$/,
    );
    const [first, second] = [await merchant.signed(path, named), await merchant.signed(path, named)];
    expect([first.status, first.body.data]).toEqual([second.status, second.body.data]);
    expect(first.body.data.external_id ?? "order-1").toBe("order-1");
    expect(await merchant.money("BRL")).toEqual(money);
    const since = (await world.journal()).slice(journal.length);
    expect(since.filter(({ kind }) => kind !== "request")).toEqual([]);
    expect((await world.checkLedger()).ok).toBe(true);
  });

  test("ERR-12 a repetition with another body is refused", async () => {
    const { merchant } = await struck({ request: CASHIN, inject: { disconnect: "after" }, times: 1 });
    await expectLost(merchant.cashin({ ...CHARGE, external_id: "order-1" }));
    const refused = await merchant.cashin({ ...CHARGE, amount: "100.01", external_id: "order-1" });
    expect(refusal(refused)).toEqual([409, "DUPLICATE_EXTERNAL_ID"]);
  });

  test("without an external_id the repetition is a second charge", async () => {
    const { world, merchant } = await struck({ request: CASHIN, inject: { disconnect: "after" }, times: 1 });
    await expectLost(merchant.cashin(CHARGE));
    await merchant.cashin(CHARGE);
    expect(await world.all("/transactions")).toHaveLength(2);
  });

  test("a refusal is lost too, and comes again with the repetition", async () => {
    const { merchant } = await struck({ request: CASHIN, inject: { disconnect: "after" }, times: 1 });
    const body = { currency: "BRL", amount: "-1" };
    await expectLost(merchant.cashin(body));
    expect(refusal(await merchant.cashin(body))).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("disconnect", () => {
  test.each(["before", "after"])("%s: the connection closes without a byte", async (when) => {
    const { world, merchant } = await struck({ request: "GET /v2/account/fees", inject: { disconnect: when } });
    const { hostname, port, pathname } = new URL(`${world.baseUrl}/v2/account/fees`);
    const socket = connect(Number(port), hostname);
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    const closed = once(socket, "close");
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${merchant.token}\r\n\r\n`);
    await closed;
    expect(bytes).toBe(0);
  });

  test("calls on other connections are answered", async () => {
    const { merchant } = await struck({ request: CASHIN, inject: { disconnect: "after" }, skip: 3, times: 1 });
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => merchant.cashin(CHARGE)));
    expect(all.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect((await merchant.cashin(CHARGE)).status).toBe(200);
  });
});

describe("malformed", () => {
  test("the call is executed, its answer no JSON; the repetition gives the original", async () => {
    const { world, merchant } = await struck({ request: CASHIN, inject: { malformed: true }, times: 1 });
    const body = { ...CHARGE, external_id: "order-1" };
    const broken = await textOf(merchant, "POST", "/v2/transactions/cashin", body);
    expect(broken.status).toBe(200);
    expect(broken.headers.get("content-type")).toBe("application/json");
    expect(broken.headers.get("x-sandbox-hint")).toBe(`${HINT}malformed true.`);
    expect(broken.text).toMatch(/^\{"success":true,/);
    expect(() => JSON.parse(broken.text)).toThrow(SyntaxError);

    const id = await firstTransaction(world);
    const again = await merchant.cashin(body);
    expect([again.status, again.body.data.transaction_id]).toEqual([200, id]);
    expect(await world.all("/transactions")).toHaveLength(1);
  });

  test("so is a refusal", async () => {
    const { merchant } = await struck({ request: CASHIN, inject: { malformed: true } });
    const broken = await textOf(merchant, "POST", "/v2/transactions/cashin", { currency: "XYZ", amount: 1 });
    expect(broken.status).toBe(422);
    expect(() => JSON.parse(broken.text)).toThrow(SyntaxError);
  });
});

describe("D15 when a fault strikes", () => {
  const rule = { request: CASHOUT, inject: { error: "PROVIDER_ERROR" } };
  /** Each is wrong in what is checked before a fault strikes, and in its body. */
  const earlier: readonly [
    string,
    number,
    string,
    (merchant: SigningMerchant) => Promise<{ status: number; body: unknown }>,
  ][] = [
    ["no token", 401, "UNAUTHORIZED", (m) => m.cashout("{", { headers: { Authorization: undefined } })],
    ["a wrong token", 401, "UNAUTHORIZED", (m) => m.cashout("{", { headers: { Authorization: "Bearer x" } })],
    ["no signature", 401, "MISSING_SIGNATURE", (m) => m.cashout("{", { headers: { "X-Signature": undefined } })],
    ["a wrong signature", 401, "INVALID_SIGNATURE", (m) => m.cashout("{", { sign: () => "0".repeat(64) })],
    ["an old timestamp", 401, "INVALID_SIGNATURE", (m) => m.cashout("{", { timestamp: 1 })],
    ["a wrong method", 405, "METHOD_NOT_ALLOWED", (m) => m.call("PUT", "/v2/transactions/cashout", "{")],
    ["a body too large", 413, "PAYLOAD_TOO_LARGE", (m) => m.cashout("x".repeat(1024 * 1024 + 1))],
  ];

  test.each(earlier)("%s is refused first: %i %s", async (_what, status, code, send) => {
    const { world, merchant } = await struck(rule);
    expect(refusal((await send(merchant)) as never)).toEqual([status, code]);
    expect(await countsOf(world)).toEqual([[0, 0]]);
    expect(await strikesOf(world)).toEqual([]);
  });

  test("a black-listed address, an account under review and a spent rate window are refused first", async () => {
    const world = await file.world();
    const merchant = await SigningMerchant.ofAccount(world);
    await inject(world, { request: "* /v2/*", inject: { error: "PROVIDER_ERROR" } });
    await world.call("PUT", "/blocked-ips", { ips: ["127.0.0.1"] });
    expect(refusal(await merchant.cashout("{"))).toEqual([403, "IP_BLACKLISTED"]);
    await world.call("PUT", "/blocked-ips", { ips: [] });
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    expect(refusal(await merchant.cashout("{"))).toEqual([423, "SECURITY_BLOCKED"]);
    await world.call("PATCH", "/accounts/acme", { status: "active" });
    for (let count = 0; count < 10; count++) expect((await merchant.transfer("{")).status).toBe(502);
    expect(refusal(await merchant.transfer("{"))).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(await countsOf(world)).toEqual([[10, 10]]);
  });

  test("a nonce that was used is refused first", async () => {
    const { merchant } = await struck(rule);
    const nonce = "9b2f6c0e-3c3c-4c3c-8c3c-3c3c3c3c3c3c";
    expect(refusal(await merchant.cashout(PAYOUT, { nonce }))).toEqual([502, "PROVIDER_ERROR"]);
    expect(refusal(await merchant.cashout(PAYOUT, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
  });

  test.each([
    ["no JSON", "{", {}],
    ["another content type", JSON.stringify(PAYOUT), { "Content-Type": "text/plain" }],
    ["a missing field", {}, {}],
    ["more than the balance", { ...PAYOUT, amount: "999999.00" }, {}],
  ])("%s is not looked at any more", async (_what, body, headers) => {
    const { world, merchant } = await struck(rule);
    expect(refusal(await merchant.cashout(body, { headers }))).toEqual([502, "PROVIDER_ERROR"]);
    expect(await countsOf(world)).toEqual([[1, 1]]);
  });

  test("a call for a token is struck though nobody has proved anything", async () => {
    const world = await file.world();
    await inject(world, { request: "POST /v2/oauth/token", inject: { status: 503 } });
    const wrong = new Merchant(world, { clientId: "nobody", clientSecret: "x" });
    expect(refusal(await wrong.authenticate())).toEqual([503, "SERVICE_UNAVAILABLE"]);
  });

  test("the upload of a reply is struck before its form is looked at", async () => {
    const { merchant } = await struck({ request: "POST /v2/account/infractions/reply", inject: { status: 502 } });
    const answer = await merchant.call("POST", "/v2/account/infractions/reply", "nonsense");
    expect(refusal(answer)).toEqual([502, "PROVIDER_ERROR"]);
  });
});

describe("what is told of a fault", () => {
  test("a journal entry: what struck, whom, and that no file says so", async () => {
    const { world, merchant } = await struck({ request: CASHIN, inject: { status: 503 } });
    const refused = await merchant.cashin(CHARGE);
    const journal = await world.journal();
    const request = journal.find(({ subject }) => subject === refused.headers.get("x-request-id"));
    const [strike] = journal.filter(({ kind }) => kind === "fault.injected");
    const setting = journal.find(({ kind, data }) => kind === "control" && data.call === "PUT /faults");
    expect(strike).toMatchObject({
      kind: "fault.injected",
      subject: null,
      cause: request?.sequence,
      rule: null,
      data: { request: CASHIN, inject: { status: 503 }, set_by: setting?.sequence },
    });
    expect(request?.data).toMatchObject({ status: 503, error: "SERVICE_UNAVAILABLE" });
    const { chain } = await world.explain(request?.subject ?? "");
    expect(JSON.stringify(chain)).toContain("status 503");
  });

  test("R4 a hint for the fault and one for the magic value, and neither in the body", async () => {
    const world = await file.world({ scenarios: ["magic-values"] });
    const merchant = await Merchant.of(world);
    await inject(world, { name: "slow", request: CASHIN, inject: { latency: "1ms" } });
    const answer = await merchant.cashin({ ...CHARGE, external_id: "magic-expire-1" });
    expect(answer.headers.get("x-sandbox-hint")).toBe(
      `${HINT}latency 1ms ("slow"). Scenario magic-values: the charge expires unpaid.`,
    );
    expect(answer.text).not.toContain("fault");
  });

  test("R4 a rule's name may be any text, a header may not", async () => {
    // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
    const rule = { name: "支払い ✓", on: "cashin.created", then: [{ note: "x" }] };
    const world = await file.world({ scenarios: [{ scenario: "magic-values", rules: [rule] }] });
    const merchant = await Merchant.of(world);
    const answer = await merchant.cashin(CHARGE);
    expect([answer.status, answer.headers.get("x-sandbox-hint")]).toEqual([200, "Scenario magic-values: ??? ?."]);
  });

  test("calls that no rule strikes have no hint", async () => {
    const { merchant } = await struck({ request: CASHIN, inject: { status: 503 }, times: 1 });
    expect((await merchant.cashin(CHARGE)).status).toBe(503);
    const { status, headers } = await merchant.cashin(CHARGE);
    expect([status, headers.get("x-sandbox-hint")]).toEqual([200, null]);
  });
});

/** The first transaction of a world, as soon as there is one. */
async function firstTransaction(world: WorldClient): Promise<string> {
  for (;;) {
    const [transaction] = await world.all<{ transaction_id: string }>("/transactions");
    if (transaction) return transaction.transaction_id;
  }
}
