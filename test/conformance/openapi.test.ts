/** The OpenAPI document: sound by an independent judge, whole, and true to what the service runs by. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ErrorRow, errorCatalogue } from "../../src/domain/errors.ts";
import { eventDefinitions, eventKinds } from "../../src/domain/events.ts";
import { endpoints } from "../../src/http/endpoints.ts";
import { parseBody } from "../../src/http/json.ts";
import { runCommand } from "../support/command.ts";
import { type Answer, Merchant } from "../support/merchant.ts";
import { documentOfTests, expectAnswerValid, expectWebhookValid, resolve } from "../support/openapi.ts";
import { expectNothingToLint } from "../support/openapi-linter.ts";
import { useSandbox } from "../support/sandbox.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into freely.
type Json = any;

const document = documentOfTests();
const file = useSandbox();
const rateHeaders = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** The operations of the document beside the rows that they are made of. */
const operations = endpoints.map((row) => {
  const operation: Json = document.paths[row.path]?.[row.method.toLowerCase()];
  return { name: `${row.method} ${row.path}`, row, operation };
});

/** A response, its `$ref` followed. */
const followed = (part: Json): Json => (part.$ref ? resolve(part.$ref) : part);

describe("the document", () => {
  test("is valid OpenAPI 3.1 without a warning, says Redocly", async () => {
    await expectNothingToLint(document);
  });

  test("names its parts by words that generators can make types of", () => {
    const names = ["schemas", "responses"].flatMap((kind) => Object.keys(document.components[kind]));
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  test("ENV-01 is served for every world, and names its address", async () => {
    const { baseUrl } = file.sandbox;
    const world = await file.world();
    const root: Json = await (await fetch(`${baseUrl}/openapi.json`)).json();
    const own: Json = await (await fetch(`${world.baseUrl}/openapi.json`)).json();
    expect([root.servers, own.servers]).toEqual([[{ url: baseUrl }], [{ url: world.baseUrl }]]);
    expect(world.baseUrl).toMatch(/\/worlds\//);
    expect(own.components.securitySchemes.clientCredentials.flows.clientCredentials.tokenUrl).toBe(
      `${world.baseUrl}/v2/oauth/token`,
    );
    expect([root.paths, root.webhooks]).toEqual([document.paths, document.webhooks]);
    const unknown = await fetch(`${baseUrl}/worlds/nowhere/openapi.json`);
    expect([unknown.status, ((await unknown.json()) as Json).error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("D63 says how long a postback_url may be", () => {
    const bodies = operations.map(({ operation }) => operation.requestBody?.content["application/json"]?.schema ?? {});
    const urls = bodies.flatMap((schema) => followed(schema).properties?.postback_url ?? []);
    expect(urls.map((url) => JSON.stringify(url))).toEqual(Array(2).fill(expect.stringContaining('"maxLength":2048')));
  });

  test("D13 takes the seconds of every instant that a clock may show, and no milliseconds", () => {
    const { pattern } = document.components.parameters.Timestamp.schema;
    const instants = ["1970-01-01T00:00:00Z", "2026-01-01T12:00:00Z", "9999-12-31T23:59:59Z"].map(Date.parse);
    expect(instants.filter((at) => !new RegExp(pattern).test(String(at / 1000)))).toEqual([]);
    expect(String(Date.parse("2026-01-01T12:00:00Z"))).not.toMatch(new RegExp(pattern));
  });

  test("D55 has the names of the glossary beside others where the world sends them", async () => {
    const world = await file.world({ settings: { legacy_refund_events: true } });
    const own: Json = await (await fetch(`${world.baseUrl}/openapi.json`)).json();
    await expectNothingToLint(own);
    const others = Object.keys(own.webhooks).filter((name) => !Object.hasOwn(document.webhooks, name));
    expect(others).toEqual(["refund_confirmed", "refund_responded"]);
    const { parameters, requestBody } = own.webhooks.refund_confirmed.post;
    expect(parameters[0].schema.const).toBe("refund_confirmed");
    expect(requestBody.content["application/json"].example.event).toBe("refund_confirmed");
    expect(own.components.schemas.RefundConfirmedWebhook.properties.event.const).toBe("refund_confirmed");
  });

  test("is printed by the command line, with the address that it is told", async () => {
    const { code, stdout } = await runCommand(["openapi", "--url", "https://sandbox.example.org/"]);
    const printed = JSON.parse(stdout);
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect([code, printed.servers, printed.info.version]).toEqual([
      0,
      [{ url: "https://sandbox.example.org" }],
      version,
    ]);
    expect(printed.paths).toEqual(document.paths);
    expect((await runCommand(["openapi", "--url", "nowhere"])).code).toBe(2);
  });

  test("has all fifteen endpoints and nothing else, each under a name of its own", () => {
    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(operations.map(({ name }) => name));
    expect(described).toHaveLength(15);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(15);
  });

  test("has all seventeen event kinds, with the V2 envelope or, D66, flat", () => {
    expect(Object.keys(document.webhooks)).toEqual(eventKinds);
    for (const kind of eventKinds) {
      const { schema, example } = document.webhooks[kind].post.requestBody.content["application/json"];
      const envelope = ["event", "timestamp", "transaction_id", "data"];
      const { enveloped, data } = eventDefinitions[kind];
      expect(resolve(schema.$ref).required).toEqual(enveloped ? envelope : Object.keys(data.shape));
      expectWebhookValid(example);
    }
  });
});

describe("the examples say what a world says", () => {
  const sent = (kind: string) => document.webhooks[kind].post.requestBody.content["application/json"].example;
  const answered = (path: string, method = "post") =>
    document.paths[path][method].responses[200].content["application/json"].example.data;

  test.each(["cashin.refunded", "cashout.refunded", "conversion.refunded"])("D54a D40b %s has its own id", (kind) => {
    const { data } = sent(kind);
    const [first, refund] = data.conversion_id
      ? [data.original_conversion_id, data.conversion_id]
      : [data.original_transaction_id, data.transaction_id];
    expect(refund).not.toBe(first);
    expect(sent(kind).transaction_id).toBe(refund);
  });

  test("D01 amounts in USDT have six decimals", () => {
    const amounts = [
      ...["amount_gross", "amount_net", "fee"].map((name) => sent("wallet_deposit")[name]),
      ...["amount_to", "fee"].map((name) => sent("conversion.confirmed").data[name]),
      sent("conversion.refunded").data.amount_reverted_from,
      ...["to_amount", "spread", "fee"].map((name) => answered("/v2/conversions/simulate")[name]),
      answered("/v2/conversions/rate").estimated_amount,
    ];
    for (const amount of amounts) expect(amount).toMatch(/^\d+\.\d{6}$/);
  });

  test("D40 D40a a simulation adds up, and is valid for a minute", () => {
    const { from_amount, to_amount, rate, spread, fee, expires_at } = answered("/v2/conversions/simulate");
    expect(from_amount * rate - spread - fee).toBeCloseTo(Number(to_amount), 9);
    expect(expires_at).toBe("2026-01-01T12:01:00.000Z");
    expect(answered("/v2/conversions/new")).toMatchObject({ amount_to: Number(to_amount), fee: Number(fee) });
  });

  test("D08 D38 D46 D54a the rest is right too", () => {
    const failed = sent("cashout.failed").data;
    expect(failed.refunded_amount).toBe(failed.amount);
    const { old_balance, new_balance, amount_refunded } = sent("cashin.refunded").data;
    expect(old_balance - new_balance).toBe(Number(amount_refunded));
    expect(answered("/v2/internal_transfers/payment").fee).toBe("0.00");
    expect(answered("/v2/account/fees", "get").fees[0].network).toBeNull();
  });
});

describe.each(operations)("$name", ({ row, operation }) => {
  test("has a request that is right", () => {
    if (row.example && row.input) {
      const body = parseBody(Buffer.from(JSON.stringify(row.example)));
      expect(row.input().safeParse(body).error).toBeUndefined();
    }
    const medias = { json: 1, json_or_form: 2, multipart: 1, none: undefined }[row.media];
    expect(operation.requestBody && Object.keys(operation.requestBody.content).length).toBe(medias);
  });

  test("AUTH-03 AUTH-04 names what it is called with", () => {
    expect(operation.security).toEqual(
      row.auth === "bearer" ? [{ bearer: [] }, { clientCredentials: [] }] : [{}, { basic: [] }],
    );
    const headers = (operation.parameters ?? []).map(followed).filter((parameter: Json) => parameter.in === "header");
    expect(headers.map(({ name }: Json) => name)).toEqual(row.signed ? ["X-Signature", "X-Timestamp", "X-Nonce"] : []);
  });

  test("HDR-01 HDR-05 promises the rate headers on every answer, Retry-After on 429 alone", () => {
    for (const [status, part] of Object.entries<Json>(operation.responses)) {
      const names = Object.keys(followed(part).headers);
      expect(names).toEqual(expect.arrayContaining(rateHeaders));
      expect(names.includes("Retry-After")).toBe(status === "429");
    }
  });

  test("ENV-03 D22 shows every refusal as it goes out", () => {
    const refusals = Object.entries<Json>(operation.responses).filter(([status]) => Number(status) >= 400);
    expect(refusals.map(([status]) => Number(status))).toEqual(expect.arrayContaining([401, 403, 429, 500, 503]));
    for (const [status, part] of refusals) {
      const examples = Object.entries<Json>(followed(part).content["application/json"].examples);
      for (const [code, example] of examples) {
        expect(followed(example).value.error.code).toBe(code);
        expectAnswerValid(row.method, row.path, made(Number(status), followed(example).value));
      }
    }
  });

  test("ENV-02 shows a success as it goes out", () => {
    const status = row.status ?? 200;
    expectAnswerValid(
      row.method,
      row.path,
      made(status, operation.responses[status].content["application/json"].example),
    );
  });
});

describe("R3 what the sandbox made up is marked", () => {
  const marks: string[] = [];
  const unmarked = new Set<string>();
  visit(document, (part) => {
    const members = Object.entries<Json>(typeof part.properties === "object" ? part.properties : {});
    const named = typeof part.in === "string" ? [[part.name, part] as const] : [];
    for (const [name, member] of [...members, ...named]) if (!member["x-sandbox-decision"]) unmarked.add(name);
    marks.push(...[part["x-sandbox-decision"] ?? [], part["x-sandbox-decisions"] ?? []].flat());
  });

  test("every field and parameter that is not marked is one of the specification's", () => {
    const names = readFileSync(new URL("spec-names.txt", import.meta.url), "utf8")
      .trim()
      .split(/\s+/);
    expect([...unmarked].filter((name) => !names.includes(name))).toEqual([]);
  });

  test("so is every header", () => {
    const own = Object.entries<Json>(document.components.headers).filter(([, header]) => !header["x-sandbox-decision"]);
    expect(own.map(([name]) => name)).toEqual([...rateHeaders, "Retry-After"]);
  });

  test("every error code is there, those beyond the sixteen with the decision that named them", () => {
    const codes = Object.entries<Json>(document.components.schemas).filter(([name]) => name.endsWith("Error"));
    const described = codes.map(([, { properties }]) => [properties.code.const, properties.code["x-sandbox-decision"]]);
    const rows = Object.entries<ErrorRow>(errorCatalogue).map(([code, { decision }]) => [code, decision]);
    expect(described).toEqual(rows);
    expect(rows.filter(([, decision]) => decision === undefined)).toHaveLength(16);
  });

  test("a mark is the id of a decision", () => {
    expect(marks.filter((mark) => !/^(D\d\d[ab]?|R4)$/.test(mark))).toEqual([]);
    expect(marks).toContain("D10");
  });
});

test("D10 the token's answer has its three members once more beside data; RATE-08 the rate's has data alone", () => {
  const membersOf = (path: string) => {
    const { schema } = document.paths[path].post.responses[200].content["application/json"];
    return Object.keys(schema.properties);
  };
  const common = ["success", "data", "request_id", "timestamp"];
  expect(membersOf("/v2/oauth/token")).toEqual([...common, "access_token", "token_type", "expires_in"]);
  expect(membersOf("/v2/conversions/rate")).toEqual(["success", "data"]);
  expect(membersOf("/v2/transactions/cashin")).toEqual(common);
});

describe("the judge of all tests' answers", () => {
  const path = "/v2/account/fees";
  const entry = { currency: "BRL", operation: "cashin", network: null, percentage: "1.00", fixed: "0", minimum: "0" };
  const envelope = { request_id: `req_${"0".repeat(24)}`, timestamp: "2026-01-01T12:00:00.000Z" };
  const success = (row: object) => ({ success: true, data: { fees: [row] }, ...envelope });
  const refusal = (code: keyof typeof errorCatalogue) => {
    const { message, group, retryable } = errorCatalogue[code];
    return { success: false, error: { code, message, group, retryable } };
  };
  const judge = (status: number, body: object, without?: string) => () =>
    expectAnswerValid("GET", path, made(status, body, without));

  test("lets through what is right", () => {
    expect(judge(200, success(entry))).not.toThrow();
    expect(judge(401, refusal("UNAUTHORIZED"))).not.toThrow();
  });

  test.each([
    ["a field too many", 200, success({ ...entry, sandbox: true }), /additional properties/],
    ["a field of another type", 200, success({ ...entry, fixed: 0 }), /fixed must be string/],
    ["fields in another order", 200, success(Object.fromEntries(Object.entries(entry).reverse())), /order/],
    ["a status that is not described", 201, success(entry), /201, which is not in the OpenAPI document/],
    ["a code of another endpoint", 422, refusal("INSUFFICIENT_BALANCE"), /422, which is not/],
    ["a code under another status", 401, refusal("IP_BLACKLISTED"), /equal to constant/],
    ["more than success and error", 401, { ...refusal("UNAUTHORIZED"), ...envelope }, /additional properties/],
  ])("refuses %s", (_what, status, body, fault) => {
    expect(judge(status, body)).toThrow(fault);
  });

  test("refuses an answer without its rate headers", () => {
    expect(judge(200, success(entry), "X-RateLimit-Reset")).toThrow("without the header X-RateLimit-Reset");
  });

  test("refuses an answer with a header that it does not have", () => {
    const answer = made(200, success(entry), undefined, "Retry-After");
    expect(() => expectAnswerValid("GET", path, answer)).toThrow("does not have: retry-after");
  });

  test("refuses a webhook of an unknown kind, or with a field too many", () => {
    const { example } = document.webhooks["cashin.confirmed"].post.requestBody.content["application/json"];
    expect(() => expectWebhookValid({ ...example, event: "cashin.paid" })).toThrow("no webhook");
    expect(() => expectWebhookValid({ ...example, sandbox: true })).toThrow("additional properties");
  });

  test("sees the calls of every merchant", async () => {
    const merchant = await Merchant.of(await file.world());
    const answer = await merchant.call("GET", path);
    expect(() => expectAnswerValid("GET", "/v2/account/limits", answer)).toThrow("does not describe");
  });
});

/** TABLE: the header that a refusal must have, by its status. */
const ownHeaders: Readonly<Record<number, string>> = { 405: "Allow", 429: "Retry-After" };

/** An answer that no server gave, with all headers that it must have but one, and further ones. */
function made(status: number, body: object, without?: string, ...further: string[]): Answer {
  const own = [ownHeaders[status] ?? []].flat();
  const names = [...rateHeaders, ...own, "X-Sandbox-World", ...further].filter((name) => name !== without);
  const headers = new Headers(names.map((name) => [name, "1"]));
  return { status, headers, text: JSON.stringify(body), body };
}

/** Every object of the document, but for examples. */
function visit(part: Json, look: (part: Json) => void): void {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) look(part);
  for (const [key, member] of Object.entries(part)) if (!/^examples?$/.test(key)) visit(member, look);
}
