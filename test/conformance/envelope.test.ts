/** What all answers have in common: envelope, failure body, headers, addresses, methods, media, order of checks. */
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, expectSuccess, INSTANT, stateOf } from "../support/answers.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { openSocket, untilClosed } from "../support/socket.ts";
import { UNPROTECTED } from "./unprotected.ts";

const file = useSandbox();

const CASHIN = "/v2/transactions/cashin";
const BALANCE = "/v2/account/balance";
const TOKEN = "/v2/oauth/token";
const ORDER = { currency: "BRL", amount: 10 };
const MIB = 1024 * 1024;

const review = (world: WorldClient, username: string, status: string) =>
  world.call("PATCH", `/accounts/${username}`, { status });

/** A cash-in of exactly so many bytes. */
function orderOf(bytes: number): string {
  const empty = JSON.stringify({ ...ORDER, note: "" });
  return JSON.stringify({ ...ORDER, note: "x".repeat(bytes - empty.length) });
}

describe("success", () => {
  test("ENV-02 ENV-05 D27 D28 success, data, request_id and timestamp, in JSON", async () => {
    const world = await file.world({ clock: { start: "2026-05-06T07:08:09.010Z" } });
    const merchant = new Merchant(world, world.credentials);
    const answers = [
      await merchant.authenticate(),
      await merchant.cashin(ORDER),
      await merchant.call("GET", BALANCE),
      await merchant.call("GET", `${BALANCE}?currency=BRL`),
    ];
    for (const answer of answers) {
      expectSuccess(answer);
      expect(answer.body.timestamp).toBe("2026-05-06T07:08:09.010Z");
    }
    expect(answers.slice(1).map(({ body }) => Object.keys(body).length)).toEqual([4, 4, 4]);
  });

  test("D27 the timestamp follows the clock, to the millisecond", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const [step, instant] of [
      ["1ms", "2026-01-01T12:00:00.001Z"],
      ["58m59s", "2026-01-01T12:58:59.001Z"],
    ] as const) {
      await world.advance(step);
      const answer = await merchant.call("GET", BALANCE);
      expect([answer.body.timestamp, answer.headers.get("x-sandbox-time")]).toEqual([instant, instant]);
    }
  });

  test("ENV-04 D28 request_id is another one for every request, and the log knows each", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const order = await merchant.cashin({ ...ORDER, external_id: "the same" });
      const refused = await merchant.cashin({ ...ORDER, amount: 0 });
      for (const answer of [order, refused, await merchant.call("GET", BALANCE)]) {
        ids.push(answer.headers.get("x-request-id") ?? "");
      }
    }
    expect(new Set(ids).size).toBe(12);
    const found = await Promise.all(ids.map((id) => world.call<{ status: number }>("GET", `/requests/${id}`)));
    expect(found.map(({ status }) => status)).toEqual([200, 400, 200, 200, 400, 200, 200, 400, 200, 200, 400, 200]);
  });

  test("the request log keeps no secret of the call's headers", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const answer = await merchant.call("GET", BALANCE);
    const logged = await world.call<object>("GET", `/requests/${answer.body.request_id}`);
    expect(JSON.stringify(logged)).not.toContain(merchant.token);
  });

  test("R4 the headers name the world and its time, the body has nothing of the sandbox", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const answer of [
      await merchant.cashin(ORDER),
      await merchant.cashin({}),
      await merchant.call("GET", "/v2/x"),
    ]) {
      expect(answer.headers.get("x-sandbox-world")).toBe(world.id);
      expect(answer.headers.get("x-sandbox-time")).toMatch(INSTANT);
      expect(answer.headers.get("x-sandbox-hint")).toBeNull();
      // The name in the PIX text is that of a receiver, as a fixture has it.
      expect(answer.text.replace(/"qr_code":"[^"]*"/, "")).not.toMatch(new RegExp(`sandbox|${world.id}`, "i"));
    }
  });
});

