/** Access tokens: how they are asked for, what they are, how long they hold, who may call with them. */
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { START_S } from "../support/charges.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { UNPROTECTED } from "./unprotected.ts";

const file = useSandbox();

const FORM = "application/x-www-form-urlencoded";

const askForToken = (merchant: Merchant, body?: unknown, headers: Record<string, string | undefined> = {}) =>
  merchant.call("POST", "/v2/oauth/token", body, { Authorization: undefined, ...headers });

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

const withoutToken = (world: WorldClient) => new Merchant(world, world.credentials);

async function works(merchant: Merchant, token: string): Promise<boolean> {
  const answer = await merchant.call("GET", "/v2/account/balance", undefined, { Authorization: `Bearer ${token}` });
  if (answer.status !== 200) expectRefusal(answer, 401, "UNAUTHORIZED");
  return answer.status === 200;
}

describe("the answer", () => {
  test("TOK-01 AUTH-01 client_id and client_secret give a token that the endpoints accept", async () => {
    const merchant = withoutToken(await file.world());
    const answer = await merchant.authenticate();
    expectSuccess(answer);
    expectSuccess(await merchant.call("GET", "/v2/account/balance"));
    expectSuccess(await merchant.cashin({ currency: "BRL", amount: 10 }));
  });

  test("D10 ENV-02 the three members stand in data and at the top level too, for stock OAuth 2.0 clients", async () => {
    const answer = await withoutToken(await file.world()).authenticate();
    const token = { access_token: answer.body.data.access_token, token_type: "Bearer", expires_in: 3600 };
    expect(answer.body.data).toStrictEqual(token);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.body).toMatchObject(token);
    expect(Object.keys(answer.body)).toEqual(["success", "data", "request_id", "timestamp", ...Object.keys(token)]);
  });

  test("AUTH-01 D11 jose reads a JWT: HS256, sub the client id, iat and exp on the world's clock, an own jti", async () => {
    const world = await file.world();
    const merchant = withoutToken(world);
    await merchant.authenticate();
    expect(merchant.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(decodeProtectedHeader(merchant.token)).toMatchObject({ alg: "HS256", typ: "JWT" });
    const claims = decodeJwt(merchant.token);
    expect(claims).toMatchObject({ sub: world.credentials.clientId, iat: START_S, exp: START_S + 3600 });
    expect(JSON.stringify(claims)).not.toContain(world.credentials.clientSecret);

    await world.advance("90s");
    await merchant.authenticate();
    const later = decodeJwt(merchant.token);
    expect(later).toMatchObject({ iat: START_S + 90, exp: START_S + 3690 });
    expect(later.jti).not.toBe(claims.jti);
  });
});

describe("D10 ways of asking", () => {
  const ways: Record<string, (merchant: Merchant) => Promise<Answer>> = {
    JSON: (m) => askForToken(m, { client_id: m.clientId, client_secret: m.clientSecret }),
    "JSON with the grant type": (m) =>
      askForToken(m, { client_id: m.clientId, client_secret: m.clientSecret, grant_type: "client_credentials" }),
    "JSON with an unknown field and nulls": (m) =>
      askForToken(m, { client_id: m.clientId, client_secret: m.clientSecret, grant_type: null, scope: "all" }),
    "JSON that calls itself text": (m) =>
      askForToken(m, { client_id: m.clientId, client_secret: m.clientSecret }, { "Content-Type": "text/plain" }),
    "form fields": (m) => {
      const form = { grant_type: "client_credentials", client_id: m.clientId, client_secret: m.clientSecret };
      return askForToken(m, new URLSearchParams(form).toString(), { "Content-Type": FORM });
    },
    "form fields with a charset": (m) => {
      const form = new URLSearchParams({ client_id: m.clientId, client_secret: m.clientSecret }).toString();
      return askForToken(m, form, { "Content-Type": `${FORM}; charset=UTF-8` });
    },
    "JSON, whatever HTTP Basic says beside it": (m) => {
      const body = { client_id: m.clientId, client_secret: m.clientSecret };
      return askForToken(m, body, { Authorization: basic("nobody", "nothing") });
    },
    "HTTP Basic without a body": (m) => askForToken(m, undefined, { Authorization: basic(m.clientId, m.clientSecret) }),
    "HTTP Basic with a form": (m) =>
      askForToken(m, "grant_type=client_credentials", {
        Authorization: basic(m.clientId, m.clientSecret),
        "Content-Type": FORM,
      }),
    "HTTP Basic in the encoding of RFC 6749": (m) => {
      const encode = (text: string) => text.replaceAll("-", "%2D");
      return askForToken(m, undefined, { Authorization: basic(encode(m.clientId), encode(m.clientSecret)) });
    },
  };

  test.each(Object.entries(ways))("%s", async (_, ask) => {
    const merchant = withoutToken(await file.world());
    const { access_token } = expectSuccess(await ask(merchant));
    expect(await works(merchant, access_token)).toBe(true);
  });
});

