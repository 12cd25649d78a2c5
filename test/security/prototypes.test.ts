/** Keys and names that objects have in JavaScript are refused like any unknown one, or are plain data. */
import { afterEach, describe, expect, test } from "vitest";
import { madeUpFile } from "../../src/runs/form.ts";
import { control } from "../support/control.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";

const file = useSandbox();

/** TABLE: what every object has, or what leads to what every object has. */
const inherited = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "isPrototypeOf"];

const before = new Map(
  prototypes().map((prototype) => [prototype, JSON.stringify(Reflect.ownKeys(prototype).map(String))]),
);

afterEach(() => {
  for (const [prototype, keys] of before) {
    expect(JSON.stringify(Reflect.ownKeys(prototype).map(String))).toBe(keys);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

function prototypes(): object[] {
  return [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype, Error.prototype];
}

/** A body as text: a literal of JavaScript would set the prototype instead. */
const keyed = (key: string, value = '{"polluted":true}') => `${JSON.stringify(key)}:${value}`;

/** TABLE: bodies of the control interface with such a key where keys are free or known; each is refused. */
const refused: readonly [method: string, path: string, body: (key: string) => string][] = [
  ["POST", "/worlds", (key) => `{${keyed(key)}}`],
  ["POST", "/worlds", (key) => `{"clock":{${keyed(key)}}}`],
  ["POST", "/worlds", (key) => `{"settings":{${keyed(key)}}}`],
  ["POST", "/worlds", (key) => `{"settings":{"fixtures":{${keyed(key)}}}}`],
  ["POST", "/worlds", (key) => `{"settings":{"fixtures":{"currencies":{${keyed(key)}}}}}`],
  ["POST", "/worlds", (key) => `{"accounts":[{"username":"a",${keyed(key)}}]}`],
  ["POST", "/worlds", (key) => `{"accounts":[{"username":"a","balances":{${keyed(key, '"1"')}}}]}`],
  ["POST", "/worlds", (key) => `{"from":{${keyed(key)}}}`],
  ["POST", "/worlds", (key) => `{"replay":{${keyed(key)}}}`],
  ["POST", "/worlds", (key) => `{"ttl":{${keyed(key)}}}`],
  ["POST", "/worlds", (key) => `{"scenarios":[{"scenario":"mine",${keyed(key)}}]}`],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","settings":{${keyed(key)}}}`],
  ["POST", "/scenarios", (key) => scenario(`"then":[{"after":"1s",${keyed(key)}}]`)],
  ["POST", "/scenarios", (key) => scenario(`"then":[{"after":"1s","pay":{${keyed(key)}}}]`)],
  ["POST", "/scenarios", (key) => scenario(`"where":{${keyed(key, '"x"')}},"then":[{"pay":{}}]`)],
  ["POST", "/scenarios", (key) => scenario(`"where":{"amount":{${keyed(key, "1")}}},"then":[{"pay":{}}]`)],
  ["POST", "/scenarios", (key) => scenario(`"where":{"currency":{${keyed(key)}}},"then":[{"pay":{}}]`)],
  [
    "POST",
    "/scenarios",
    (key) => scenario(`"where":{"currency":"BRL","amount":{${keyed(key, "1")}}},"then":[{"pay":{}}]`),
  ],
  ["POST", "/scenarios", (key) => scenario(`"where":{"amount":{"in":[{${keyed(key)}}],"gt":1}},"then":[{"pay":{}}]`)],
  [
    "POST",
    "/scenarios",
    (key) => scenario(`"where":{"currency":{${keyed(key)}},"currency_type":"fiat"},"then":[{"pay":{}}]`),
  ],
  [
    "POST",
    "/scenarios",
    (key) => scenario(`"where":{"currency_type":"fiat","chain":{${keyed(key)}}},"then":[{"pay":{}}]`),
  ],
  ["POST", "/scenarios", (key) => scenario(`"then":[{"fault":{"request":"*","for":{${keyed(key)}},"from":"+1m"}}]`)],
  [
    "POST",
    "/scenarios",
    (key) => scenario(`"from":{${keyed(key)}},"then":[{"fault":{"request":"*","until":{${keyed(key)}}}}]`),
  ],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","expect":[{"balance":{"BRL":{${keyed(key)}}}}]}`],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","expect":[{"balance":{"BRL":1},"of":{${keyed(key)}}}]}`],
  [
    "POST",
    "/scenarios",
    (key) => `{"scenario":"mine","expect":[{"event":"cashin.confirmed","count":{${keyed(key)}}}]}`,
  ],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","expect":[{${keyed(key)}}]}`],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","merchant":[{"call":"GET /v2/x","expect":{${keyed(key)}}}]}`],
  ["POST", "/scenarios", (key) => scenario(`"chance":{${keyed(key)}},"then":[{"pay":{}}]`)],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","rules":[{"on":{${keyed(key)}},"then":[{"pay":{}}]}]}`],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","accounts":[{"username":{${keyed(key)}}}]}`],
  [
    "POST",
    "/scenarios",
    (key) => `{"scenario":"mine","accounts":[{"username":"a","balances":{"BRL":[{${keyed(key)}}]}}]}`,
  ],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","merchant":[{"advance":{${keyed(key)}}}]}`],
  ["POST", "/scenarios", (key) => `{"scenario":"mine","merchant":[{"call":"x","body":{"currency":{${keyed(key)}}}}]}`],
  ["PUT", "/faults", (key) => `{"rules":[{"request":"POST /v2/*","inject":{${keyed(key)}}}]}`],
  ["PUT", "/faults", (key) => `{"rules":[{"delivery":"*","inject":{"drop":true},${keyed(key)}}]}`],
  ["PUT", "/rates", (key) => `{"rates":{${keyed(key, '"1"')}}}`],
  ["POST", "/clock", (key) => `{${keyed(key)}}`],
  ["POST", "/clock/advance", (key) => `{"until":{${keyed(key)}}}`],
  ["POST", "/snapshots", (key) => `{${keyed(key)}}`],
  ["POST", "/accounts", (key) => `{"username":"a",${keyed(key)}}`],
  ["PATCH", "/accounts/acme", (key) => `{${keyed(key)}}`],
  ["PATCH", "/credentials/CLIENT", (key) => `{"limits":[{${keyed(key)}}]}`],
  ["POST", "/transactions/CHARGE/pay", (key) => `{"payer":{${keyed(key)}}}`],
];