describe("addresses", () => {
  test("ENV-01 the default world answers below the root, another one below its own base, alike", async () => {
    const worlds = [await file.sandbox.defaultWorld(), await file.world()];
    const answers = [];
    for (const world of worlds) {
      const merchant = await Merchant.of(world);
      const charge = expectSuccess(await merchant.cashin(ORDER));
      expectRefusal(await merchant.cashin({}), 400, "INVALID_REQUEST");
      expectRefusal(await merchant.call("GET", "/v2/nothing"), 404, "NOT_FOUND");
      answers.push({ keys: Object.keys(charge), balance: await merchant.balance("BRL") });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(new URL(worlds[0]?.baseUrl ?? "").pathname).toBe("/");
  });

  test.each([
    ["GET", "/v2"],
    ["GET", "/v2/"],
    ["GET", "/v2/nothing"],
    ["POST", "/v2/transactions"],
    ["POST", "/v2/transactions/cashin/"],
    ["POST", "/v2//transactions/cashin"],
    ["POST", "/v2/transactions/cashin/1"],
    ["POST", "/v2/Transactions/Cashin"],
    ["POST", "/v2/transactions/cashin%00"],
    ["POST", "/v2/transactions%2Fcashin"],
    ["POST", "/v2/%zz"],
    ["POST", "/v2/%F0%9F%92%B8"],
    ["GET", `/v2/${"a".repeat(5_000)}`],
    ["DELETE", "/v2/transactions/1"],
    ["OPTIONS", "/v2/*"],
  ])("D21 VER-01 %s %s is NOT_FOUND, with a token and without", async (method, path) => {
    const merchant = await Merchant.of(await file.world());
    for (const headers of [{}, { Authorization: undefined }]) {
      const answer = await merchant.call(method, path, undefined, headers);
      expectRefusal(answer, 404, "NOT_FOUND");
      expect(answer.headers.get("x-ratelimit-limit")).toBe("1000");
    }
  });

  test.each(["/v1/oauth/token", "/V2/oauth/token", "/oauth/token", "/v3/transactions/cashin", "/v2x/oauth/token"])(
    "VER-01 %s is not found: the version is in the prefix",
    async (path) => {
      const world = await file.world();
      for (const baseUrl of [world.baseUrl, file.sandbox.baseUrl]) {
        const answer = await new Merchant({ baseUrl }, world.credentials).call("POST", path, {});
        expect(answer.status).toBe(404);
        expect(answer.body).toStrictEqual({
          success: false,
          error: { code: "NOT_FOUND", message: expect.any(String), group: "VALIDATION", retryable: false },
        });
        expect(answer.headers.get("x-ratelimit-limit")).toMatch(/^\d+$/);
      }
    },
  );

  test("D21 a world that is not there is NOT_FOUND", async () => {
    const world = await file.world();
    const lost = new Merchant({ baseUrl: `${file.sandbox.baseUrl}/worlds/nowhere` }, world.credentials);
    const answer = await lost.authenticate();
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    expect(answer.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
  });

  test.each([
    [TOKEN, "POST", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]],
    [CASHIN, "POST", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"]],
    [BALANCE, "GET", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]],
  ])("D21 %s takes %s: any other method is METHOD_NOT_ALLOWED, with Allow", async (path, allowed, others) => {
    const world = await file.world(UNPROTECTED);
    const merchant = await Merchant.of(world);
    const before = await stateOf(world);
    for (const method of others) {
      const body = method === "GET" ? undefined : ORDER;
      const answer = await merchant.call(method, path, body);
      expectRefusal(answer, 405, "METHOD_NOT_ALLOWED");
      expect(answer.headers.get("allow")).toBe(allowed);
    }
    expect(await stateOf(world)).toEqual(before);
  });
});

describe("media and size", () => {
  test.each([
    undefined,
    "",
    "text/plain",
    "text/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/octet-stream",
    "application/jsonp",
    "application/merge-patch+json",
    "json",
    "*/*",
    "application/json, text/plain",
  ])("D21 Content-Type %j is UNSUPPORTED_MEDIA_TYPE, and nothing is created", async (type) => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const body = new TextEncoder().encode(JSON.stringify(ORDER));
    const answer = await merchant.call("POST", CASHIN, body, { "Content-Type": type });
    expectRefusal(answer, 415, "UNSUPPORTED_MEDIA_TYPE");
    expect((await stateOf(world)).transactions).toEqual([]);
  });

  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/json ;charset=UTF-8",
  ])("ENV-05 Content-Type %s is JSON", async (type) => {
    const merchant = await Merchant.of(await file.world());
    expectSuccess(await merchant.call("POST", CASHIN, JSON.stringify(ORDER), { "Content-Type": type }));
  });

  test("D21 a body of 1 MiB is read, one of a byte more is PAYLOAD_TOO_LARGE", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    expectSuccess(await merchant.call("POST", CASHIN, orderOf(MIB)));
    const before = await stateOf(world);
    expectRefusal(await merchant.call("POST", CASHIN, orderOf(MIB + 1)), 413, "PAYLOAD_TOO_LARGE", "may have 1 MiB");
    expectRefusal(await merchant.call("POST", CASHIN, orderOf(4 * MIB)), 413, "PAYLOAD_TOO_LARGE");
    expect(await stateOf(world)).toEqual(before);
  });

  test.each(["Content-Length: 4194304", "Transfer-Encoding: chunked"])(
    "D21 a caller that writes all of its body, on a connection that is closed then, can read that it was too large: %s",
    async (length) => {
      const world = await file.world();
      const { host, pathname } = new URL(world.baseUrl);
      const socket = await openSocket(world.baseUrl);
      socket.write(`POST ${pathname}${CASHIN} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${length}\r\n\r\n`);
      const piece = length.startsWith("T") ? `100000\r\n${"x".repeat(MIB)}\r\n` : "x".repeat(MIB);
      for (let count = 0; count < 4; count++) await new Promise((written) => socket.write(piece, written));
      const closed = untilClosed(socket);
      socket.end();
      expect(await closed).toMatch(/^HTTP\/1\.1 413 .*"code":"PAYLOAD_TOO_LARGE"/s);
    },
  );

  test("D21 a body whose length is not told beforehand is held to the same", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const send = async (bytes: number) => {
      const init = {
        method: "POST",
        body: new Blob([orderOf(bytes)]).stream(),
        duplex: "half" as const,
        headers: { Authorization: `Bearer ${merchant.token}`, "Content-Type": "application/json" },
      };
      const response = await fetch(`${world.baseUrl}${CASHIN}`, init);
      return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
    };
    expect(await send(MIB)).toEqual([200, undefined]);
    expect(await send(MIB + 1)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect((await stateOf(world)).transactions).toHaveLength(1);
  });
});

