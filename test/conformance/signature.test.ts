/** The signature of cash-outs and conversions, and what a wrong one costs. */
import { createHmac, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { chargeOf, START_S } from "../support/charges.ts";
import { useSandbox } from "../support/sandbox.ts";
import { hmacOf, refusal, type SigningMerchant, setStage } from "../support/signing.ts";

const file = useSandbox();

const CASHOUT = { currency: "BRL", amount: "10.00", key: "12345678909" };
const CONVERSION = { amount: 10, base_currency: "BRL", destination_currency: "USDT" };

/** The two endpoints that need a signature: path, body, status when all is right. */
const signedEndpoints = [
  ["/v2/transactions/cashout", CASHOUT, 202],
  ["/v2/conversions/new", CONVERSION, 200],
] as const;

const HEADERS = ["X-Signature", "X-Timestamp", "X-Nonce"] as const;
const UNTOUCHED = ["10000.00", "0.00"];
const WRONG = "0".repeat(64);

describe.each(signedEndpoints)("%s", (path, body, accepted) => {
  test("CONV-08 COUT-01 AUTH-04 it is accepted with token and signature", async () => {
    await using stage = await setStage(file);
    expect((await stage.merchant.signed(path, body)).status).toBe(accepted);
  });

  test.each(HEADERS)(
    "ERR-01 CONV-08 COUT-01 D14 without %s, or with an empty one, it is MISSING_SIGNATURE",
    async (header) => {
      await using stage = await setStage(file);
      for (const value of [undefined, ""]) {
        const answer = await stage.merchant.signed(path, body, { headers: { [header]: value } });
        expect(answer.status).toBe(401);
        expect(answer.body).toEqual({
          success: false,
          error: {
            code: "MISSING_SIGNATURE",
            message: `The header ${header} is missing.`,
            group: "AUTH",
            retryable: false,
          },
        });
      }
      expect(await stage.merchant.money("BRL")).toEqual(UNTOUCHED);
    },
  );

  test("D14 Bearer alone does not suffice; the refusal tells what is missing", async () => {
    await using stage = await setStage(file);
    const bare = await stage.merchant.call("POST", path, body);
    expect(refusal(bare)).toEqual([401, "MISSING_SIGNATURE"]);
    expect(bare.body.error.message).toBe("The signature headers are missing.");
    const headers = { "X-Signature": undefined, "X-Nonce": undefined };
    const timed = await stage.merchant.signed(path, body, { headers });
    expect(timed.body.error.message).toBe("The headers X-Signature and X-Nonce are missing.");
  });

  test("CONV-08 COUT-01 D15 a signature without a valid token is UNAUTHORIZED", async () => {
    await using stage = await setStage(file);
    for (const Authorization of [undefined, "Bearer forged"]) {
      const answer = await stage.merchant.signed(path, body, { headers: { Authorization } });
      expect(refusal(answer)).toEqual([401, "UNAUTHORIZED"]);
    }
    expect(await stage.merchant.money("BRL")).toEqual(UNTOUCHED);
  });

  test("CONV-09 ERR-02 the signature is over the bytes as they were sent", async () => {
    await using stage = await setStage(file);
    const spaced = JSON.stringify(body, null, 2);
    expect((await stage.merchant.signed(path, spaced)).status).toBe(accepted);
    const answer = await stage.merchant.signed(path, spaced, {
      sign: ({ timestamp, nonce, key }) => hmacOf(key, `${timestamp}.${nonce}.${JSON.stringify(body)}`),
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      success: false,
      error: { code: "INVALID_SIGNATURE", message: expect.any(String), group: "AUTH", retryable: false },
    });
  });

  test.each<[string, Parameters<SigningMerchant["signed"]>[2]]>([
    ["another order", { sign: (of) => hmacOf(of.key, `${of.nonce}.${of.timestamp}.${of.body}`) }],
    ["another separator", { sign: (of) => hmacOf(of.key, `${of.timestamp}:${of.nonce}:${of.body}`) }],
    ["no separator", { sign: (of) => hmacOf(of.key, of.timestamp + of.nonce + of.body) }],
    ["the body alone", { sign: (of) => hmacOf(of.key, of.body) }],
    ["another key", { sign: (of) => hmacOf("another key", `${of.timestamp}.${of.nonce}.${of.body}`) }],
    ["the key as bytes", { sign: (of) => digestOf("sha256", Buffer.from(of.key, "hex"), of).toString("hex") }],
    ["base64", { sign: (of) => digestOf("sha256", of.key, of).toString("base64") }],
    ["upper-case hex", { sign: (of) => digestOf("sha256", of.key, of).toString("hex").toUpperCase() }],
    ["SHA-512", { sign: (of) => digestOf("sha512", of.key, of).toString("hex") }],
    ["a prefix", { sign: (of) => `sha256=${digestOf("sha256", of.key, of).toString("hex")}` }],
    ["half of it", { sign: (of) => digestOf("sha256", of.key, of).toString("hex").slice(0, 32) }],
    ["another timestamp than the signed one", { timestamp: START_S, headers: { "X-Timestamp": String(START_S + 1) } }],
    ["another nonce than the signed one", { headers: { "X-Nonce": randomUUID() } }],
  ])("CONV-09 CONV-10 ERR-02 D14 refused: %s", async (_what, overrides) => {
    await using stage = await setStage(file);
    expect(refusal(await stage.merchant.signed(path, body, overrides))).toEqual([401, "INVALID_SIGNATURE"]);
    expect(await stage.merchant.money("BRL")).toEqual(UNTOUCHED);
  });

  test("CONV-12 D15 the content type is looked at after the signature", async () => {
    await using stage = await setStage(file);
    const headers = { "Content-Type": "text/plain" };
    expect(refusal(await stage.merchant.signed(path, body, { headers }))).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const wrong = await stage.merchant.signed(path, body, { headers: { ...headers, "X-Signature": WRONG } });
    expect(refusal(wrong)).toEqual([401, "INVALID_SIGNATURE"]);
    expect(await stage.merchant.money("BRL")).toEqual(UNTOUCHED);
  });
});

test("AUTH-04 the other twelve Bearer endpoints need none of the three headers", async () => {
  await using stage = await setStage(file);
  const { merchant, world } = stage;
  const charge = await chargeOf(merchant);
  await world.act(charge, "pay");
  await world.act(charge, "dispute");
  const pair = { amount: 10, base_currency: "BRL", destination_currency: "USDT" };
  const answers = [
    await merchant.call("POST", "/v2/transactions/cashin", { currency: "BRL", amount: 10 }),
    await merchant.call("POST", "/v2/transactions/wallet", { currency: "BRL" }),
    await merchant.transfer({ username: "globex", currency: "BRL", amount: 10 }),
    await merchant.call("POST", "/v2/conversions/rate", pair),
    await merchant.call("POST", "/v2/conversions/simulate", pair),
    await merchant.call("POST", "/v2/account/transactions/list", {}),
    ...(await Promise.all(
      ["balance", "info/profile", "fees", "limits", "infractions"].map((path) =>
        merchant.call("GET", `/v2/account/${path}`),
      ),
    )),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(200));
  const [dispute] = answers.at(-1)?.body.data.items ?? [];
  const form = new FormData();
  form.set("infraction_id", dispute.infraction_id);
  form.set("text", "The goods were delivered.");
  const reply = await fetch(`${world.baseUrl}/v2/account/infractions/reply`, {
    method: "POST",
    headers: { Authorization: `Bearer ${merchant.token}` },
    body: form,
  });
  expect(reply.status).toBe(200);
});

describe("X-Timestamp", () => {
  test.each([300, -300])("D13 CONV-10 %i s off the world's clock passes", async (offset) => {
    await using stage = await setStage(file, { settings: { signature_clock: "world" } });
    expect((await stage.merchant.cashout(CASHOUT, { timestamp: START_S + offset })).status).toBe(202);
    await stage.world.advance("999ms");
    expect((await stage.merchant.cashout(CASHOUT, { timestamp: START_S + offset })).status).toBe(202);
  });

  test.each([301, -301])("D13 %i s off is INVALID_SIGNATURE", async (offset) => {
    await using stage = await setStage(file, { settings: { signature_clock: "world" } });
    const answer = await stage.merchant.cashout(CASHOUT, { timestamp: START_S + offset });
    expect(refusal(answer)).toEqual([401, "INVALID_SIGNATURE"]);
    expect(answer.headers.get("x-sandbox-hint")).toContain("301 s");
  });

  test("D13 on the wall's clock too it is some 300 s either way", async () => {
    await using stage = await setStage(file, { settings: { signature_clock: "wall" } });
    const wall = Math.floor(Date.now() / 1000);
    const statuses = [];
    for (const offset of [-310, -290, 290, 310]) {
      statuses.push((await stage.merchant.cashout(CASHOUT, { timestamp: wall + offset })).status);
    }
    expect(statuses).toEqual([401, 202, 202, 401]);
  });

  test("D13 the tolerance is a setting", async () => {
    await using stage = await setStage(file, { settings: { signature_clock: "world", signature_tolerance: "10s" } });
    expect((await stage.merchant.cashout(CASHOUT, { timestamp: START_S - 10 })).status).toBe(202);
    expect(refusal(await stage.merchant.cashout(CASHOUT, { timestamp: START_S - 11 }))[0]).toBe(401);
  });

  test.each([
    ["either", [202, 202, 401]],
    ["world", [401, 202, 401]],
    ["wall", [202, 401, 401]],
  ] as const)(
    "D13 signature_clock: %s in a world far ahead: wall, world, in between give %j",
    async (signature_clock, statuses) => {
      const wall = Math.floor(Date.now() / 1000);
      const world = wall + 400 * 86_400;
      const start = new Date(world * 1000).toISOString();
      await using stage = await setStage(file, { clock: { start }, settings: { signature_clock } });
      const answers = [];
      for (const timestamp of [wall, world, wall + 200 * 86_400]) {
        answers.push((await stage.merchant.cashout(CASHOUT, { timestamp })).status);
      }
      expect(answers).toEqual(statuses);
    },
  );

  test.each([
    ["world", { mode: "frozen" }, "the clock of this world; 300s are accepted."],
    ["wall", { mode: "running", speed: 60 }, "the wall clock; 300s are accepted."],
    [
      "either",
      { mode: "running", speed: 60 },
      "the nearer of the wall clock and the clock of this world, which runs 60 times as fast as real time; 300s are accepted.",
    ],
  ] as const)("D13 the hint tells which clock counts, and its speed: %s, %j", async (signature_clock, clock, told) => {
    await using stage = await setStage(file, { clock, settings: { signature_clock } });
    const hint = (await stage.merchant.cashout(CASHOUT, { timestamp: 1 })).headers.get("x-sandbox-hint");
    expect(hint).toMatch(/^X-Timestamp is \d+ s off /);
    expect(hint).toContain(` off ${told}`);
  });

  test("D13 a clock in the last year that one may show takes its own seconds", async () => {
    const start = "9999-06-01T12:00:00.000Z";
    await using stage = await setStage(file, { clock: { start } });
    expect((await stage.merchant.cashout(CASHOUT, { timestamp: Date.parse(start) / 1000 })).status).toBe(202);
  });

  test.each([
    ["in milliseconds", START_S * 1000],
    ["with a fraction", `${START_S}.5`],
    ["negative", -START_S],
    ["ISO 8601", "2026-01-01T12:00:00Z"],
    ["hexadecimal", `0x${START_S.toString(16)}`],
    ["a word", "now"],
  ])("CONV-10 D14 a rightly signed timestamp %s is INVALID_SIGNATURE", async (_what, timestamp) => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.cashout(CASHOUT, { timestamp });
    expect(refusal(answer)).toEqual([401, "INVALID_SIGNATURE"]);
    expect(answer.headers.get("x-sandbox-hint")).toContain("X-Timestamp must be Unix seconds.");
  });
});

