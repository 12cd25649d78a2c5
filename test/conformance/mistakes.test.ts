/** Interface 3: what `X-Sandbox-Hint` says of a caller's usual slips, while bodies stay to the letter of the service. */
import { createHmac, randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openedDispute, pdf, REPLY_PATH } from "../support/disputes.ts";
import { useSandbox } from "../support/sandbox.ts";
import { hmacOf, SigningMerchant, setStage } from "../support/signing.ts";

const file = useSandbox();

const CHARGE = { currency: "BRL", amount: 10 };
const CASHIN = "/v2/transactions/cashin";

/** A world that blocks nobody, however often it refuses. */
async function lenient() {
  const world = await file.world({ settings: { protections: "report" } });
  return { world, merchant: await SigningMerchant.ofAccount(world) };
}

const hintOf = (answer: { headers: Headers }) => answer.headers.get("x-sandbox-hint");

describe("R4 the hint of a body or query", () => {
  test.each<[string, unknown, number, string | null]>([
    ["a slip in the name of a field that must be there", { curency: "BRL", amount: 10 }, 400, "did you mean currency?"],
    ["a slip that is ignored", { ...CHARGE, externalId: "order-1" }, 200, "did you mean external_id?"],
    [
      "several slips",
      { ...CHARGE, externalId: "order-1", postbackUrl: "sandbox://inbox" },
      200,
      'The fields "externalId", "postbackUrl" are not known and were ignored; did you mean external_id, postback_url?',
    ],
    [
      "two fields near the same name",
      { ...CHARGE, externalId: "order-1", external_ids: "order-1" },
      200,
      'The field "externalId" is not known and was ignored; did you mean external_id?',
    ],
    [
      "a slip in an item of a list",
      {
        ...CHARGE,
        split: [
          { username: "globex", percentage: 5 },
          { username: "globex", percentage: 5, tipe: "percentage" },
        ],
      },
      200,
      'The field "split[1].tipe" is not known',
    ],
    [
      "slips within an object",
      { ...CHARGE, payer: { nme: "Maria", documnt: "1" } },
      400,
      'The fields "payer.nme", "payer.documnt" are not known and were ignored; did you mean name, document?',
    ],
    [
      "a slip beside what is there",
      { ...CHARGE, payer: { name: "Maria", document: "12345678909", nmae: "Maria" } },
      200,
      null,
    ],
    ["a word that is no slip of another of four letters", { ...CHARGE, tag: "x", page: 1 }, 200, null],
    ["a shell's backslashes", `{${'\\"a\\": '.repeat(5_000)}\\`, 400, null],
    ["a comma in a text", '{"currency": "BRL", "external_id": "lot 1, }", "amount": 10', 400, null],
    ["a field of the caller's own", { ...CHARGE, metadata: {} }, 200, null],
    ["a currency in small letters", { ...CHARGE, currency: "brl" }, 422, "Did you mean BRL?"],
    [
      "a currency of a setting",
      { ...CHARGE, currency: "POL" },
      422,
      "POL is there with the setting currencies: extended.",
    ],
    ["a currency that there is not", { ...CHARGE, currency: "EUR" }, 422, "There are BRL, MXN, USDT"],
    ["a body that is right", CHARGE, 200, null],
    ["no body", "", 400, "The body is empty."],
    ["single quotes", "{'currency': 'BRL'}", 400, "double quotes"],
    ["names without quotes", '{currency: "BRL"}', 400, "double quotes"],
    ["a form", "currency=BRL&amount=10", 400, "a form, not JSON"],
    ["a comma too many", '{"currency": "BRL",}', 400, "No comma"],
    ["an object in braces that nothing explains", '{"currency" "BRL"}', 400, null],
  ])("%s", async (_slip, body, status, hint) => {
    const { merchant } = await lenient();
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await merchant.call("POST", CASHIN, text);
    expect(answer.status).toBe(status);
    if (hint === null) expect(hintOf(answer)).toBeNull();
    else expect(hintOf(answer)).toContain(hint);
  });

  test.each<[string, Uint8Array, Record<string, string>, string]>([
    ["a byte order mark", Buffer.from(`\uFEFF${JSON.stringify(CHARGE)}`), {}, "byte order mark"],
    ["Latin-1", Buffer.from('{"currency": "BRL", "amount": 10, "external_id": "ação"}', "latin1"), {}, "no UTF-8"],
    ["compression", gzipSync(JSON.stringify(CHARGE)), { "Content-Encoding": "gzip" }, "Content-Encoding: gzip"],
  ])("D20 a body as it should not be sent: %s", async (_slip, body, headers, hint) => {
    const { merchant } = await lenient();
    const answer = await merchant.call("POST", CASHIN, body, { "Content-Type": "application/json", ...headers });
    expect(answer.status).toBe(400);
    expect(hintOf(answer)).toContain(hint);
  });

  test("a body that is compressed is told so wherever one is taken, and one that only says so is not", async () => {
    const { world, merchant } = await lenient();
    const { clientId: client_id, clientSecret: client_secret } = world.credentials;
    const TOKEN = "/v2/oauth/token";
    const FORM = "application/x-www-form-urlencoded";
    const form = new URLSearchParams({ client_id, client_secret }).toString();
    const { infractionId } = await openedDispute(world, merchant);
    const part = `--line\r\nContent-Disposition: form-data; name="infraction_id"\r\n\r\n${infractionId}\r\n--line--\r\n`;
    const multipart = "multipart/form-data; boundary=line";
    const sent: [path: string, type: string, body: Uint8Array][] = [
      [TOKEN, FORM, gzipSync(form)],
      [TOKEN, "application/json", gzipSync(JSON.stringify({ client_id, client_secret }))],
      [REPLY_PATH, multipart, gzipSync(part)],
      [TOKEN, FORM, Buffer.from(`client_id=${client_id}`)],
      [TOKEN, "application/json", Buffer.from("{}")],
      [REPLY_PATH, multipart, Buffer.from(part)],
    ];
    const told = [];
    for (const [path, type, body] of sent) {
      const headers = { "Content-Type": type, "Content-Encoding": "gzip" };
      const answer = await merchant.call("POST", path, body, headers);
      told.push([answer.status, hintOf(answer)]);
    }
    const hint = "The body is sent with Content-Encoding: gzip; send it as it is.";
    expect(told).toEqual([...Array(3).fill([400, hint]), ...Array(3).fill([400, null])]);
  });

  test.each(["MXN", "BRL"])("D41 a conversion from BRL to %s, where there is none", async (destination_currency) => {
    const { merchant } = await lenient();
    const pair = { amount: 10, base_currency: "BRL", destination_currency };
    const answer = await merchant.call("POST", "/v2/conversions/rate", pair);
    expect([answer.status, hintOf(answer)]).toEqual([
      422,
      "Any two of BRL, USDT, USDC, BTC, ETH, SOL, BNB can be converted.",
    ]);
  });

  test("D41 a conversion in a world that has a rate for one currency only", async () => {
    const world = await file.world({ settings: { fixtures: { rates: { BRL: "0.2" } } } });
    const merchant = await SigningMerchant.ofAccount(world);
    for (const destination_currency of ["BRL", "USDT"]) {
      const pair = { amount: 10, base_currency: "BRL", destination_currency };
      const answer = await merchant.call("POST", "/v2/conversions/rate", pair);
      expect([answer.status, hintOf(answer)]).toEqual([422, "No two currencies of this world have a rate."]);
    }
  });

  test("a slip in a query", async () => {
    const { merchant } = await lenient();
    const answer = await merchant.call("GET", "/v2/account/balance?curency=BRL");
    expect([answer.status, hintOf(answer)]).toEqual([
      200,
      'The field "curency" is not known and was ignored; did you mean currency?',
    ]);
  });

  test.each<[string | undefined, string]>([
    [undefined, "Add the header Content-Type: application/json."],
    ["text/plain", "The call says Content-Type: text/plain, not application/json."],
  ])("Content-Type %s", async (type, hint) => {
    const { world, merchant } = await lenient();
    const answer = await fetch(`${world.baseUrl}${CASHIN}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${merchant.token}`, ...(type ? { "Content-Type": type } : {}) },
      body: Buffer.from(JSON.stringify(CHARGE)),
    });
    expect([answer.status, hintOf(answer)]).toEqual([415, hint]);
  });
});