describe("D10 what gives no token", () => {
  test.each([
    ["a wrong secret", { client_secret: "secret-wrong" }],
    ["the right secret with a letter more", (m: Merchant) => ({ client_secret: `${m.clientSecret}a` })],
    ["the right secret with a colon and more", (m: Merchant) => ({ client_secret: `${m.clientSecret}:more` })],
    ["an unknown client", { client_id: "acme-unknown" }],
    ["an unknown client and no such secret", { client_id: "nobody", client_secret: "nothing" }],
    ["a client id in capitals", (m: Merchant) => ({ client_id: m.clientId.toUpperCase() })],
  ])("%s is UNAUTHORIZED", async (_, change) => {
    const merchant = withoutToken(await file.world());
    const right = { client_id: merchant.clientId, client_secret: merchant.clientSecret };
    const body = { ...right, ...(typeof change === "function" ? change(merchant) : change) };
    expectRefusal(await askForToken(merchant, body), 401, "UNAUTHORIZED");
    const form = new URLSearchParams(body).toString();
    expectRefusal(await askForToken(merchant, form, { "Content-Type": FORM }), 401, "UNAUTHORIZED");
    const headers = { Authorization: basic(body.client_id, body.client_secret) };
    const byBasic = await askForToken(merchant, undefined, headers);
    expectRefusal(byBasic, 401, "UNAUTHORIZED");
    expect(byBasic.headers.get("www-authenticate")).toBe('Basic realm="payments"');
  });

  test("the secret of another account is UNAUTHORIZED", async () => {
    const world = await file.world();
    const { accounts } = await world.info();
    const [acme, globex] = accounts.map(({ credentials: [credential] }) => credential);
    const mixed = { clientId: acme?.client_id ?? "", clientSecret: globex?.client_secret ?? "" };
    expectRefusal(await new Merchant(world, mixed).authenticate(), 401, "UNAUTHORIZED");
  });

  test.each([
    ["no fields", {}, ["client_id", "client_secret"]],
    ["no secret", { client_id: "acme" }, ["client_secret"]],
    ["no client id", { client_secret: "secret" }, ["client_id"]],
    ["nulls", { client_id: null, client_secret: null }, ["client_id", "client_secret"]],
    ["empty texts", { client_id: "", client_secret: "" }, ["client_id", "client_secret"]],
    ["wrong types", { client_id: 5, client_secret: ["secret"] }, ["client_id", "client_secret"]],
    ["texts without end", { client_id: "a".repeat(100_000), client_secret: "b".repeat(100_000) }, ["client_id"]],
    ["another grant", { client_id: "a", client_secret: "b", grant_type: "password" }, ["grant_type"]],
    ["a grant of another type", { client_id: "a", client_secret: "b", grant_type: 1 }, ["grant_type"]],
    ["a list", [], []],
    ["a number", 5, []],
    ["null", "null", []],
    ["half of JSON", '{"client_id":', []],
    ["an empty body", "", ["client_id", "client_secret"]],
  ])("D20 %s is INVALID_REQUEST and names what is wrong", async (_, body, fields) => {
    expectRefusal(await askForToken(withoutToken(await file.world()), body), 400, "INVALID_REQUEST", ...fields);
  });

  test("D20 a form of more than a thousand fields is INVALID_REQUEST, since reading many takes seconds", async () => {
    const merchant = withoutToken(await file.world());
    const own = { client_id: merchant.clientId, client_secret: merchant.clientSecret };
    const form = (others: number) => `${"a&".repeat(others)}${new URLSearchParams(own)}`;
    expectSuccess(await askForToken(merchant, form(998), { "Content-Type": FORM }));
    const answer = await askForToken(merchant, form(999), { "Content-Type": FORM });
    expectRefusal(answer, 400, "INVALID_REQUEST", "at most 1000 fields");
  });

  test("another grant is refused for right credentials too, in JSON and as a form", async () => {
    const merchant = withoutToken(await file.world());
    const body = { client_id: merchant.clientId, client_secret: merchant.clientSecret, grant_type: "password" };
    expectRefusal(await askForToken(merchant, body), 400, "INVALID_REQUEST", "grant_type");
    const form = new URLSearchParams(body).toString();
    const answer = await askForToken(merchant, form, { "Content-Type": FORM });
    expectRefusal(answer, 400, "INVALID_REQUEST", "grant_type");
  });

  test.each(["Basic", "Basic !!!", "Basic YWNtZQ==", "Bearer abc"])(
    "D20 Authorization: %s without a body is INVALID_REQUEST",
    async (Authorization) => {
      const answer = await askForToken(withoutToken(await file.world()), undefined, { Authorization });
      expectRefusal(answer, 400, "INVALID_REQUEST", "client_secret");
    },
  );
});