/** TABLE: such a name as a value that is looked up in a table; each is unknown. */
const unknown: readonly [method: string, path: (name: string) => string, body?: (name: string) => unknown][] = [
  ["POST", () => "/clock/advance", (until) => ({ until })],
  ["POST", () => "/clock/advance", (pair) => ({ until: { quote_expiry: `${pair}/USDT` } })],
  ["POST", () => "/scenarios", (name) => ({ name })],
  ["POST", () => "/scenarios", (on) => `{"scenario":"mine","rules":[{"on":"${on}","then":[{"pay":{}}]}]}`],
  [
    "POST",
    () => "/scenarios",
    (on) => `{"scenario":"mine","rules":[{"on":"${on}","where":{"x":"y"},"then":[{"pay":{}}]}]}`,
  ],
  ["POST", () => "/accounts/acme/fund", (currency) => ({ currency, amount: "1" })],
  ["POST", (name) => `/transactions/CHARGE/${name}`, () => ({})],
  ["POST", () => "/transactions/CHARGE/pay", (name) => ({ [`${name}x`]: 1 })],
  ["PUT", () => "/faults", (code) => ({ rules: [{ request: "POST /v2/*", inject: { error: code } }] })],
  ["PUT", () => "/faults", (delivery) => ({ rules: [{ delivery, inject: { drop: true } }] })],
  ["GET", (name) => `/webhooks?event=${name}`],
  ["GET", (name) => `/webhooks?${name}=1`],
  ["GET", (name) => `/webhooks/${name}`],
  ["GET", (name) => `/explain/${name}`],
  ["GET", (name) => `/scenarios/${name}`],
  ["GET", (name) => `/${name}`],
  ["DELETE", (name) => `/worlds/${name}`],
];

