/** Worlds made of settings and data that are just about what their schemas allow. */
import { readFileSync } from "node:fs";
import fc from "fast-check";

const home = new URL("../../", import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, home), "utf8"));
const settings: Readonly<Record<string, { enum?: unknown[]; type?: string }>> = read(
  "src/scenarios/scenario.schema.json",
).properties.settings.properties;
const names = ["currencies", "chains", "fees", "limits", "rates", "accounts", "terms", "banks"] as const;
const fixtures = Object.fromEntries(names.map((name) => [name, read(`fixtures/${name}.json`)]));

/** One place of a file of data, and what stands there instead. */
interface Change {
  readonly place: number;
  readonly n: number;
}

/** TABLE: what a leaf becomes, by what it is. */
const decimals = [
  "0",
  "0.00",
  "0.000000000000000000000000000001",
  "1",
  "50",
  "100",
  "100.01",
  "1000000",
  `1${"0".repeat(30)}`,
  "9".repeat(300),
];
const numbers = [0, 1, 2, 8, 18, 19, 30, 1_000, 86_400_000, 1e15, 9_007_199_254_740_991, -1, 0.5];
const words = [
  "BRL",
  "USDT",
  "BTC",
  "XYZ",
  "brl",
  "tron",
  "evm",
  "bitcoin",
  "cashin",
  "conversion",
  "fiat",
  "crypto",
  "PIX",
  "SPEI",
  "",
  " ",
  "é",
  "x".repeat(300),
];

function instead(leaf: unknown, n: number): unknown {
  const values = typeof leaf === "number" ? numbers : /^\d+(\.\d+)?$/.test(String(leaf)) ? decimals : words;
  return typeof leaf === "boolean" ? !leaf : values[n % values.length];
}

/** A copy of data in which one leaf is another, or one list or object has lost what it began with. */
function changed(data: unknown, { place, n }: Change): unknown {
  const copy = { root: structuredClone(data) };
  // biome-ignore lint/suspicious/noExplicitAny: data is looked into freely.
  const places: [any, string][] = [];
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const walk = (at: any, key: string) => {
    places.push([at, key]);
    const value = at[key];
    if (typeof value === "object" && value !== null) for (const inner of Object.keys(value)) walk(value, inner);
  };
  walk(copy, "root");
  const [at, key] = places[place % places.length] ?? [copy, "root"];
  const value = at[key];
  if (Array.isArray(value)) at[key] = n % 3 === 0 ? [] : value.slice(1);
  else if (typeof value !== "object" || value === null) at[key] = instead(value, n);
  return copy.root;
}

const change: fc.Arbitrary<Change> = fc.record({ place: fc.nat(5_000), n: fc.nat(300) });

const oddFixtures = fc
  .array(fc.tuple(fc.constantFrom(...names), fc.array(change, { maxLength: 3 })), { maxLength: 3 })
  .map((chosen) =>
    Object.fromEntries(chosen.map(([name, changes]) => [name, changes.reduce<unknown>(changed, fixtures[name])])),
  );

const oddSettings = fc
  .record(
    Object.fromEntries(
      Object.entries(settings)
        .filter(([name]) => name !== "fixtures" && name !== "protections")
        .map(([name, { enum: choices, type }]) => [name, settingOf(choices, type)]),
    ),
    { requiredKeys: [] },
  )
  .map((given) => given as Record<string, unknown>);

function settingOf(choices: unknown[] | undefined, type: string | undefined): fc.Arbitrary<unknown> {
  if (choices) return fc.constantFrom(...choices);
  if (type === "boolean") return fc.boolean();
  return type === "integer" ? fc.constantFrom(1, 2, 1_000_000) : fc.constantFrom("0s", "1ms", "60s", "100000d");
}

const start = fc.constantFrom(
  "2026-01-01T12:00:00Z",
  "1970-01-01T00:00:00Z",
  "2024-02-29T23:59:59.999Z",
  "9998-12-31T23:59:59Z",
  "0001-01-01T00:00:00Z",
);

/** What `POST /worlds` makes such a world of. */
export const oddWorlds: fc.Arbitrary<object> = fc
  .tuple(
    oddSettings,
    oddFixtures,
    fc.boolean(),
    fc.oneof({ arbitrary: fc.constant(undefined), weight: 2 }, { arbitrary: start, weight: 1 }),
  )
  .map(([given, data, happy, from]) => ({
    settings: { ...given, protections: "off", fixtures: data },
    scenarios: happy ? ["happy-path"] : [],
    ...(from === undefined ? {} : { clock: { start: from } }),
    postback_url: "sandbox://inbox",
  }));