describe("X-Nonce", () => {
  test.each([
    ["a number", "12345"],
    ["a UUID of version 1", "c232ab00-9414-11ec-b3c8-9f6bdeced846"],
    ["a UUID of version 7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"],
    ["of another variant", "9b2f6c0e-3c3c-4c3c-0c3c-3c3c3c3c3c3c"],
    ["without dashes", "9b2f6c0e3c3c4c3c8c3c3c3c3c3c3c3c"],
    ["in braces", "{9b2f6c0e-3c3c-4c3c-8c3c-3c3c3c3c3c3c}"],
  ])("CONV-11 D14 a rightly signed nonce that is %s is INVALID_SIGNATURE", async (_what, nonce) => {
    await using stage = await setStage(file);
    expect(refusal(await stage.merchant.convert(CONVERSION, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
  });

  test("CONV-11 CONST-02 D14 D26a a nonce is good once in five minutes of the world's clock", async () => {
    await using stage = await setStage(file);
    const { merchant, world } = stage;
    const nonce = randomUUID();
    expect((await merchant.convert(CONVERSION, { nonce })).status).toBe(200);
    expect(refusal(await merchant.convert(CONVERSION, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
    expect(refusal(await merchant.cashout(CASHOUT, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
    await world.advance("299999ms");
    expect(refusal(await merchant.convert(CONVERSION, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
    await world.advance("1ms");
    expect((await merchant.convert(CONVERSION, { nonce })).status).toBe(200);
  });

  test("D14 in capitals it is the same nonce", async () => {
    await using stage = await setStage(file);
    const nonce = "A5E5C3D2-9B1F-4E2A-8C7D-0F1E2D3C4B5A";
    expect((await stage.merchant.convert(CONVERSION, { nonce })).status).toBe(200);
    const again = await stage.merchant.convert(CONVERSION, { nonce: nonce.toLowerCase() });
    expect(refusal(again)).toEqual([401, "INVALID_SIGNATURE"]);
  });

  test("D14 only a right signature burns it", async () => {
    await using stage = await setStage(file);
    const nonce = randomUUID();
    const wrong = { nonce, headers: { "X-Signature": WRONG } };
    expect(refusal(await stage.merchant.convert(CONVERSION, wrong))).toEqual([401, "INVALID_SIGNATURE"]);
    expect((await stage.merchant.convert(CONVERSION, { nonce })).status).toBe(200);
    expect(refusal(await stage.merchant.convert(CONVERSION, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
  });

  test("D14 a right signature burns it, whatever the rules say of the request then", async () => {
    await using stage = await setStage(file);
    const nonce = randomUUID();
    const tooMuch = { ...CONVERSION, amount: 99_999 };
    expect(refusal(await stage.merchant.convert(tooMuch, { nonce }))).toEqual([422, "INSUFFICIENT_BALANCE"]);
    expect(refusal(await stage.merchant.convert(CONVERSION, { nonce }))).toEqual([401, "INVALID_SIGNATURE"]);
  });
});

describe("authentication failures of an address", () => {
  type Attempt = (merchant: SigningMerchant) => Promise<unknown>;
  const wrongSecret: Attempt = (merchant) => tokenWith(merchant, { client_secret: "wrong" });
  const unknownClient: Attempt = (merchant) => tokenWith(merchant, { client_id: "nobody" });
  const forgedToken: Attempt = (merchant) =>
    merchant.call("GET", "/v2/account/fees", undefined, { Authorization: "Bearer forged" });
  const wrongHmac: Attempt = (merchant) => merchant.cashout(CASHOUT, { headers: { "X-Signature": WRONG } });
  const success: Attempt = (merchant) => merchant.call("GET", "/v2/account/fees");
  const mixed = [wrongSecret, success, unknownClient, success, forgedToken, success, wrongHmac, success, wrongSecret];
  const enforced = { protections: "enforce" };

  test("D18 ERR-02 the fifth of mixed kinds blocks the address, successes in between or not", async () => {
    await using stage = await setStage(file, { settings: enforced });
    for (const attempt of mixed) await attempt(stage.merchant);
    await stage.world.advance("100s");
    const blocked = await stage.merchant.cashout(CASHOUT);
    expect(blocked.status).toBe(403);
    expect(blocked.body.error).toMatchObject({ code: "IP_BLOCKED_TEMPORARILY", group: "SECURITY", retryable: true });
    expect(blocked.body.error.message).toContain("200 s");
    expect(blocked.headers.get("x-sandbox-hint")).toContain("200 s");
    expect(blocked.headers.get("retry-after")).toBeNull();
    await stage.world.advance("199999ms");
    expect(refusal(await stage.merchant.cashout(CASHOUT))[0]).toBe(403);
    await stage.world.advance("1ms");
    expect((await stage.merchant.cashout(CASHOUT)).status).toBe(202);
  });

  test("D18 with auth_failures: consecutive a success in between starts the count anew", async () => {
    await using stage = await setStage(file, { settings: { ...enforced, auth_failures: "consecutive" } });
    for (const attempt of mixed) await attempt(stage.merchant);
    expect((await stage.merchant.cashout(CASHOUT)).status).toBe(202);
    for (let count = 0; count < 4; count++) await wrongHmac(stage.merchant);
    expect(refusal(await stage.merchant.cashout(CASHOUT, { headers: { "X-Signature": WRONG } }))[0]).toBe(401);
    expect(refusal(await stage.merchant.cashout(CASHOUT))).toEqual([403, "IP_BLOCKED_TEMPORARILY"]);
  });

  test("D18 failures that lie five minutes apart block nothing", async () => {
    await using stage = await setStage(file, { settings: enforced });
    for (let count = 0; count < 4; count++) await wrongHmac(stage.merchant);
    await stage.world.advance("300s");
    await wrongHmac(stage.merchant);
    expect((await stage.merchant.cashout(CASHOUT)).status).toBe(202);
  });

  test.each<[string, object]>([
    ["nonce", { nonce: "x" }],
    ["timestamp", { timestamp: 1_767_268_800_000 }],
  ])("D14 D18 a malformed %s is none by itself, and a wrong HMAC is one beside it", async (_what, slip) => {
    await using stage = await setStage(file, { settings: enforced });
    const { merchant } = stage;
    for (let count = 0; count < 6; count++) {
      expect(refusal(await merchant.cashout(CASHOUT, slip))).toEqual([401, "INVALID_SIGNATURE"]);
    }
    for (let count = 0; count < 5; count++) {
      const wrong = { ...slip, headers: { "X-Signature": WRONG } };
      expect(refusal(await merchant.cashout(CASHOUT, wrong))).toEqual([401, "INVALID_SIGNATURE"]);
    }
    expect(refusal(await merchant.cashout(CASHOUT))).toEqual([403, "IP_BLOCKED_TEMPORARILY"]);
  });
});

function digestOf(
  algorithm: string,
  key: string | Buffer,
  of: { timestamp: string; nonce: string; body: string },
): Buffer {
  return createHmac(algorithm, key).update(`${of.timestamp}.${of.nonce}.${of.body}`).digest();
}

/** Asks for a token, with something wrong. */
function tokenWith(merchant: SigningMerchant, wrong: object): Promise<unknown> {
  const body = { client_id: merchant.clientId, client_secret: merchant.clientSecret, ...wrong };
  return merchant.call("POST", "/v2/oauth/token", body, { Authorization: undefined });
}