describe("R4 D51 the hint of a reply's form", () => {
  const TEXT = 'name="text"';
  const FILE = 'name="files"; filename="a.pdf"';
  const END = "--line--\r\n";
  const MULTIPART = "multipart/form-data; boundary=line";
  const part = (header: string, content: unknown) =>
    `--line\r\nContent-Disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
  const withParts = (text: string, file: string) => (id: string) =>
    part('name="infraction_id"', id) + part(text, "Delivered.") + part(file, pdf) + END;
  const right = withParts(TEXT, FILE);

  test.each<[string, (id: string) => string, string, number, string | null]>([
    ["none where all is right", right, MULTIPART, 200, null],
    [
      "a file of another name",
      withParts(TEXT, 'name="attachment"; filename="a.pdf"'),
      MULTIPART,
      200,
      "did you mean files?",
    ],
    [
      "a file of a name without end",
      withParts(TEXT, `name="${"x".repeat(100_000)}"; filename="a.pdf"`),
      MULTIPART,
      200,
      `The part "${"x".repeat(80)}" is not known`,
    ],
    ["a field with a slip", withParts('name="txt"', FILE), MULTIPART, 400, "did you mean text?"],
    ["a field of the caller's own", withParts(TEXT, 'name="ticket"'), MULTIPART, 200, null],
    ["a text as a file", withParts('name="text"; filename="a.txt"', FILE), MULTIPART, 400, '"text" came as a file'],
    ["a header of its own making", right, "multipart/form-data", 400, "names no boundary"],
    ["a boundary that is not there", right, "multipart/form-data; boundary=row", 400, "no line --row"],
    ["no body", () => "", MULTIPART, 400, "The body is empty."],
    ["no end", (id) => right(id).slice(0, -END.length), MULTIPART, 400, "its last line would be --line--"],
    ["lines that end as on Unix", (id) => right(id).replaceAll("\r\n", "\n"), MULTIPART, 400, "end with CRLF"],
  ])("%s", async (_slip, bodyOf, type, status, hint) => {
    const { world, merchant } = await lenient();
    const { infractionId } = await openedDispute(world, merchant);
    const body = Buffer.from(bodyOf(infractionId));
    const answer = await merchant.call("POST", REPLY_PATH, body, { "Content-Type": type });
    expect(answer.status).toBe(status);
    if (hint === null) expect(hintOf(answer)).toBeNull();
    else expect(hintOf(answer)).toContain(hint);
  });
});

describe("R4 the hint of an address", () => {
  test.each([
    "/v2/transactions/cashin/",
    "/v2/transaction/cashin",
    "/v1/transactions/cashin",
    "/api/v2/transactions/cashin",
    "/transactions/cashin",
    "//v2/transactions/cashin",
  ])("%s names the one that was meant", async (path) => {
    const { world } = await lenient();
    for (const base of [new URL(world.baseUrl).origin, world.baseUrl]) {
      const answer = await fetch(base + path, { method: "POST" });
      expect([answer.status, hintOf(answer)]).toEqual([404, `Did you mean ${CASHIN}?`]);
    }
  });

  test.each(["/v2/account/info", "/account/info"])("%s names the one that goes on from it", async (path) => {
    const { world } = await lenient();
    expect(hintOf(await fetch(world.baseUrl + path))).toBe("Did you mean /v2/account/info/profile?");
  });

  test.each(["/sandbox/clock", "/Sandbox/clock", "/__sandbox/clock", "//_sandbox/clock"])(
    "%s, of the control interface, is told its underscore",
    async (path) => {
      const { world } = await lenient();
      for (const base of [new URL(world.baseUrl).origin, world.baseUrl]) {
        const answer = await fetch(base + path);
        expect([answer.status, hintOf(answer)]).toEqual([404, "Did you mean /_sandbox/clock?"]);
      }
    },
  );

  test("one that is like none has no hint, and another method is told the right one", async () => {
    const { merchant } = await lenient();
    expect(hintOf(await merchant.call("GET", "/v2/x"))).toBeNull();
    expect(hintOf(await merchant.call("GET", CASHIN))).toBe(`It is POST ${CASHIN}.`);
  });
});

describe("R4 the hint of a token", () => {
  test.each<[string, string | undefined, string]>([
    ["none", undefined, "POST /v2/oauth/token gives the token"],
    ["one without Bearer", "abc", "has to read Bearer"],
    ["a client secret", "Bearer secret-883wkfwm3echdaaa90nwinmydkbc72pt", "no access token"],
    ["one in quotes", 'Bearer "a.b.c"', "holds what no token has"],
    ["that of another world", "Bearer a.b.c", "not of this world"],
  ])("%s", async (_slip, header, hint) => {
    const { merchant } = await lenient();
    const answer = await merchant.call("GET", "/v2/account/balance", undefined, { Authorization: header });
    expect(answer.status).toBe(401);
    expect(hintOf(answer)).toContain(hint);
  });

  test("one of this world that was changed or cut off is told to be that", async () => {
    const { merchant } = await lenient();
    const { token } = merchant;
    for (const spoilt of [token.slice(0, -3), `${token}x`, token.slice(0, token.lastIndexOf(".") + 1)]) {
      const headers = { Authorization: `Bearer ${spoilt}` };
      const answer = await merchant.call("GET", "/v2/account/balance", undefined, headers);
      expect([answer.status, hintOf(answer)]).toEqual([
        401,
        "The token was changed or cut off: send it as it was given, all of it.",
      ]);
    }
  });

  test("D11 one that has expired is told with both instants, and the body is that of any other", async () => {
    const { world, merchant } = await lenient();
    await world.advance("1h");
    const answer = await merchant.call("GET", "/v2/account/balance");
    expect(answer.body.error.message).toBe("The access token is invalid or expired.");
    expect(hintOf(answer)).toMatch(/ended at 2026-01-01T13:00:00.000Z .* shows 2026-01-01T13:00:00.000Z/);
  });

  test("D10 one whose credential this world has not is told that, and no end that is still to come", async () => {
    const { world, merchant } = await lenient();
    const second = await SigningMerchant.second(world);
    await world.reset();
    const answer = await merchant.call("GET", "/v2/account/balance", undefined, {
      Authorization: `Bearer ${second.token}`,
    });
    expect([answer.status, hintOf(answer)]).toEqual([
      401,
      `This world has no client_id ${second.clientId}: another one has issued the token, or this one, before it went back.`,
    ]);
  });

  test("D10 wrong credentials: whether the client_id or the secret is another", async () => {
    const { world } = await lenient();
    const hints = [];
    for (const client_id of [world.credentials.clientId, "nobody"]) {
      const body = JSON.stringify({ client_id, client_secret: "wrong" });
      const headers = { "Content-Type": "application/json" };
      hints.push(hintOf(await fetch(`${world.baseUrl}/v2/oauth/token`, { method: "POST", headers, body })));
    }
    expect(hints).toEqual([expect.stringContaining("secret is another"), expect.stringContaining("no such client_id")]);
  });

  test("D10 a form that is called a text is told the type it is read by", async () => {
    const { world } = await lenient();
    const { clientId, clientSecret } = world.credentials;
    const form = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
    const ask = (body: string, type: string) =>
      fetch(`${world.baseUrl}/v2/oauth/token`, { method: "POST", headers: { "Content-Type": type }, body });
    const told = await ask(form, "text/plain;charset=UTF-8");
    expect([told.status, hintOf(told)]).toEqual([400, expect.stringContaining("application/x-www-form-urlencoded")]);
    expect((await ask(form, "application/x-www-form-urlencoded;charset=UTF-8")).status).toBe(200);
    expect(hintOf(await ask("no form", "text/plain"))).toBeNull();
  });
});

describe("D14 the hint of a wrong signature tells the slip", () => {
  const BODY = '{"currency": "BRL", "amount": 10, "key": "12345678909", "tags": [1, {"a": null}]}';
  const right = (at: string, nonce: string, body: string) => `${at}.${nonce}.${body}`;
  const digest = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text);

  test.each<[string, (parts: { timestamp: string; nonce: string; body: string; key: string }) => string, string]>([
    ["of the body alone", ({ key, body }) => hmacOf(key, body), "of the body alone"],
    ["without dots", ({ key, timestamp, nonce, body }) => hmacOf(key, timestamp + nonce + body), "without the dots"],
    ["swapped", ({ key, timestamp, nonce, body }) => hmacOf(key, right(nonce, timestamp, body)), "nonce before the"],
    ["without nonce", ({ key, timestamp, body }) => hmacOf(key, `${timestamp}.${body}`), "without the nonce"],
    ["of no body", ({ key, timestamp, nonce }) => hmacOf(key, right(timestamp, nonce, "")), "of an empty body"],
    [
      "of the body without spaces",
      ({ key, timestamp, nonce, body }) => hmacOf(key, right(timestamp, nonce, JSON.stringify(JSON.parse(body)))),
      "without its spaces",
    ],
    [
      "with the bytes of the key",
      ({ key, timestamp, nonce, body }) => digest(Buffer.from(key, "hex"), right(timestamp, nonce, body)).digest("hex"),
      "spells in hex",
    ],
    [
      "in capitals",
      ({ key, timestamp, nonce, body }) => hmacOf(key, right(timestamp, nonce, body)).toUpperCase(),
      "in capitals",
    ],
    [
      "with a prefix",
      ({ key, timestamp, nonce, body }) => `sha256=${hmacOf(key, right(timestamp, nonce, body))}`,
      "sha256= before it",
    ],
    [
      "in Base64",
      ({ key, timestamp, nonce, body }) => digest(key, right(timestamp, nonce, body)).digest("base64"),
      "in Base64",
    ],
    [
      "in Base64 for addresses",
      ({ key, timestamp, nonce, body }) => digest(key, right(timestamp, nonce, body)).digest("base64url"),
      "in Base64",
    ],
    [
      "with a longer prefix",
      ({ key, timestamp, nonce, body }) => `HMAC-SHA256=${hmacOf(key, right(timestamp, nonce, body))}`,
      "sha256= before it",
    ],
  ])("%s", async (_slip, sign, hint) => {
    await using stage = await setStage(file);
    const answer = await stage.merchant.cashout(BODY, { sign });
    expect([answer.status, answer.body.error.code]).toEqual([401, "INVALID_SIGNATURE"]);
    expect(hintOf(answer)).toContain(hint);
    expect(answer.body.error.message).toBe("The signature is invalid.");
  });

  test.each(['{"key":"\\x"}', '{"key":"', "currency=BRL"])(
    "of a body that is no JSON, the rule alone: %j",
    async (body) => {
      const { merchant } = await lenient();
      const answer = await merchant.cashout(body, { sign: () => "0".repeat(64) });
      expect([answer.status, answer.body.error.code]).toEqual([401, "INVALID_SIGNATURE"]);
      expect(hintOf(answer)).toMatch(/with the signing key\.$/);
    },
  );

  test("of a body of more than 64 KiB, whose explanation would take long, the rule alone is told", async () => {
    const { merchant } = await lenient();
    for (const [bytes, end] of [
      [64 * 1024, "of the body alone."],
      [64 * 1024 + 1, "with the signing key."],
    ] as const) {
      const answer = await merchant.cashout(BODY.padEnd(bytes), { sign: ({ key, body }) => hmacOf(key, body) });
      expect(hintOf(answer)?.endsWith(end)).toBe(true);
    }
  });

  test("the client secret in place of the key, over a body that Python writes with spaces", async () => {
    const { world, merchant } = await lenient();
    const sign = ({ timestamp, nonce }: { timestamp: string; nonce: string }) =>
      hmacOf(world.credentials.clientSecret, right(timestamp, nonce, BODY));
    const answer = await merchant.cashout(JSON.stringify(JSON.parse(BODY)), { sign });
    expect(hintOf(answer)).toMatch(/as Python writes it.* with the client secret\.$/);
  });

  const compact = '{"currency":"BRL","amount":100.0,"key":"josé@example.com"}';
  const escaped = compact.replace("é", "\\u00e9");
  const withSpaces = (text: string) => text.replace(/[,:]/g, "$& ");
  test.each([
    ["spaces", withSpaces(compact), compact, "of the body with spaces, as Python writes it:"],
    ["escapes", escaped, compact, "of the body with \\u escapes:"],
    ["both", withSpaces(escaped), compact, "of the body with \\u escapes and with spaces, as Python writes it:"],
    ["no escapes", withSpaces(compact), withSpaces(escaped), "of the body without its \\u escapes:"],
    ["neither", compact, withSpaces(escaped), "of the body without its \\u escapes and without its spaces:"],
  ])("one library signs and another sends, numbers as they are written: %s", async (_slip, signed, sent, hint) => {
    const { merchant } = await lenient();
    const answer = await merchant.cashout(sent, {
      sign: ({ timestamp, nonce, key }) => hmacOf(key, right(timestamp, nonce, signed)),
    });
    expect([answer.status, hintOf(answer)]).toEqual([401, expect.stringContaining(hint)]);
  });

  test("the signing key of another account of the world", async () => {
    const { world, merchant } = await lenient();
    const [acme, globex] = (await world.info()).accounts.map(({ credentials: [credential] }) => credential);
    const answer = await merchant.cashout(BODY, {
      sign: ({ timestamp, nonce }) => hmacOf(globex?.signing_key ?? "", right(timestamp, nonce, BODY)),
    });
    const whose = `${globex?.client_id}, a credential of globex; the token is of ${acme?.client_id}.`;
    expect(hintOf(answer)).toContain(`made with the signing key of ${whose}`);
  });

  test("what no slip explains is told the rule alone", async () => {
    const { merchant } = await lenient();
    const answer = await merchant.cashout(BODY, { sign: () => hmacOf(randomUUID(), BODY) });
    expect(hintOf(answer)).toMatch(/^X-Signature must be .* with the signing key\.$/);
  });
});
