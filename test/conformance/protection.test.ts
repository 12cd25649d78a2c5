/** What protects the service: rate windows, blocks of addresses and credentials, reviews, and the order of checks. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { START_S } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { REPLY_PATH, reply } from "../support/disputes.ts";
import { type Answer, times } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { clockRule, scenario } from "../support/scenarios.ts";
import { refusal, SigningMerchant } from "../support/signing.ts";

const file = useSandbox();

const HOME = "127.0.0.1";
const PROFILE = "/v2/account/info/profile";
const BALANCE = "/v2/account/balance";
const FEES = "/v2/account/fees";
const LIST = "/v2/account/transactions/list";
const BAD_CHARGE = { currency: "XYZ", amount: 1 };

type Call = (merchant: SigningMerchant) => Promise<Answer>;
const get = (path: string) => (merchant: SigningMerchant) => merchant.call("GET", path);
const post = (path: string, body: object) => (merchant: SigningMerchant) => merchant.call("POST", path, body);
const pair = { amount: 1, base_currency: "BRL", destination_currency: "USDT" };

/** The table of rate limits, with a call that may be repeated as often as it allows without a block. */
const limits: readonly (readonly [string, string, number, Call])[] = [
  ["RL-01", "POST /v2/oauth/token", 30, (merchant) => merchant.authenticate()],
  ["RL-02", "GET /v2/account/balance", 120, get(BALANCE)],
  ["RL-03", "GET /v2/account/info/profile", 60, get(PROFILE)],
  ["RL-04", "GET /v2/account/limits", 60, get("/v2/account/limits")],
  ["RL-05", "GET /v2/account/fees", 60, get(FEES)],
  ["RL-06", "POST /v2/transactions/cashin", 12_000, (merchant) => merchant.cashin({ currency: "BRL", amount: 1 })],
  ["RL-07", "POST /v2/transactions/cashout", 6_000, cashout],
  ["RL-08", "POST /v2/transactions/wallet", 30, post("/v2/transactions/wallet", { currency: "BRL" })],
  [
    "RL-09",
    "POST /v2/internal_transfers/payment",
    10,
    (merchant) => merchant.transfer({ username: "nobody", currency: "BRL", amount: 1 }),
  ],
  ["RL-10", "POST /v2/conversions/rate", 120, post("/v2/conversions/rate", pair)],
  ["RL-11", "POST /v2/conversions/simulate", 60, post("/v2/conversions/simulate", pair)],
  ["RL-12", "POST /v2/conversions/new", 30, (merchant) => merchant.convert(pair)],
  ["RL-13", "POST /v2/account/transactions/list", 300, post(LIST, {})],
  ["RL-14", "GET /v2/account/infractions", 60, get("/v2/account/infractions")],
  [
    "RL-15",
    "POST /v2/account/infractions/reply",
    10,
    (merchant) => reply(merchant, { infraction_id: "none", text: "x" }),
  ],
];

function cashout(merchant: SigningMerchant): Promise<Answer> {
  return merchant.cashout({ currency: "BRL", amount: 1, key: "52998224725" });
}

