/** Hostile and broken input: always a documented refusal, never a fault of ours, and nothing changed. */
import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorldClient } from "../../src/index.ts";
import { expectRefusal, expectSuccess, stateOf } from "../support/answers.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { UNPROTECTED } from "./unprotected.ts";

const file = useSandbox();

const CASHIN = "/v2/transactions/cashin";
const ORDER = { currency: "BRL", amount: 10 };

/** The codes that such input may lead to, by status. */
const DOCUMENTED: Readonly<Record<number, readonly string[]>> = {
  400: ["INVALID_REQUEST"],
  401: ["UNAUTHORIZED"],
  404: ["NOT_FOUND"],
  405: ["METHOD_NOT_ALLOWED"],
  409: ["LIMIT_EXCEEDED", "DUPLICATE_EXTERNAL_ID"],
  413: ["PAYLOAD_TOO_LARGE"],
  415: ["UNSUPPORTED_MEDIA_TYPE"],
  422: ["INVALID_CURRENCY", "UNSUPPORTED_CHAIN"],
};

/** A success, or a refusal that is documented. */
function expectDocumented(answer: Answer): void {
  if (answer.status === 200) expectSuccess(answer);
  else {
    expect(DOCUMENTED[answer.status] ?? [`no refusal with ${answer.status}`]).toContain(answer.body?.error?.code);
    expectRefusal(answer, answer.status, answer.body.error.code);
  }
}

async function setUp(): Promise<{ world: WorldClient; merchant: Merchant }> {
  const world = await file.world(UNPROTECTED);
  return { world, merchant: await Merchant.of(world) };
}

const send = (merchant: Merchant, body: string | Uint8Array) =>
  merchant.call("POST", CASHIN, body, { "Content-Type": "application/json" });
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

