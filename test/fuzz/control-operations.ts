/**
 * The calls of the control interface, as the fuzzer knows them. No OpenAPI document describes them: their paths come from
 * the table of routes, their bodies from the schemas that read them, enriched where those leave the looking to others.
 */
import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import {
  accountChanges,
  accountInput,
  blockedInput,
  credentialChanges,
  fundInput,
  ratesInput,
} from "../../src/control/account-routes.ts";
import { advanceInput } from "../../src/control/advance-target.ts";
import { nothing } from "../../src/control/call.ts";
import { clockInput } from "../../src/control/clock-routes.ts";
import { probeInput } from "../../src/control/insight-routes.ts";
import { resourceKinds } from "../../src/control/resource-kinds.ts";
import { controlRoutes } from "../../src/control/routes.ts";
import { worldInput } from "../../src/control/world-routes.ts";
import { faultsInput } from "../../src/scenarios/faults.ts";
import { resourceActions } from "../../src/service/actions.ts";
import type { Operation } from "./operations.ts";
import type { Schema } from "./schema-values.ts";

const home = new URL("../../", import.meta.url);
const scenario: Schema = JSON.parse(readFileSync(new URL("src/scenarios/scenario.schema.json", home), "utf8"));
const schemaOf = (input: z.ZodType): Schema => z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
/** What the references of all these schemas are of. */
const definitions: Schema = { ...scenario, $defs: schemaOf(faultsInput()).$defs };
const text = (...values: string[]): Schema => ({ enum: values });
const object = (properties: Schema, ...required: string[]): Schema => ({ type: "object", properties, required });
const anyOf = (...choices: Schema[]): Schema => ({ anyOf: choices });

