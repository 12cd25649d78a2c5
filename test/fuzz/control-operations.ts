/**
 * The calls of the control interface, from the OpenAPI documents that a sandbox serves of it, with what a document cannot
 * say: which ids and names there are, which members go together, and what a scenario may be.
 */
import { readdirSync, readFileSync } from "node:fs";
import { type Operation, operationsOf } from "./operations.ts";
import { resolved, type Schema } from "./schema-values.ts";

const home = new URL("../../", import.meta.url);
const scenario: Schema = JSON.parse(readFileSync(new URL("src/scenarios/scenario.schema.json", home), "utf8"));
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
function worldBodies({ properties }: Schema, bundle: unknown): Schema[] {
  const { from: _from, replay: _replay, id, ttl, ...fresh } = properties;
  const scenarios = {
    type: "array",
    items: anyOf(text("happy-path", "magic-values", "receiver-down", "monday-morning"), scenario),
  };
  const origin = anyOf(
    text("~{world:0}~", "default", "nowhere"),
    object({ world: text("~{world:0}~"), snapshot: text("before", "x") }, "world", "snapshot"),
  );
  return [
    object({ id, ttl, ...fresh, scenarios }),
    object({ id, ttl, from: origin }, "from"),
    object({ id, replay: { const: bundle } }, "replay"),
  ];
}

/** A rule that strikes calls, or deliveries. */
function faultOn(struck: "request" | "delivery"): Schema {
  const names =
    struck === "request"
      ? text("* /v2/*", "POST /v2/transactions/*", "GET /v2/account/balance")
      : text("*", "cashin.*", "cashout.failed");
  const { [`inject-${struck}`]: inject, [`where-${struck}`]: where } = scenario.definitions;
  return object({ [struck]: names, inject, where, for: text("5s", "1h"), times: { enum: [1, 2] } }, struck, "inject");
}

/** Rules that do. */
function faultsOn(struck: "request" | "delivery"): Schema {
  return object({ rules: { type: "array", items: faultOn(struck) } }, "rules");
}

const addresses = { type: "array", items: text("10.0.0.1", "::1", "::ffff:10.1.2.3", "2001:DB8::0") };
const someRates = object({ BRL: text("0.25", "0.000000000000001", "999999999999999"), BTC: { enum: [1, 90_000] } });

/** TABLE: bodies by operation, made of the one that the document has; what is not here is as the document has it. */
const bodies: Readonly<Record<string, (described: Schema, bundle: unknown) => Schema[]>> = {
  createWorld: worldBodies,
  putWorld: worldBodies,
  takeSnapshot: () => [object({ name: text("before", "after", "x".repeat(63)) })],
  advanceClock: ({ properties: { by, to } }) =>
    Object.entries({ by, to, until }).map(([name, schema]) =>
      object({ [name]: schema, max_timers: { enum: [1, 10, 200] } }, name, "max_timers"),
    ),
  replaceBlockedIps: (described) => [described, object({ ips: addresses }, "ips")],
  changeRates: (described) => [described, object({ rates: someRates }, "rates")],
  replaceFaults: (described) => [described, faultsOn("request"), faultsOn("delivery")],
  addFault: (described) => [described, faultOn("request"), faultOn("delivery")],
  loadScenario: () => [
    object({ name: text("happy-path", "receiver-down", "rate-limit-reached", "../x", "nowhere") }, "name"),
    scenario,
  ],
};

/** TABLE: queries whose values their names do not tell. */
const queries: Readonly<Record<string, Operation["query"]>> = {
  streamJournal: [{ name: "after", schema: text("0", "1", "x", "999999999999999", "-1") }],
};

/** The operations that the tables name. */
export const namedOperations: readonly string[] = [...Object.keys(bodies), ...Object.keys(queries)];

/** TABLE: what names in paths stand for. */
const kinds: Readonly<Record<string, string>> = {
  transactions: "transaction",
  conversions: "conversion",
  transfers: "transfer",
  wallets: "wallet",
  disputes: "dispute",
  webhooks: "webhook",
  requests: "request",
  explain: "anything",
  accounts: "username",
  credentials: "client",
  snapshots: "snapshot",
  scenarios: "scenario",
  worlds: "world",
};

/** The kind of id that a path of the control interface wants first. */
export function kindOfPath(path: string): string {
  return kinds[/^\/_sandbox\/([^/]+)/.exec(path)?.[1] ?? ""] ?? "anything";
}

/** Where actions are called; of those that there are not, no document tells. */
const ACTIONS = ["transactions", "conversions", "transfers", "wallets", "disputes"];

/**
 * All calls of the control interface.
 * @param root its document at the root, @param world that at a world's address.
 * @param bundle one of a world of this sandbox.
 */
export function controlOperations(root: Schema, world: Schema, bundle: unknown): readonly Operation[] {
  const ofWorld = operationsOf(world, "control");
  const known = new Set(ofWorld.map(({ id }) => id));
  const ofRoot = operationsOf(root, "control").filter(({ id }) => !known.has(id));
  const anyAction = ofWorld
    .filter(({ id }) => id === "payTransaction")
    .flatMap((operation) =>
      ACTIONS.map((kind) => ({ ...operation, id: `${kind}Action`, path: `/_sandbox/${kind}/{id}/{action}` })),
    );
  return [...ofWorld, ...ofRoot.map((operation) => ({ ...operation, rootOnly: true })), ...anyAction].map(
    (operation) => {
      const given = operation.bodies.map((body) => {
        return { ...body, schema: body.schema.$ref ? resolved(body.schema.$ref, operation.root) : body.schema };
      });
      return {
        ...operation,
        query: queries[operation.id] ?? operation.query,
        bodies: given
          .flatMap(({ media, schema }) => {
            if (media === "application/yaml") return [{ media, schema: text(...yamls) }];
            const schemas = bodies[operation.id]?.(schema, bundle) ?? [schema];
            return schemas.map((one) => ({ media, schema: one }));
          })
          .concat(
            operation.method === "GET" || given.length > 0 ? [] : [{ media: "application/json", schema: object({}) }],
          ),
        // Scenarios refer to definitions of their own.
        root: { ...operation.root, definitions: scenario.definitions },
      };
    },
  );
}