describe("D20 bodies that are no JSON object", () => {
  const order = JSON.stringify(ORDER);
  const bodies: [string, string | Uint8Array][] = [
    ["nothing", ""],
    ["blanks", " \r\n\t"],
    ["null", "null"],
    ["true", "true"],
    ["a number", "10"],
    ["a number that no machine holds", "1e999"],
    ["a text", '"BRL"'],
    ["a list", `[${order}]`],
    ["an empty list", "[]"],
    ["half of an object", order.slice(0, -1)],
    ["an object and something behind it", `${order}x`],
    ["two objects", `${order}${order}`],
    ["two lines of objects", `${order}\n${order}`],
    ["a comma too many", '{"currency":"BRL","amount":10,}'],
    ["a comment", `/* charge */${order}`],
    ["names without quotes", '{currency:"BRL",amount:10}'],
    ["single quotes", "{'currency':'BRL','amount':10}"],
    ["a function call around it", `callback(${order})`],
    ["a form", "currency=BRL&amount=10"],
    ["XML", "<charge><currency>BRL</currency></charge>"],
    ["YAML", "currency: BRL\namount: 10"],
    ["a byte order mark before it", `\ufeff${order}`],
    ["a control character in a text", '{"currency":"BRL\u0001","amount":10}'],
    ["a line end in a text", '{"currency":"BRL","amount":10,"external_id":"a\nb"}'],
    ["an escape that is none", '{"currency":"\\xBRL","amount":10}'],
    ["a zero byte behind it", `${order}\u0000`],
    ["UTF-16", Buffer.from(order, "utf16le")],
    ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${order}`, "utf16le")],
    ["a byte that UTF-8 does not have", bytes('{"currency":"BRL","amount":10,"external_id":"', [0xff], '"}')],
    ["Latin-1", Buffer.from('{"currency":"BRL","amount":10,"external_id":"café"}', "latin1")],
    ["half of a character", bytes('{"currency":"BRL","amount":10,"external_id":"', [0xe2, 0x82], '"}')],
    ["a character written too long", bytes('{"currency":"BRL","amount":10,"external_id":"', [0xc0, 0xaf], '"}')],
    ["a surrogate in UTF-8", bytes('{"currency":"BRL","amount":10,"external_id":"', [0xed, 0xa0, 0x80], '"}')],
    ["compressed bytes", bytes([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03])],
    ["zero bytes", new Uint8Array(1000)],
  ];

  test.each(bodies)("%s is INVALID_REQUEST", async (_, body) => {
    const { world, merchant } = await setUp();
    const before = await stateOf(world);
    expectRefusal(await send(merchant, body), 400, "INVALID_REQUEST");
    expect(await stateOf(world)).toEqual(before);
  });

  test("at the token endpoint they give no token either", async () => {
    const { merchant } = await setUp();
    for (const [name, body] of bodies) {
      const answer = await merchant.call("POST", "/v2/oauth/token", body, { Authorization: undefined });
      expect([name, answer.status]).toEqual([name, 400]);
      expectRefusal(answer, 400, "INVALID_REQUEST");
    }
  });
});

describe("deep, wide and long bodies", () => {
  const nested = (depth: number, open: string, inner: string, close: string) =>
    `{"currency":"BRL","amount":10,"external_id":"${open.length}-${depth}","note":${open.repeat(depth)}${inner}${close.repeat(depth)}}`;

  test("D20 a few levels in an unknown field are ignored, thousands are INVALID_REQUEST, whatever the stack holds", async () => {
    const { world, merchant } = await setUp();
    for (const depth of [1, 10, 50]) {
      expectSuccess(await send(merchant, nested(depth, "[", "", "]")));
      expectSuccess(await send(merchant, nested(depth, '{"a":', "1", "}")));
    }
    const before = await stateOf(world);
    expectRefusal(await send(merchant, nested(100, "[", "", "]")), 400, "INVALID_REQUEST", "more than 100 levels");
    for (const depth of [1_000, 2_000, 3_000, 5_000, 8_000, 20_000, 100_000]) {
      expectRefusal(await send(merchant, nested(depth, "[", "", "]")), 400, "INVALID_REQUEST");
      expectRefusal(await send(merchant, nested(depth, '{"a":', "1", "}")), 400, "INVALID_REQUEST");
    }
    expectRefusal(await send(merchant, "[".repeat(1_000_000)), 400, "INVALID_REQUEST");
    expect(await stateOf(world)).toEqual(before);
  });

  test("many members and many items are no trouble", async () => {
    const { merchant } = await setUp();
    const members = Array.from({ length: 20_000 }, (_, index) => `"m${index}":${index}`).join();
    expectSuccess(await send(merchant, `{${members},"currency":"BRL","amount":10,"external_id":"wide"}`));
    const items = Array(40_000).fill("[]").join();
    expectSuccess(await send(merchant, `{"currency":"BRL","amount":10,"external_id":"long","note":[${items}]}`));
    const split = Array(30_000).fill('{"username":1}').join();
    const answer = await send(merchant, `{"currency":"BRL","amount":10,"split":[${split}]}`);
    expectRefusal(answer, 400, "INVALID_REQUEST", "split");
  });

  test("D20 a long text where a short one belongs is INVALID_REQUEST and is not echoed whole", async () => {
    const { merchant } = await setUp();
    const long = "x".repeat(900_000);
    for (const field of ["currency", "external_id", "chain", "network", "postback_url", "amount"]) {
      const answer = await merchant.cashin({ ...ORDER, currency: "USDT", chain: "tron", [field]: long });
      expectRefusal(answer, 400, "INVALID_REQUEST", field);
      expect(answer.text.length).toBeLessThan(1_000);
    }
  });
});

describe("keys", () => {
  test("D09 of a key that comes twice the last counts, for its type and its digits", async () => {
    const { merchant } = await setUp();
    const amounts: [string, number, string][] = [
      ['"amount":1,"amount":200.5', 200, "200.50"],
      ['"amount":0.125,"amount":200.5', 200, "200.50"],
      ['"amount":{"a":1},"amount":200.5', 200, "200.50"],
      ['"amount":[1,2],"amount":"200.50"', 200, "200.50"],
      ['"amount":"1","amount":2,"amount":200.5', 200, "200.50"],
      ['"amount":200.5,"amount":0.125', 400, ""],
      ['"amount":200.5,"amount":null', 400, ""],
      ['"amount":200.5,"amount":"NaN"', 400, ""],
    ];
    for (const [text, status, amount] of amounts) {
      const answer = await send(merchant, `{"currency":"XYZ","currency":"BRL",${text}}`);
      expect([text, answer.status, answer.body.data?.amount ?? ""]).toEqual([text, status, amount]);
    }
  });

  test("D20 names that objects have of their own are fields like any other", async () => {
    const { world, merchant } = await setUp();
    const before = Object.keys(Object.prototype);
    const odd = '"__proto__":{"external_id":"x","amount":1},"constructor":{"prototype":{"fee":0}},"toString":1';
    expectSuccess(await send(merchant, `{${odd},"currency":"BRL","amount":10}`));
    expectRefusal(await send(merchant, '{"__proto__":{"currency":"BRL","amount":10}}'), 400, "INVALID_REQUEST");
    const [first] = (await stateOf(world)).transactions;
    expect(first).toMatchObject({ external_id: null, amount: "10.00", fee: "0.30" });
    expect(Object.keys(Object.prototype)).toEqual(before);
  });
});

describe("D20 one wrong field", () => {
  const wrongTexts = fc.oneof(
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(fc.jsonValue({ maxDepth: 1 })),
    fc.dictionary(fc.string(), fc.integer()),
  );
  const tooLong = (length: number) => fc.string({ minLength: length + 1, maxLength: length + 50 });
  const halves = fc.constantFrom("\ud800", "a\udfff", "\udc00\ud800");
  const noDecimal = fc
    .oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0123456789.-+eE, ") }))
    .filter((text) => !/^-?\d+(\.\d+)?$/.test(text));
  /** What makes each field wrong; null only where the field is required. */
  const wrong: Record<string, fc.Arbitrary<unknown>> = {
    currency: fc.oneof(wrongTexts, fc.constantFrom(null, ""), tooLong(200), halves),
    amount: fc.oneof(
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.integer()),
      noDecimal,
      fc.integer({ max: 0 }),
      fc.double({ max: 0, noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 1, max: 999 }).map((thousandths) => `1.${String(thousandths).padStart(3, "0")}`),
    ),
    external_id: fc.oneof(wrongTexts, fc.constant(""), tooLong(64), halves),
    payer: fc.oneof(fc.boolean(), fc.integer(), fc.string(), fc.array(fc.string()), fc.constant({}), halves),
    chain: fc.oneof(wrongTexts, fc.constant(""), tooLong(200), halves),
    network: fc.oneof(wrongTexts, fc.constant(""), tooLong(200), halves),
    postback_url: fc.oneof(
      wrongTexts,
      fc.constantFrom("", "merchant", "ftp://x", "http://example.com", "javascript:1"),
    ),
    split: fc.oneof(fc.boolean(), fc.integer(), fc.string(), fc.dictionary(fc.string(), fc.string())),
  };

  test("is INVALID_REQUEST, is named, and creates nothing", async () => {
    const { world, merchant } = await setUp();
    const before = await stateOf(world);
    const anyFault = fc
      .constantFrom(...Object.keys(wrong))
      .chain((field) => fc.record({ field: fc.constant(field), value: wrong[field] ?? fc.constant(null) }));
    await fc.assert(
      fc.asyncProperty(anyFault, async ({ field, value }) => {
        const answer = await merchant.cashin({ currency: "BRL", amount: 10, [field]: value });
        expectRefusal(answer, 400, "INVALID_REQUEST", field);
      }),
      { numRuns: 250 },
    );
    expect(await stateOf(world)).toEqual(before);
  });

  test.each(["currency", "amount"])("a missing %s is named", async (field) => {
    const { merchant } = await setUp();
    const { [field]: _, ...rest } = { currency: "BRL", amount: 10 } as Record<string, unknown>;
    expectRefusal(await merchant.cashin(rest), 400, "INVALID_REQUEST", `${field} is missing`);
  });
});

describe("any request whatever", () => {
  const paths = ["/v2/oauth/token", CASHIN, "/v2/account/balance", "/v2/account/balance?currency=BRL", "/v2/none"];
  const hostile = fc.constantFrom<unknown>(
    ...[null, true, 0, -1, 1e308, "", " ", "NaN", "1e999", "0.125", "BRL", "USDT", "tron", "\u0000", "\ud800"],
    ...["'; DROP TABLE transactions; --", "<script>", "../../etc/passwd", "{{7*7}}", "%s%n", "x".repeat(300)],
  );
  const value = fc.oneof(
    { weight: 3, arbitrary: hostile },
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: "binary" }),
  );
  const fields = ["currency", "amount", "external_id", "payer", "chain", "network", "postback_url", "client_id"];
  const names = fc.oneof(fc.constantFrom(...fields, "client_secret", "grant_type", "__proto__"), fc.string());
  const likely = fc.record(
    {
      currency: fc.oneof(fc.constantFrom("BRL", "MXN", "USDT", "BTC", "XYZ"), value),
      amount: fc.oneof(fc.integer({ min: 1, max: 999 }), fc.double(), fc.bigInt().map(String), value),
      external_id: fc.oneof(fc.constantFrom("a", "b"), value),
      payer: fc.oneof(fc.record({ name: value, document: value }, { requiredKeys: [] }), value),
      chain: fc.oneof(fc.constantFrom("tron", "ERC20"), value),
      postback_url: fc.oneof(fc.webUrl(), value),
    },
    { requiredKeys: ["currency", "amount"] },
  );
  const json = fc.oneof({ weight: 3, arbitrary: likely }, fc.dictionary(names, value), value);
  const body = fc.oneof(
    { weight: 4, arbitrary: json.map((content) => Buffer.from(JSON.stringify(content) ?? "")) },
    json.map((content) => Buffer.from(JSON.stringify(content) ?? "").subarray(0, -1)),
    fc.uint8Array({ maxLength: 200 }).map((content) => Buffer.from(content)),
  );
  // Dots alone would be taken for steps up, by the caller already.
  const otherPath = fc
    .string({ unit: "grapheme" })
    .filter((text) => !/^\.*$/.test(text))
    .map((text) => `/v2/${encodeURIComponent(text)}`);
  const anyRequest = fc.record({
    method: fc.constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE", "PATCH"),
    path: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...paths) }, otherPath),
    media: fc.constantFrom("application/json", "application/json", "application/x-www-form-urlencoded", "text/plain"),
    token: fc.constantFrom("right", "right", "right", "right", "none", "wrong"),
    body,
  });
  /** Of the others hardly any is served. */
  const right = fc.record({
    method: fc.constant("POST"),
    path: fc.constant(CASHIN),
    media: fc.constant("application/json"),
    token: fc.constant("right" as const),
    body: fc
      .record(
        { currency: fc.constant("BRL"), amount: fc.integer({ min: 1, max: 999 }), external_id: value },
        { requiredKeys: ["currency", "amount"] },
      )
      .map((content) => Buffer.from(JSON.stringify(content))),
  });
  const request = fc.oneof({ weight: 9, arbitrary: anyRequest }, right);

  test("is served or refused as documented, and what is refused has changed nothing", async () => {
    const { world, merchant } = await setUp();
    const charges = new Set<string>();
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, media, token, body: content }) => {
        const authorization = { right: `Bearer ${merchant.token}`, none: undefined, wrong: "Bearer x" }[token];
        const headers = { Authorization: authorization, "Content-Type": media };
        const answer = await merchant.call(method, path, method === "GET" ? undefined : content, headers);
        expectDocumented(answer);
        if (answer.status === 200 && path === CASHIN) charges.add(answer.body.data.transaction_id);
      }),
      { numRuns: 600 },
    );
    const { transactions, postings, sound } = await stateOf(world);
    expect(charges.size).toBeGreaterThan(0);
    expect(new Set(transactions.map((row) => (row as { transaction_id: string }).transaction_id))).toEqual(charges);
    expect(postings).toHaveLength(16);
    expect(sound).toBe(true);
  });
});

describe("connections", () => {
  /** Sends the head of a cash-in and so much of its body, and hangs up. */
  function breakOff(world: WorldClient, { token }: Merchant, sent: string): Promise<void> {
    const { host, hostname, port, pathname } = new URL(world.baseUrl);
    const head = [
      `POST ${pathname}${CASHIN} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${sent.length + 10}`,
    ];
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(`${head.join("\r\n")}\r\n\r\n${sent}`, () => socket.destroy());
      });
      socket.on("close", () => resolve());
    });
  }

  test("a caller that hangs up in the middle of its body has charged nothing, and others are served", async () => {
    const { world, merchant } = await setUp();
    for (const sent of ["", "{", JSON.stringify(ORDER)]) await breakOff(world, merchant, sent);
    expectSuccess(await merchant.cashin(ORDER));
    expect((await stateOf(world)).transactions).toHaveLength(1);
  });
});