describe("validity", () => {
  test("CONST-01 D26a AUTH-02 one token serves every call up to, and not at, its hour on the clock", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    for (const step of ["1ms", "20m", "39m59s", "998ms"]) {
      await world.advance(step);
      expect(await works(merchant, merchant.token)).toBe(true);
      expectSuccess(await merchant.cashin({ currency: "MXN", amount: 100 }));
    }
    await world.advance("1ms");
    expect((await world.clock()).now).toBe("2026-01-01T13:00:00.000Z");
    expect(await works(merchant, merchant.token)).toBe(false);
    expectRefusal(await merchant.cashin({ currency: "MXN", amount: 100 }), 401, "UNAUTHORIZED");
    await merchant.authenticate();
    expect(await works(merchant, merchant.token)).toBe(true);
  });

  test("D11 a new token leaves the old one valid until its own end", async () => {
    const world = await file.world();
    const merchant = await Merchant.of(world);
    const first = merchant.token;
    await world.advance("30m");
    await merchant.authenticate();
    expect(merchant.token).not.toBe(first);
    expect([await works(merchant, first), await works(merchant, merchant.token)]).toEqual([true, true]);
    await world.advance("30m");
    expect([await works(merchant, first), await works(merchant, merchant.token)]).toEqual([false, true]);
  });

  test("D11 a token issued between two seconds holds for its full hour", async () => {
    const world = await file.world({ clock: { start: "2026-01-01T12:00:00.750Z" } });
    const merchant = await Merchant.of(world);
    await world.advance("59m59s999ms");
    expect(await works(merchant, merchant.token)).toBe(true);
    await world.advance("1ms");
    expect(await works(merchant, merchant.token)).toBe(false);
  });
});

describe("AUTH-03 who may call", () => {
  const endpoints: [string, string, unknown][] = [
    ["POST", "/v2/transactions/cashin", { currency: "BRL", amount: 10 }],
    ["GET", "/v2/account/balance", undefined],
  ];

  test.each(endpoints)(
    "CIN-01 BAL-01 ERR-03 %s %s wants the token in Authorization: Bearer",
    async (method, path, body) => {
      const world = await file.world(UNPROTECTED);
      const merchant = await Merchant.of(world);
      const { token, clientId, clientSecret } = merchant;
      const before = await stateOf(world);
      const call = (headers: Record<string, string | undefined>, suffix = "", given = body) =>
        merchant.call(method, path + suffix, given, { Authorization: undefined, ...headers });
      const refused = [
        await call({}),
        await call({ Authorization: "" }),
        await call({ Authorization: "Bearer" }),
        await call({ Authorization: token }),
        await call({ Authorization: `Basic ${token}` }),
        await call({ Authorization: `Token ${token}` }),
        await call({ Authorization: basic(clientId, clientSecret) }),
        await call({ Authorization: `Bearer ${token} ${token}` }),
        await call({ Authorization: `Bearer "${token}"` }),
        await call({ "X-Access-Token": token }),
        await call({ Cookie: `access_token=${token}` }),
        await call({}, `?access_token=${token}`),
        await call({}, "", body && { ...(body as object), access_token: token }),
      ];
      for (const answer of refused) expectRefusal(answer, 401, "UNAUTHORIZED");
      expect(await stateOf(world)).toEqual(before);
      expectSuccess(await call({ Authorization: `Bearer ${token}` }));
      expectSuccess(await call({ Authorization: `bearer  ${token}` }));
    },
  );

  test("ERR-03 a token that was not issued here is UNAUTHORIZED, however well it is made", async () => {
    const world = await file.world(UNPROTECTED);
    const merchant = await Merchant.of(world);
    const claims = decodeJwt(merchant.token);
    const [header = "", payload = "", signature = ""] = merchant.token.split(".");
    const forever = Buffer.from(JSON.stringify({ ...claims, exp: START_S * 2 })).toString("base64url");
    const signed = (alg: string, key: string) =>
      new SignJWT(claims).setProtectedHeader({ alg, typ: "JWT" }).sign(new TextEncoder().encode(key.padEnd(64, " ")));
    const forged = [
      await signed("HS256", merchant.clientSecret),
      await signed("HS256", world.credentials.signingKey),
      await signed("HS512", merchant.clientSecret),
      new UnsecuredJWT(claims).encode(),
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}.${forever}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      `${header}.${payload}.${signature}=`,
      `${header}.${payload}.${signature}.${signature}`,
      `${Buffer.from('{"typ":"JWT","alg":"HS256"}').toString("base64url")}.${payload}.${signature}`,
      `${header}..${signature}`,
      "..",
      "null",
      "a".repeat(8_000),
    ];
    for (const token of forged) expect([token, await works(merchant, token)]).toEqual([token, false]);
    expect(await works(merchant, merchant.token)).toBe(true);
  });

  test("ERR-03 the last character of a signature is judged to its last bit", async () => {
    const world = await file.world(UNPROTECTED);
    const merchant = await Merchant.of(world);
    const last = merchant.token.at(-1);
    const others = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].filter((c) => c !== last);
    for (const character of others) {
      expect(await works(merchant, merchant.token.slice(0, -1) + character)).toBe(false);
    }
  });

  test("ENV-01 a token of a world with another seed is UNAUTHORIZED", async () => {
    const [here, there] = [await file.world(), await file.world({ seed: 2 })];
    const [merchant, stranger] = [await Merchant.of(here), await Merchant.of(there)];
    expect(stranger.clientId).not.toBe(merchant.clientId);
    expect(await works(merchant, stranger.token)).toBe(false);
  });
});