/** The shipped scenarios, and texts that YAML readers trip over. */
const yamls = [
  ...readdirSync(new URL("scenarios", home)).map((name) => readFileSync(new URL(`scenarios/${name}`, home), "utf8")),
  `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n ? `b${n - 1}` : "a"}, *${n ? `b${n - 1}` : "a"}]`).join("\n")}`,
  ...[
    "scenario: *nowhere",
    "scenario: !!js/function 'x'",
    "? [a]\n: b",
    "<<: {a: 1}",
    "%YAML 9.9\n---\n",
    "--- a\n--- b",
    "\t- x",
    "&a a: *a",
  ],
  ...[
    "__proto__: {x: 1}\nscenario: x",
    "scenario: x\nscenario: y",
    `scenario: x\ndescription: ${"[".repeat(5_000)}`,
    "scenario: 0x10",
    "\u0000",
  ],
];

const until = anyOf(
  text("next", "idle", "cashin.confirmed", "cashin.expired", "chargeback.lost"),
  object({ expiry: text(...ids("transaction")), offset: text("-1s", "1s", "+0s") }, "expiry"),
  object({ deadline: text(...ids("dispute")) }, "deadline"),
  object({ quote_expiry: text("BRL/USDT", "BTC/BRL") }, "quote_expiry"),
);

function ids(kind: string): string[] {
  return Array.from({ length: 5 }, (_, n) => `~{${kind}:${n}}~`);
}

/** What a world is made with: afresh, as a fork, or from a bundle. */
function worldBodies(bundle: unknown): Schema[] {
  const { properties } = schemaOf(worldInput());
  const { from: _from, replay: _replay, ...fresh } = properties;
  const scenarios = {
    type: "array",
    items: anyOf(text("happy-path", "magic-values", "receiver-down", "monday-morning"), scenario),
  };
  const settings = scenario.properties.settings;
  const origin = anyOf(
    text("~{world:0}~", "default", "nowhere"),
    object({ world: text("~{world:0}~"), snapshot: text("before", "x") }, "world", "snapshot"),
  );
  const { id, ttl } = properties;
  return [
    object({ ...fresh, scenarios, settings }),
    object({ id, ttl, from: origin }, "from"),
    object({ id, replay: { const: bundle } }, "replay"),
  ];
}

/** Rules that strike calls, or deliveries. */
function faultsOn(struck: "request" | "delivery"): Schema {
  const names =
    struck === "request"
      ? text("* /v2/*", "POST /v2/transactions/*", "GET /v2/account/balance")
      : text("*", "cashin.*", "cashout.failed");
  const { [`inject-${struck}`]: inject, [`where-${struck}`]: where } = scenario.definitions;
  const rule = object(
    { [struck]: names, inject, where, for: text("5s", "1h"), times: { enum: [1, 2] } },
    struck,
    "inject",
  );
  return object({ rules: { type: "array", items: rule } }, "rules");
}

/** TABLE: what calls take, by method and path; what is not here takes nothing. */
function bodiesOf(bundle: unknown): Readonly<Record<string, readonly Schema[]>> {
  const advance = schemaOf(advanceInput()).properties;
  const actions = resourceKinds.flatMap(({ path, name }) => {
    const lifecycles =
      name === "transaction" ? (["cashin", "cashout"] as const) : [name as keyof typeof resourceActions];
    return lifecycles.flatMap((lifecycle) =>
      Object.entries(resourceActions[lifecycle] ?? {}).map(([action, { input }]) => [
        `POST /${path}/:id/${action}`,
        [schemaOf(input)],
      ]),
    );
  });
  return {
    ...Object.fromEntries(actions),
    "POST /worlds": worldBodies(bundle),
    "PUT /": worldBodies(bundle),
    "POST /snapshots": [object({ name: text("before", "after", "x".repeat(63)) })],
    "POST /clock": [schemaOf(clockInput())],
    "POST /clock/advance": ["by", "to", "until"].map((name) => {
      return object(
        { [name]: name === "until" ? until : advance[name], max_timers: text() && { enum: [1, 10, 200] } },
        name,
        "max_timers",
      );
    }),
    "PUT /blocked-ips": [
      schemaOf(blockedInput()),
      object({ ips: { type: "array", items: text("10.0.0.1", "::1", "::ffff:10.1.2.3", "2001:DB8::0") } }, "ips"),
    ],
    "PUT /rates": [
      schemaOf(ratesInput()),
      object(
        { rates: object({ BRL: text("0.25", "0.000000000000001", "999999999999999"), BTC: { enum: [1, 90_000] } }) },
        "rates",
      ),
    ],
    "POST /accounts": [schemaOf(accountInput())],
    "PATCH /accounts/:username": [schemaOf(accountChanges())],
    "POST /accounts/:username/fund": [schemaOf(fundInput())],
    "PATCH /credentials/:client": [schemaOf(credentialChanges())],
    "PUT /faults": [schemaOf(faultsInput()), faultsOn("request"), faultsOn("delivery")],
    "POST /report/probe": [schemaOf(probeInput())],
    "POST /scenarios": [
      object({ name: text("happy-path", "receiver-down", "rate-limit-reached", "../x", "nowhere") }, "name"),
      scenario,
    ],
  };
}

/** TABLE: what names in paths stand for. */
const kinds: Readonly<Record<string, string>> = {
  "/transactions": "transaction",
  "/conversions": "conversion",
  "/transfers": "transfer",
  "/wallets": "wallet",
  "/disputes": "dispute",
  "/webhooks": "webhook",
  "/requests": "request",
  "/explain": "anything",
  "/accounts": "username",
  "/credentials": "client",
  "/snapshots": "snapshot",
  "/scenarios": "scenario",
  "/worlds": "world",
};

/** The kind of id that a path of the control interface wants first. */
export function kindOfPath(path: string): string {
  return kinds[`/${path.split("/")[1]}`] ?? "anything";
}

/** All calls of the control interface; `bundle` is one of a world of this sandbox. */
export function controlOperations(bundle: unknown): readonly Operation[] {
  const bodies = bodiesOf(bundle);
  const routes = controlRoutes.flatMap(({ method, path, rootOnly = false }) => {
    const whole = { method, path, rootOnly };
    if (!path.endsWith("/:action")) return [whole];
    const stem = path.slice(0, -":action".length);
    const actions = Object.keys(bodies).filter((key) => key.startsWith(`POST ${stem}`));
    return [whole, ...actions.map((key) => ({ ...whole, path: key.slice("POST ".length) }))];
  });
  const others = [
    { method: "GET", path: "/health", rootOnly: true },
    { method: "GET", path: "/journal/stream", rootOnly: false },
    { method: "PUT", path: "/", rootOnly: false },
  ];
  return [...routes, ...others].map(({ method, path, rootOnly }): Operation => {
    const schemas = bodies[`${method} ${path}`] ?? (method === "GET" ? [] : [object({})]);
    const yaml =
      method === "POST" && path === "/scenarios" ? [{ media: "application/yaml", schema: text(...yamls) }] : [];
    const given = schemas.map((schema) => ({ media: "application/json", schema }));
    const area = "control" as const;
    const named = path.replace(/:([a-z]+)/g, "{$1}");
    return {
      area,
      method,
      path: named,
      rootOnly,
      query: queryOf(method, path),
      bodies: [...given, ...yaml],
      root: definitions,
      auth: false,
      signed: false,
    };
  });
}

/** What lists take, and the stream. */
function queryOf(method: string, path: string): Operation["query"] {
  const { query } = controlRoutes.find((route) => route.method === method && route.path === path) ?? {};
  const { properties } =
    path === "/journal/stream"
      ? object({ after: { enum: ["0", "1", "x", "999999999999999", "-1"] } })
      : schemaOf(query?.() ?? nothing);
  return Object.entries<Schema>(properties ?? {}).map(([name, schema]) => ({ name, schema }));
}