describe.each(inherited)("%s", (name) => {
  test("as a key of the control interface is refused, wherever it stands", async () => {
    const { at, world } = await stage();
    for (const [method, path, body] of refused) {
      const base = path === "/worlds" ? file.sandbox : world;
      const { status, text } = await control(base, method, at(path), body(name));
      expect([path, body(name), status, text]).toEqual([path, body(name), refusal(status), expect.any(String)]);
    }
  });

  test("as a name is one that nothing has", async () => {
    const { at, world } = await stage();
    for (const [method, path, body] of unknown) {
      const { status } = await control(
        path(name).startsWith("/worlds") ? file.sandbox : world,
        method,
        at(path(name)),
        body?.(name),
      );
      expect([method, path(name), status]).toEqual([method, path(name), refusal(status)]);
    }
  });

  test("in YAML is refused at its place", async () => {
    for (const yaml of [`${name}: {polluted: true}`, `settings: {${name}: {polluted: true}}`, `<<: {${name}: 1}`]) {
      const headers = { "Content-Type": "application/yaml" };
      const { status, body } = await control(file.sandbox, "POST", "/scenarios", `scenario: mine\n${yaml}\n`, headers);
      expect([yaml, status, body.error.code]).toEqual([yaml, 422, "INVALID_SCENARIO"]);
      expect(body.error.details.problems[0]).toMatchObject({ line: 2 });
    }
  });

  test("in JSON where a value belongs is no value, and its message says so", async () => {
    for (const text of [`{"scenario": ${name}}`, `{"scenario": "mine", "title": ${name}}`]) {
      const { status, body } = await control(file.sandbox, "POST", "/scenarios", text);
      expect([text, status, body.error.code]).toEqual([text, 422, "INVALID_SCENARIO"]);
      expect(body.error.details.problems[0].message).toMatch(
        /^this is no JSON, where names and texts are in double quotes/,
      );
    }
  });

  test("as the type of a file that a script makes up is one like any other", () => {
    expect(madeUpFile({ name: "a.bin", type: name, size: 2 }).content).toEqual(Buffer.alloc(2));
  });

  test("in calls of the service is data, or nothing", async () => {
    const merchant = await Merchant.of(await file.world());
    const charge = await merchant.call(
      "POST",
      "/v2/transactions/cashin",
      `{"currency":"BRL","amount":1,${keyed(name)}}`,
    );
    expect(charge.status).toBe(200);
    const named = await merchant.cashin({ currency: "BRL", amount: 1, external_id: name });
    expect([named.status, named.body.data.external_id]).toEqual([200, name]);
    const currency = await merchant.call("GET", `/v2/account/balance?currency=${name}&${name}=1&${name}[polluted]=1`);
    expect([currency.status, currency.body.error.code]).toEqual([422, "INVALID_CURRENCY"]);
    for (const body of [
      { currency: name, amount: 1 },
      { currency: "USDT", chain: name, amount: 1 },
    ]) {
      expect((await merchant.cashin(body)).status).toBe(422);
    }
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const token = await merchant.call("POST", "/v2/oauth/token", `client_id=${name}&client_secret=x&${name}=1`, form);
    expect([token.status, token.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    const header = await merchant.call("GET", "/v2/account/balance", undefined, { [name]: "polluted" });
    expect(header.status).toBe(200);
  });
});

/** A world with a charge, and addresses with what they name in it. */
async function stage() {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const { body } = await merchant.cashin({ currency: "BRL", amount: 1 });
  const at = (path: string) =>
    path.replace("CHARGE", body.data.transaction_id).replace("CLIENT", world.credentials.clientId);
  return { world, at };
}

function scenario(rule: string): string {
  return `{"scenario":"mine","rules":[{"on":"cashin.created",${rule}}]}`;
}

/** The status itself where it is one of a refusal, which tells it beside the call when it is none. */
function refusal(status: number): number | string {
  return [400, 404, 405, 409, 422].includes(status) ? status : "a refusal";
}