describe("ENV-03 D20 D29 failure", () => {
  test("is success and error alone, its message names every field at fault", async () => {
    const merchant = await Merchant.of(await file.world());
    const answer = await merchant.cashin({ amount: true, external_id: "", payer: { name: "" }, split: "half" });
    const fields = ["currency", "amount", "external_id", "payer.name", "payer.document", "split"];
    expectRefusal(answer, 400, "INVALID_REQUEST", ...fields);
    expect(answer.text).toMatch(/^\{"success":false,"error":\{"code":"INVALID_REQUEST","message":".*","group":.*\}\}$/);
  });

  test("says what is missing and what is only wrong", async () => {
    const merchant = await Merchant.of(await file.world());
    const missing = await merchant.cashin({});
    expect(missing.body.error.message).toBe("currency is missing; amount is missing.");
    const wrong = await merchant.cashin({ currency: 5, amount: [] });
    expect(wrong.body.error.message).not.toContain("missing");
    expectRefusal(wrong, 400, "INVALID_REQUEST", "currency must be", "amount must be");
  });

  test("unknown fields are ignored", async () => {
    const merchant = await Merchant.of(await file.world());
    const extra = { amounts: "NaN", Currency: 5, metadata: { deep: [null, {}, []] }, "": "" };
    expectSuccess(await merchant.cashin({ ...ORDER, ...extra }));
  });
});

