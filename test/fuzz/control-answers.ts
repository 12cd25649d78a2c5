/** What the calls of the control interface answer, as docs/control.md tells it: held by ajv, since no document is served. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { Schema } from "./schema-values.ts";

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const count = { type: "integer", minimum: 0 };
const flag = { type: "boolean" };
const anything = { type: "object" };
const instant = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" };
const instantOrNull = { anyOf: [instant, { type: "null" }] };
const decimal = { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" };
const list = (items: Schema) => ({ type: "array", items });

/** Exactly these members. */
const exact = (properties: Schema): Schema => ({ ...whole(properties), additionalProperties: false });
/** These members, and others. */
const whole = (properties: Schema): Schema => ({ type: "object", properties, required: Object.keys(properties) });
const page = (items: Schema) => exact({ items: list(items), next_cursor: textOrNull });

const clock = exact({
  mode: { enum: ["running", "frozen"] },
  speed: { type: "number", exclusiveMinimum: 0 },
  now: instant,
  pending_timers: count,
  next_timer_at: instantOrNull,
});
const credential = whole({ client_id: text, client_secret: text, signing_key: text, postback_url: textOrNull });
const balance = exact({ currency: text, balance: decimal, balance_locked: decimal });
const account = exact({
  ...{
    username: text,
    name: text,
    document: text,
    email: text,
    status: { enum: ["active", "under_review"] },
    postback_url: textOrNull,
  },
  ...{ created_at: instant, balances: list(balance), credentials: list(credential) },
});
const world = whole({
  world: text,
  base_url: text,
  clock,
  seed: count,
  settings: anything,
  scenarios: list(text),
  accounts: list(account),
});
const snapshot = exact({ name: text, at: instant, entries: count });
const timer = exact({
  id: text,
  at: instant,
  kind: text,
  subject: textOrNull,
  recurring: flag,
  cause: { type: ["integer", "null"] },
  rule: textOrNull,
});
const entry = exact({
  sequence: count,
  at: instant,
  kind: text,
  subject: textOrNull,
  cause: { type: ["integer", "null"] },
  rule: textOrNull,
  data: anything,
});
const posting = exact({
  id: count,
  at: instant,
  subject: text,
  source: text,
  destination: text,
  currency: text,
  amount: decimal,
  cause: count,
});
const known = { postings: list(posting), timers: list(timer), journal: list(entry) };
const state = { status: text, actions: list(text) };
const resource = { ...state, created_at: instant };
const transaction = {
  ...resource,
  transaction_id: text,
  type: { enum: ["cashin", "cashout"] },
  currency: text,
  amount: decimal,
};
const conversion = { ...state, completed_at: instant, conversion_id: text, spread: decimal, username: text };
const transfer = { ...resource, transaction_id: text, sender: text, recipient: text };
const wallet = { ...resource, wallet_id: count, username: text, network: text };
const dispute = { ...resource, infraction_id: text, reply: { type: ["object", "null"] }, resolved_at: instantOrNull };
const webhook = whole({
  webhook_id: text,
  event: text,
  username: text,
  destination: textOrNull,
  status: text,
  created_at: instant,
  next_attempt_at: instantOrNull,
  body: anything,
  headers: { type: ["object", "null"] },
  attempts: list(
    whole({ number: count, outcome: text, at: instant, request: anything, error: { type: ["object", "null"] } }),
  ),
});
const request = exact({
  ...{
    request_id: text,
    at: instant,
    client_id: textOrNull,
    ip: text,
    method: text,
    path: text,
    query: text,
    headers: anything,
    body: text,
  },
  ...{ status: count, error_code: textOrNull, response: anything, duration_ms: count, findings: { type: "array" } },
});
const scenario = whole({ name: text, file: text, rules: { type: "array" }, expectations: { type: "array" } });
const faults = exact({ rules: list(whole({ inject: anything, matched: count, fired: count })) });
const report = whole({
  verdict: text,
  checks: list(
    whole({ id: text, title: text, verdict: text, detail: text, evidence: { type: "array" }, advice: text }),
  ),
});
const advanced = exact({
  ...{ from: instant, to: instant, reached: flag, timers: count, trace: list(entry), trace_truncated: { const: true } },
  webhooks: exact({ delivered: count, failed: count, pending: count }),
});
advanced.required = advanced.required.filter((name: string) => name !== "trace_truncated");
const rates = exact({ rates: { type: "object", additionalProperties: decimal } });
const ips = exact({ ips: list(text) });