/** Limit, remaining, and seconds from the start of the world to the reset, as the headers have them. */
function windowOf({ headers }: Answer): [number, number, number] {
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`));
  return [number("limit"), number("remaining"), number("reset") - START_S];
}

const retryAfter = (answer: Answer) => answer.headers.get("retry-after");

/** A world with the two merchants, and calls one after another. */
async function opened(settings: Record<string, unknown> = {}) {
  const world = await file.world({ settings });
  const merchant = await SigningMerchant.ofAccount(world);
  return { world, merchant };
}

describe("rate windows", () => {
  test.each(limits)("%s HDR-02 HDR-03 HDR-04 %s: %i per minute", async (id, _path, limit, call) => {
    const { world, merchant } = await opened();
    const used = id === "RL-01" ? 1 : 0;
    const first = await call(merchant);
    expect(windowOf(first)).toEqual([limit, limit - used - 1, 60]);
    expect(retryAfter(first)).toBeNull();
    if (limit > 300) return;
    const rest = await Promise.all(Array.from({ length: limit - used - 1 }, () => call(merchant)));
    expect(rest.filter((answer) => answer.status === 429)).toEqual([]);
    const refused = await call(merchant);
    expectRefusal(refused, 429, "RATE_LIMIT_EXCEEDED");
    expect(windowOf(refused)).toEqual([limit, 0, 60]);
    expect(retryAfter(refused)).toBe("60");
    await world.advance("60s");
    if (id === "RL-01") merchant.token = "";
    const after = await call(merchant);
    expect(after.status).not.toBe(429);
    expect(windowOf(after)).toEqual([limit, limit - 1, 120]);
  });

  test("ERR-13 HDR-05 D19 D26a a window is 60 s from its first call, good up to and not at its end", async () => {
    const { world, merchant } = await opened();
    await world.advance("10s");
    await times(10, () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 }));
    await world.advance("20500ms");
    const refused = await merchant.transfer({ username: "globex", currency: "BRL", amount: 1 });
    expectRefusal(refused, 429, "RATE_LIMIT_EXCEEDED");
    expect([retryAfter(refused), windowOf(refused)]).toEqual(["40", [10, 0, 70]]);
    expect(refused.headers.get("x-sandbox-hint")).toContain("frozen");
    await world.advance("39499ms");
    const last = await merchant.transfer({ username: "globex", currency: "BRL", amount: 1 });
    expect([last.status, retryAfter(last)]).toEqual([429, "1"]);
    await world.advance("1ms");
    expectSuccess(await merchant.transfer({ username: "globex", currency: "BRL", amount: 1 }));
    expect(await merchant.money("BRL")).toEqual(["9989.00", "0.00"]);
  });

  test("D19 RL-08 they are per credential and endpoint", async () => {
    const { world, merchant } = await opened();
    const other = await SigningMerchant.ofAccount(world, "globex");
    const sibling = await SigningMerchant.ofCredential(
      world,
      await world.call("POST", "/accounts/acme/credentials", {}),
    );
    await times(10, () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 }));
    for (const same of [other, sibling]) {
      const answer = await same.transfer({ username: "nobody", currency: "BRL", amount: 1 });
      expect([answer.status, windowOf(answer)]).toEqual([404, [10, 9, 60]]);
    }
    expect(windowOf(await merchant.call("GET", FEES))).toEqual([60, 59, 60]);
  });

  test("RL-01 the token's is per address, whatever the client id", async () => {
    const { world, merchant } = await opened();
    const other = await SigningMerchant.ofAccount(world, "globex");
    await Promise.all(Array.from({ length: 14 }, () => merchant.authenticate()));
    await Promise.all(Array.from({ length: 14 }, () => other.authenticate()));
    expectRefusal(await other.authenticate(), 429, "RATE_LIMIT_EXCEEDED");
    expectRefusal(await merchant.authenticate(), 429, "RATE_LIMIT_EXCEEDED");
  });

  test("D15 D19 HDR-03 a path outside the table shows 1 000; what is refused before the credential counts for the address", async () => {
    const { merchant } = await opened();
    expect(windowOf(await merchant.call("GET", "/v2/nowhere"))).toEqual([1_000, 999, 60]);
    expect(windowOf(await merchant.call("POST", "/v2/elsewhere", {}))).toEqual([1_000, 998, 60]);
    const nobody = { Authorization: "Bearer forged" };
    expect(windowOf(await merchant.call("GET", BALANCE, undefined, nobody))).toEqual([120, 119, 60]);
    expect(windowOf(await merchant.call("GET", BALANCE, undefined, nobody))).toEqual([120, 118, 60]);
    expect(windowOf(await merchant.call("GET", BALANCE))).toEqual([120, 119, 60]);
    expect(windowOf(await merchant.cashin(BAD_CHARGE))).toEqual([12_000, 11_999, 60]);
    expect(windowOf(await merchant.cashin(BAD_CHARGE))).toEqual([12_000, 11_998, 60]);
  });
});

describe("the block of an address", () => {
  /** Five failures of mixed kinds, each a 401, none of them the block itself. */
  async function failFive(merchant: SigningMerchant, between: () => Promise<unknown> = async () => {}): Promise<void> {
    const wrongSecret = { client_id: merchant.clientId, client_secret: "wrong" };
    const unknown = { client_id: "nobody", client_secret: "wrong" };
    const signature = { headers: { "X-Signature": "0".repeat(64) } };
    const failures = [
      () => merchant.call("POST", "/v2/oauth/token", wrongSecret),
      () => merchant.call("POST", "/v2/oauth/token", unknown),
      () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer forged" }),
      () => merchant.cashout({ currency: "BRL", amount: 1, key: "x" }, signature),
      () => merchant.convert(pair, signature),
    ];
    for (const [index, fail] of failures.entries()) {
      if (index > 0) await between();
      expect((await fail()).status).toBe(401);
    }
  }

  test("ABUSE-02 ERR-14 RL-01 D18 D26a five failures of any kind within 5 minutes: 403 for 5 minutes, valid calls too", async () => {
    const { world, merchant } = await opened();
    const other = await SigningMerchant.ofAccount(world, "globex");
    await failFive(merchant, async () => {
      expectSuccess(await merchant.call("GET", PROFILE));
      expectSuccess(await merchant.authenticate());
      await world.advance("10s");
    });
    const before = await stateOf(world);
    for (const one of [merchant, other]) {
      const refused = await one.cashin({ currency: "BRL", amount: 10 });
      expectRefusal(refused, 403, "IP_BLOCKED_TEMPORARILY", "300 s");
      expect(retryAfter(refused)).toBeNull();
      expect(refused.headers.get("x-sandbox-hint")).toContain("300 s");
      expect(refused.headers.get("x-sandbox-hint")).toContain("frozen");
    }
    expectRefusal(await merchant.authenticate(), 403, "IP_BLOCKED_TEMPORARILY");
    merchant.token = other.token;
    expect(await stateOf(world)).toEqual(before);
    await world.advance("299999ms");
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY", "1 s");
    await world.advance("1ms");
    expectSuccess(await merchant.call("GET", BALANCE));
  });

  test("D18 D26a failures spread over more than 5 minutes do not add up", async () => {
    const { world, merchant } = await opened();
    const fail = () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer forged" });
    await times(4, fail);
    await world.advance("300s");
    await times(4, fail);
    expectSuccess(await merchant.call("GET", BALANCE));
    expect((await fail()).status).toBe(401);
    expectRefusal(await fail(), 403, "IP_BLOCKED_TEMPORARILY");
  });

  test("D18 the fourth failure after one that is 299.999 s old is the fifth", async () => {
    const { world, merchant } = await opened();
    const fail = () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer forged" });
    await fail();
    await world.advance("299999ms");
    await times(4, fail);
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY");
  });

  test("D18 auth_failures: consecutive: a success ends the row, five in a row block", async () => {
    const { world, merchant } = await opened({ auth_failures: "consecutive" });
    await failFive(merchant, async () => expectSuccess(await merchant.call("GET", PROFILE)));
    expectSuccess(await merchant.call("GET", BALANCE));
    await failFive(merchant, async () => expectSuccess(await merchant.authenticate()));
    expectSuccess(await merchant.call("GET", BALANCE));
    await world.advance("1m");
    await failFive(merchant);
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY");
  });

  test("D18 auth_failures: consecutive: failures over more than 5 minutes are a row, too", async () => {
    const { world, merchant } = await opened({ auth_failures: "consecutive" });
    const fail = () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer forged" });
    await times(2, fail);
    await world.advance("10m");
    for (const answer of await times(3, fail)) expectRefusal(answer, 401, "UNAUTHORIZED");
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY");
  });

  test("D18 auth_failures: consecutive: after a block the count begins anew", async () => {
    const { world, merchant } = await opened({ auth_failures: "consecutive" });
    await failFive(merchant);
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY");
    await world.advance("300s");
    const token = merchant.token;
    merchant.token = "wrong";
    expectRefusal(await merchant.call("GET", BALANCE), 401, "UNAUTHORIZED");
    merchant.token = token;
    expectSuccess(await merchant.call("GET", BALANCE));
  });

  test("D18 auth_failures: consecutive: a right token does not make up for five wrong signatures", async () => {
    const { merchant } = await opened({ auth_failures: "consecutive" });
    const wrong = { headers: { "X-Signature": "0".repeat(64) } };
    for (const answer of await times(5, () => merchant.convert(pair, wrong))) {
      expectRefusal(answer, 401, "INVALID_SIGNATURE");
    }
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY");
  });

  const nonce = randomUUID();
  const harmless: [string, Call][] = [
    ["missing token", (merchant) => merchant.call("GET", BALANCE, undefined, { Authorization: undefined })],
    ["missing signature", (merchant) => merchant.convert(pair, { headers: { "X-Signature": undefined } })],
    ["stale timestamp", (merchant) => merchant.convert(pair, { timestamp: 1_000_000_000 })],
    ["used nonce", (merchant) => merchant.convert(pair, { nonce })],
  ];

  // As many as would block the address, and fewer than would block the credential.
  test.each(harmless)("D18 a %s blocks nobody, however often it comes", async (_what, call) => {
    const { merchant } = await opened();
    expectSuccess(await merchant.convert(pair, { nonce }));
    for (const answer of await times(6, () => call(merchant))) expect(answer.status).toBe(401);
    expectSuccess(await merchant.call("GET", BALANCE));
  });

  test("D18 the block is this world's alone", async () => {
    const { merchant } = await opened();
    await failFive(merchant);
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLOCKED_TEMPORARILY");
    const elsewhere = await opened();
    expectSuccess(await elsewhere.merchant.call("GET", BALANCE));
  });
});

describe("the block of a credential", () => {
  const refuse = (merchant: SigningMerchant) => merchant.cashin(BAD_CHARGE);

  test("ABUSE-01 HDR-05 D16 D26a fifteen 4xx within a minute: 429 for 300 s, whatever is asked", async () => {
    const { world, merchant } = await opened();
    const sibling = await SigningMerchant.ofCredential(
      world,
      await world.call("POST", "/accounts/acme/credentials", {}),
    );
    for (const answer of await times(15, () => refuse(merchant))) expectRefusal(answer, 422, "INVALID_CURRENCY");
    const before = await stateOf(world);
    const blocked = await merchant.cashin({ currency: "BRL", amount: 10 });
    expectRefusal(blocked, 429, "RATE_LIMIT_EXCEEDED");
    expect(retryAfter(blocked)).toBe("300");
    expect(blocked.headers.get("x-sandbox-hint")).toContain("frozen");
    await world.advance("100500ms");
    expect(retryAfter(await merchant.call("GET", PROFILE))).toBe("200");
    expect(await stateOf(world)).toEqual(before);
    expectSuccess(await sibling.call("GET", PROFILE));
    await world.advance("199499ms");
    expect(retryAfter(await merchant.call("GET", PROFILE))).toBe("1");
    await world.advance("1ms");
    expectSuccess(await merchant.call("GET", PROFILE));
  });

  test("D16 the block's own refusals neither count nor prolong it", async () => {
    const { world, merchant } = await opened();
    await times(15, () => refuse(merchant));
    await world.advance("290s");
    for (const answer of await times(20, () => refuse(merchant))) expect(answer.status).toBe(429);
    await world.advance("10s");
    expectRefusal(await refuse(merchant), 422, "INVALID_CURRENCY");
    expectSuccess(await merchant.call("GET", PROFILE));
  });

  test("D16 D26a the minute slides: fourteen and, 60 s after the first, another one do not block", async () => {
    const { world, merchant } = await opened();
    await refuse(merchant);
    await world.advance("30s");
    await times(13, () => refuse(merchant));
    await world.advance("30s");
    await refuse(merchant);
    expectSuccess(await merchant.call("GET", PROFILE));
    await refuse(merchant);
    expectRefusal(await merchant.call("GET", PROFILE), 429, "RATE_LIMIT_EXCEEDED");
  });

  test("D16 ERR-13 the 429s of a rate window count as 4xx, and the one that begins the block says how long it lasts", async () => {
    const { world, merchant } = await opened();
    const transfer = () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 });
    await times(10, transfer);
    for (const answer of await times(14, transfer)) expect([answer.status, retryAfter(answer)]).toEqual([429, "60"]);
    for (const answer of await times(2, transfer)) expect([answer.status, retryAfter(answer)]).toEqual([429, "300"]);
    await world.advance("300s");
    expectSuccess(await transfer());
  });

  test("ERR-13 a window that lasts longer than the block that its 429 begins is what Retry-After tells of", async () => {
    const { world, merchant } = await opened({ credential_block: "10s" });
    const transfer = () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 });
    await times(24, transfer);
    expect(retryAfter(await transfer())).toBe("60");
    expect(retryAfter(await merchant.call("GET", PROFILE))).toBe("10");
    await world.advance("60s");
    expectSuccess(await transfer());
  });

  test("D15 D16 what is refused before the credential is known does not count for it", async () => {
    const { merchant } = await opened();
    await times(16, () => merchant.call("GET", "/v2/nowhere"));
    await times(16, () => merchant.call("PUT", PROFILE, {}));
    expectSuccess(await merchant.call("GET", PROFILE));
  });

  test("D16 credential_block sets its length", async () => {
    const { world, merchant } = await opened({ credential_block: "10s" });
    await times(15, () => refuse(merchant));
    expect(retryAfter(await merchant.call("GET", PROFILE))).toBe("10");
    await world.advance("10s");
    expectSuccess(await merchant.call("GET", PROFILE));
  });
});

describe("what is set from outside", () => {
  const block = (world: WorldClient, ips: readonly string[]) => world.call("PUT", "/blocked-ips", { ips });

  test.each(["enforce", "report", "off"])(
    "ERR-15 D17 a black-listed address is refused with protections: %s, however long, until it is lifted",
    async (protections) => {
      const { world, merchant } = await opened({ protections });
      expect(await block(world, [HOME, "203.0.113.9"])).toEqual({ ips: [HOME, "203.0.113.9"] });
      expect(await world.call("GET", "/blocked-ips")).toEqual({ ips: [HOME, "203.0.113.9"] });
      const refused = await merchant.call("GET", PROFILE);
      expectRefusal(refused, 403, "IP_BLACKLISTED");
      expect(retryAfter(refused)).toBeNull();
      await world.advance("30d");
      expectRefusal(await merchant.authenticate(), 403, "IP_BLACKLISTED");
      expectRefusal(await merchant.call("POST", LIST, {}), 403, "IP_BLACKLISTED");
      expect(await block(world, ["203.0.113.9"])).toEqual({ ips: ["203.0.113.9"] });
      expectSuccess(
        await merchant.call("POST", "/v2/oauth/token", {
          client_id: merchant.clientId,
          client_secret: merchant.clientSecret,
        }),
        200,
      );
    },
  );

  test("D17 the list is the world's", async () => {
    const { world } = await opened();
    await block(world, [HOME]);
    const elsewhere = await opened();
    expectSuccess(await elsewhere.merchant.call("GET", PROFILE));
    expect(await elsewhere.world.call("GET", "/blocked-ips")).toEqual({ ips: [] });
  });

  test.each([
    [{}, "ips"],
    [{ ips: "127.0.0.1" }, "ips"],
    [{ ips: ["nonsense"] }, "address"],
    [{ ips: ["10.0.0.0/8"] }, "address"],
    [{ ips: [], ip: "x" }, "ip"],
  ])("PUT /_sandbox/blocked-ips refuses %j and leaves the list alone", async (body, hint) => {
    const { world } = await opened();
    await block(world, ["203.0.113.9"]);
    const answer = await control(world, "PUT", "/blocked-ips", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(hint);
    expect(await world.call("GET", "/blocked-ips")).toEqual({ ips: ["203.0.113.9"] });
  });

  test("PUT /_sandbox/blocked-ips knows an address however it is written", async () => {
    const { world, merchant } = await opened();
    expect(await block(world, ["0:0:0:0:0:0:0:1", "::ffff:127.0.0.1"])).toEqual({ ips: [HOME, "::1"] });
    expectRefusal(await merchant.call("GET", PROFILE), 403, "IP_BLACKLISTED");
  });

  test("D17 steps of a scenario put an address on the list and take it off, however it is written", async () => {
    const steps = [{ block_ip: "::FFFF:127.0.0.1" }, { after: "1h", unblock_ip: "0:0:0:0:0:ffff:7f00:1" }];
    const world = await file.world({ scenarios: [scenario("support", clockRule({ at: "+1m" }, steps))] });
    const merchant = await SigningMerchant.ofAccount(world);
    await world.advance("1m");
    expect(await world.call("GET", "/blocked-ips")).toEqual({ ips: [HOME] });
    expectRefusal(await merchant.call("GET", PROFILE), 403, "IP_BLACKLISTED");
    await world.advance("1h");
    expect(await world.call("GET", "/blocked-ips")).toEqual({ ips: [] });
  });

  test.each(["enforce", "report", "off"])(
    "ERR-16 D17 an account under review may have a token and read its profile, no more, with protections: %s",
    async (protections) => {
      const { world, merchant } = await opened({ protections });
      const other = await SigningMerchant.ofAccount(world, "globex");
      await world.call("PATCH", "/accounts/acme", { status: "under_review" });
      expect((await merchant.authenticate()).status).toBe(200);
      expect(expectSuccess(await merchant.call("GET", PROFILE))).toMatchObject({ status: "under_review" });
      for (const [id, , , call] of limits) {
        if (id === "RL-01" || id === "RL-03") continue;
        expectRefusal(await call(merchant), 423, "SECURITY_BLOCKED");
      }
      for (const path of [BALANCE, FEES]) expectSuccess(await other.call("GET", path));
      await world.call("PATCH", "/accounts/acme", { status: "active" });
      expectSuccess(await merchant.call("GET", BALANCE));
    },
  );
});

describe("D15 of several faults the earliest in the order of checks is told", () => {
  /** A world in which everything that can stand in the way of a call does so. */
  async function everythingWrong() {
    const { world, merchant } = await opened();
    await world.call("PUT", "/blocked-ips", { ips: [HOME] });
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    return { world, merchant };
  }

  test("path, method and size before the block of the address", async () => {
    const { merchant } = await everythingWrong();
    expectRefusal(await merchant.call("GET", "/v2/nowhere"), 404, "NOT_FOUND");
    const wrongMethod = await merchant.call("DELETE", PROFILE);
    expectRefusal(wrongMethod, 405, "METHOD_NOT_ALLOWED");
    expect(wrongMethod.headers.get("allow")).toBe("GET");
    expectRefusal(await merchant.cashin({ currency: "x".repeat(1_100_000) }), 413, "PAYLOAD_TOO_LARGE");
    expectRefusal(await merchant.call("DELETE", LIST, "x".repeat(1_100_000)), 405, "METHOD_NOT_ALLOWED");
  });

  test("the block of the address before the token", async () => {
    const { merchant } = await everythingWrong();
    expectRefusal(await merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer x" }), 403, "IP_BLACKLISTED");
  });

  test("the black list before the temporary block", async () => {
    const { world, merchant } = await opened();
    await times(5, () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer forged" }));
    await world.call("PUT", "/blocked-ips", { ips: [HOME] });
    expectRefusal(await merchant.call("GET", BALANCE), 403, "IP_BLACKLISTED");
  });

  test("the token before the block of the credential, that before the review", async () => {
    const { world, merchant } = await opened();
    await times(15, () => merchant.cashin(BAD_CHARGE));
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    expectRefusal(await merchant.call("GET", BALANCE, undefined, { Authorization: undefined }), 401, "UNAUTHORIZED");
    expectRefusal(await merchant.call("GET", BALANCE), 429, "RATE_LIMIT_EXCEEDED");
    await world.advance("300s");
    expectRefusal(await merchant.call("GET", BALANCE), 423, "SECURITY_BLOCKED");
  });

  test("the review before the rate limit", async () => {
    const { world, merchant } = await opened();
    const transfer = () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 });
    await times(10, transfer);
    await world.call("PATCH", "/accounts/acme", { status: "under_review" });
    expectRefusal(await transfer(), 423, "SECURITY_BLOCKED");
    await world.call("PATCH", "/accounts/acme", { status: "active" });
    expectRefusal(await transfer(), 429, "RATE_LIMIT_EXCEEDED");
  });

  test("the rate limit before the signature", async () => {
    const { merchant } = await opened();
    await times(30, () => merchant.convert(pair));
    const unsigned = await merchant.call("POST", "/v2/conversions/new", pair);
    expectRefusal(unsigned, 429, "RATE_LIMIT_EXCEEDED");
  });

  test("the signature before content type and body, those before the rules", async () => {
    const { merchant } = await opened();
    const broken = "{";
    const text = { "Content-Type": "text/plain" };
    const wrong = { headers: { "X-Signature": "0".repeat(64), ...text } };
    const path = "/v2/conversions/new";
    expectRefusal(await merchant.call("POST", path, broken, text), 401, "MISSING_SIGNATURE");
    expectRefusal(await merchant.signed(path, broken, wrong), 401, "INVALID_SIGNATURE");
    expectRefusal(await merchant.signed(path, broken, { headers: text }), 415, "UNSUPPORTED_MEDIA_TYPE");
    expectRefusal(await merchant.signed(path, broken), 400, "INVALID_REQUEST");
    expectRefusal(await merchant.signed(path, { ...pair, amount: "1", base_currency: "XYZ" }), 400, "INVALID_REQUEST");
    expectRefusal(await merchant.signed(path, { ...pair, base_currency: "XYZ" }), 422, "INVALID_CURRENCY");
  });

  test("the reply's form after the token, before the search for its dispute", async () => {
    const { merchant } = await opened();
    expectRefusal(await merchant.call("POST", REPLY_PATH, "{", { Authorization: undefined }), 401, "UNAUTHORIZED");
    expectRefusal(await merchant.call("POST", REPLY_PATH, "{"), 415, "UNSUPPORTED_MEDIA_TYPE");
    expectRefusal(await reply(merchant, { infraction_id: "none" }), 400, "INVALID_REQUEST");
    expectRefusal(await reply(merchant, { infraction_id: "none", text: "x" }), 404, "NOT_FOUND");
  });
});

describe("protections", () => {
  /** Breaks every rule of the house. @returns the answers to valid calls afterwards. */
  async function misbehave(merchant: SigningMerchant): Promise<Answer[]> {
    await times(6, () => merchant.call("GET", BALANCE, undefined, { Authorization: "Bearer forged" }));
    await times(16, () => merchant.cashin(BAD_CHARGE));
    await times(11, () => merchant.transfer({ username: "globex", currency: "BRL", amount: 1 }));
    return [
      await merchant.transfer({ username: "globex", currency: "BRL", amount: 1 }),
      await merchant.call("GET", FEES),
    ];
  }

  test("D19 enforce is the default", async () => {
    const { world, merchant } = await opened();
    expect((await world.info()).settings.protections).toBe("enforce");
    expect((await misbehave(merchant)).map(refusal)).toEqual([
      [403, "IP_BLOCKED_TEMPORARILY"],
      [403, "IP_BLOCKED_TEMPORARILY"],
    ]);
  });

  /** The blocks that the journal of a world tells of. */
  async function blocksIn(world: WorldClient): Promise<string[]> {
    const kinds = (await world.journal()).map(({ kind }) => kind);
    return kinds.filter((kind) => kind.endsWith(".blocked"));
  }

  test("D16 D18 D19 report counts and shows, and blocks nothing", async () => {
    const { world, merchant } = await opened({ protections: "report" });
    const [transfer, fees] = await misbehave(merchant);
    expect(await blocksIn(world)).toEqual(["address.blocked", "credential.blocked"]);
    expect([transfer?.status, transfer && windowOf(transfer)]).toEqual([200, [10, 0, 60]]);
    expect([fees?.status, fees && windowOf(fees)]).toEqual([200, [60, 59, 60]]);
  });

  test("D16 D18 D19 off leaves the counters alone: every answer shows a full window, and no block begins", async () => {
    const { world, merchant } = await opened({ protections: "off" });
    const [transfer, fees] = await misbehave(merchant);
    expect(await blocksIn(world)).toEqual([]);
    expect([transfer?.status, transfer && windowOf(transfer)]).toEqual([200, [10, 10, 60]]);
    expect([fees?.status, fees && windowOf(fees)]).toEqual([200, [60, 60, 60]]);
    await world.advance("7s");
    expect(windowOf(await merchant.call("GET", FEES))).toEqual([60, 60, 67]);
    expect(windowOf(await merchant.call("GET", "/v2/nowhere"))).toEqual([1_000, 1_000, 67]);
  });
});