describe("ERR-16 D17 an account under security review", () => {
  test.each(["enforce", "off"])(
    "gets SECURITY_BLOCKED with protections: %s, but its token; others are served",
    async (protections) => {
      const world = await file.world({ settings: { protections } });
      const merchant = await Merchant.of(world);
      const { accounts } = await world.info();
      const [credential] = accounts[1]?.credentials ?? [];
      const { client_id: clientId = "", client_secret: clientSecret = "" } = credential ?? {};
      const other = new Merchant(world, { clientId, clientSecret });
      await other.authenticate();
      const before = await stateOf(world);

      await review(world, "acme", "under_review");
      const refused = await merchant.cashin(ORDER);
      expectRefusal(refused, 423, "SECURITY_BLOCKED");
      expect(refused.headers.get("x-sandbox-hint")).toContain("under review");
      expectRefusal(await merchant.call("GET", BALANCE), 423, "SECURITY_BLOCKED");
      expectSuccess(await merchant.authenticate());
      expectRefusal(await merchant.cashin(ORDER), 423, "SECURITY_BLOCKED");
      expectSuccess(await other.call("GET", BALANCE));
      await world.advance("30m");
      expectRefusal(await merchant.cashin(ORDER), 423, "SECURITY_BLOCKED");
      expect(await stateOf(world)).toEqual(before);

      await review(world, "acme", "active");
      expectSuccess(await merchant.cashin(ORDER));
      expectSuccess(await merchant.call("GET", BALANCE));
    },
  );

  test("a charge of such an account is still paid", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const { transaction_id } = expectSuccess(await merchant.cashin(ORDER));
    await review(world, "acme", "under_review");
    await world.act(transaction_id, "pay");
    await review(world, "acme", "active");
    expect(await merchant.balance("BRL")).toMatchObject({ balance: "10009.70" });
  });
});

describe("D15 the order of checks: of several faults the earliest counts", () => {
  const stranger = { Authorization: "Bearer nobody" };
  const text = { "Content-Type": "text/plain" };

  test("path, method, size, token, review, rate, media, body, rules", async () => {
    const world = await file.world(UNPROTECTED);
    const merchant = await Merchant.of(world);
    const call = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
      merchant.call(method, path, body, headers);
    const tooLarge = "x".repeat(MIB + 1);

    expectRefusal(await call("PUT", "/v2/nothing", tooLarge, { ...stranger, ...text }), 404, "NOT_FOUND");
    expectRefusal(await call("PUT", CASHIN, tooLarge, { ...stranger, ...text }), 405, "METHOD_NOT_ALLOWED");
    expectRefusal(await call("POST", CASHIN, tooLarge, { ...stranger, ...text }), 413, "PAYLOAD_TOO_LARGE");
    expectRefusal(await call("POST", CASHIN, "{", { ...stranger, ...text }), 401, "UNAUTHORIZED");
    await review(world, "acme", "under_review");
    expectRefusal(await call("POST", CASHIN, "{", { ...stranger, ...text }), 401, "UNAUTHORIZED");
    expectRefusal(await call("POST", CASHIN, "{", text), 423, "SECURITY_BLOCKED");
    await review(world, "acme", "active");
    expectRefusal(await call("POST", CASHIN, "{", text), 415, "UNSUPPORTED_MEDIA_TYPE");
    expectRefusal(await call("POST", CASHIN, "{", {}), 400, "INVALID_REQUEST");
    expectRefusal(await call("POST", CASHIN, { currency: "XYZ", amount: true }, {}), 400, "INVALID_REQUEST");
    expectRefusal(await call("POST", CASHIN, { currency: "XYZ", amount: "0" }, {}), 400, "INVALID_REQUEST");
    expectRefusal(await call("POST", CASHIN, { currency: "XYZ", amount: "1.001" }, {}), 422, "INVALID_CURRENCY");
  });

  test("the review comes before the rate limit, the rate limit before the body", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (let count = 0; count < 120; count++) await merchant.call("GET", BALANCE);
    const balance = () => merchant.call("GET", `${BALANCE}?currency=XYZ`);
    expectRefusal(await balance(), 429, "RATE_LIMIT_EXCEEDED");
    await review(world, "acme", "under_review");
    expectRefusal(await balance(), 423, "SECURITY_BLOCKED");
    const refused = await merchant.call("GET", BALANCE, undefined, stranger);
    expectRefusal(refused, 401, "UNAUTHORIZED");
  });
});