/** TABLE: what calls answer: statuses and, but for 204, a body; by method and path, an action as `:action`. */
const successes: Readonly<Record<string, readonly [statuses: readonly number[], body: Schema | null]>> = {
  "GET /": [[200], world],
  "PUT /": [[200, 201], world],
  "GET /worlds": [[200], page(exact({ world: text, clock, seed: count }))],
  "POST /worlds": [[201], world],
  "DELETE /worlds/{world}": [[204], null],
  "POST /reset": [[200], world],
  "GET /snapshots": [[200], page(snapshot)],
  "POST /snapshots": [[201], snapshot],
  "POST /snapshots/{name}/restore": [[200], world],
  "DELETE /snapshots/{name}": [[204], null],
  "GET /export": [
    [200],
    whole({
      format: { const: "payments-sandbox-bundle" },
      version: { const: 1 },
      world: anything,
      inputs: { type: "array" },
      journal: list(entry),
    }),
  ],
  "GET /health": [[200], exact({ status: { const: "ok" }, version: text })],
  "GET /clock": [[200], clock],
  "POST /clock": [[200], clock],
  "POST /clock/advance": [[200], advanced],
  "DELETE /clock/advance": [[200], clock],
  "POST /clock/settle": [[200], clock],
  "GET /timers": [[200], page(timer)],
  "GET /accounts": [[200], page(account)],
  "POST /accounts": [[201], account],
  "GET /accounts/{username}": [[200], account],
  "PATCH /accounts/{username}": [[200], account],
  "POST /accounts/{username}/credentials": [[201], credential],
  "POST /accounts/{username}/fund": [[200], account],
  "PATCH /credentials/{client}": [[200], { ...credential, required: [...credential.required, "limits"] }],
  "GET /blocked-ips": [[200], ips],
  "PUT /blocked-ips": [[200], ips],
  "GET /rates": [[200], rates],
  "PUT /rates": [[200], rates],
  ...resources("transactions", transaction),
  ...resources("conversions", conversion),
  ...resources("transfers", transfer),
  ...resources("wallets", wallet),
  ...resources("disputes", dispute),
  "POST /wallets/{id}/:action": [[200], whole({ ...transaction, ...known })],
  "GET /webhooks": [[200], page(webhook)],
  "GET /webhooks/{id}": [[200], webhook],
  "POST /webhooks/{id}/redeliver": [[200], webhook],
  "GET /inbox": [[200], page(exact({ at: instant, headers: anything, body: anything }))],
  "GET /requests": [[200], page(request)],
  "GET /requests/{id}": [[200], request],
  "GET /journal": [[200], page(entry)],
  "GET /ledger": [
    [200],
    exact({
      items: list(posting),
      next_cursor: textOrNull,
      balances: list(exact({ account: text, currency: text, balance: decimal })),
    }),
  ],
  "GET /ledger/check": [
    [200],
    exact({ ok: { const: true }, checks: list(exact({ id: text, ok: { const: true }, detail: text })) }),
  ],
  "GET /explain/{id}": [[200], anything],
  "GET /report": [[200], report],
  "POST /report/probe": [[200], report],
  "GET /coverage": [
    [200],
    whole({ covered: count, total: count, percent: { type: "number" }, sections: { type: "array" } }),
  ],
  "GET /scenarios": [[200], page(scenario)],
  "POST /scenarios": [[200, 201], scenario],
  "GET /scenarios/{name}": [[200], scenario],
  "DELETE /scenarios/{name}": [[204], null],
  "GET /faults": [[200], faults],
  "PUT /faults": [[200], faults],
  "DELETE /faults": [[200], faults],
};

function resources(path: string, fields: Schema): Record<string, readonly [readonly number[], Schema]> {
  const detail = whole({ ...fields, ...known });
  return {
    [`GET /${path}`]: [[200], page(whole(fields))],
    [`GET /${path}/{id}`]: [[200], detail],
    [`POST /${path}/{id}/:action`]: [[200], detail],
  };
}

/** What every refusal looks like. */
const refusal = exact({
  error: exact({
    code: { type: "string", pattern: "^[A-Z]+(_[A-Z]+)*$" },
    message: { type: "string", pattern: "^\\S" },
    details: anything,
  }),
});

/** The statuses of refusals that docs/control.md names. */
const REFUSALS: readonly number[] = [400, 401, 403, 404, 405, 409, 413, 415, 422];

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const compiled = new Map<string, ValidateFunction>();
const isRefusal = ajv.compile(refusal);

/** Where the answers of a call are described. */
export function answerKey(method: string, path: string): string {
  return `${method} ${path.replace(/^(\/(?:transactions|conversions|transfers|wallets|disputes)\/\{id\})\/[a-z{}]+$/, "$1/:action")}`;
}

/** The calls whose answers are described. */
export const described: readonly string[] = Object.keys(successes);

/** What is wrong with an answer of a call; null where nothing is. */
export function controlFault(key: string, status: number, body: unknown): string | null {
  if (status >= 400) {
    if (!REFUSALS.includes(status)) return `the status ${status} is not documented`;
    return isRefusal(body) ? null : `the refusal is not as documented: ${ajv.errorsText(isRefusal.errors)}`;
  }
  const success = successes[key];
  if (!success) return `there should be no success of ${key}`;
  const [statuses, schema] = success;
  if (!statuses.includes(status)) return `the status ${status} is not documented`;
  if (schema === null) return body === undefined ? null : "there should be no body";
  const validate = compiled.get(key) ?? ajv.compile(schema);
  compiled.set(key, validate);
  return validate(body)
    ? null
    : `the body is not as documented: ${ajv.errorsText(validate.errors, { dataVar: "body" })}`;
}
