/** The rules of the house that a compiler does not hold: which way imports point, and where time may come from. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type LifecycleName, lifecycles } from "../src/domain/lifecycles.ts";
import { statesOf } from "../src/domain/machine.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");

/** Each room, and the rooms it may import from; a room may always import from itself. */
const rooms: Record<string, readonly string[]> = {
  domain: [],
  store: ["domain"],
  world: ["store", "domain", "runtime.ts"],
  service: ["world", "store", "domain"],
  webhooks: ["service", "world", "store", "domain"],
  scenarios: ["service", "world", "store", "domain"],
  host: ["scenarios", "webhooks", "service", "world", "store", "domain", "runtime.ts"],
  insight: ["webhooks", "service", "world", "store", "domain"],
  history: ["host", "scenarios", "webhooks", "world", "store", "domain", "runtime.ts", "package-version.ts"],
  control: ["history", "insight", "host", "scenarios", "webhooks", "service", "world", "store", "domain"],
  http: ["control", "history", "host", "service", "world", "store", "domain", "runtime.ts"],
  runs: ["history", "http", "insight", "host", "scenarios", "service", "webhooks", "world", "store", "domain"],
  client: [
    "node-version.ts",
    "http",
    "control",
    "history",
    "insight",
    "host",
    "scenarios",
    "service",
    "world",
    "domain",
    "server.ts",
    "source-addresses.ts",
    "runtime.ts",
  ],
  pages: ["client", "control", "http", "scenarios", "webhooks", "host", "service", "domain"],
  cli: [
    "pages",
    "runs",
    "history",
    "insight",
    "control",
    "network.ts",
    "client",
    "host",
    "http",
    "scenarios",
    "store",
    "world",
    "domain",
    "server.ts",
    "source-addresses.ts",
    "runtime.ts",
    "package-version.ts",
  ],
  // It talks to the control interface from a browser; of the client it knows the types, and nothing else of the house.
  dashboard: ["client"],
  "server.ts": ["http", "host", "store", "network.ts", "source-addresses.ts", "package-version.ts"],
  "network.ts": ["webhooks", "store", "exchange.ts", "kept-connections.ts", "source-addresses.ts", "runtime.ts"],
  "exchange.ts": ["runtime.ts"],
  "kept-connections.ts": ["runtime.ts"],
  "source-addresses.ts": ["domain"],
  "runtime.ts": [],
  "package-version.ts": [],
  "node-version.ts": [],
  "index.ts": ["client", "domain"],
};

/** Every state of every lifecycle. */
const everyState = (Object.keys(lifecycles) as LifecycleName[]).flatMap(statesOf);

/** What only some places may name. */
const bans: readonly { what: string; pattern: RegExp; allowed: (file: string) => boolean }[] = [
  { what: "the wall clock", pattern: /Date\.now\(|new Date\(\)|performance\.now\(/, allowed: isRuntime },
  { what: "timers of the machine", pattern: /\bset(Timeout|Interval|Immediate)\(/, allowed: isRuntime },
  {
    what: "randomness of the machine",
    pattern: /Math\.random|randomBytes|randomUUID|getRandomValues/,
    allowed: isRuntime,
  },
  {
    what: "outgoing network",
    pattern: /(from|import\() ?"undici"/,
    allowed: (file) => ["network.ts", "exchange.ts"].includes(file),
  },
  {
    what: "calls of a sandbox, as those make them who stand outside it",
    pattern: /\bawait fetch\(|from "node:https"/,
    allowed: (file) => ["client", "cli", "pages", "dashboard"].includes(roomOf(file)),
  },
  { what: "SQLite", pattern: /from "better-sqlite3"/, allowed: (file) => file.startsWith("store/") },
  { what: "SQL", pattern: /\bdatabase\.(get|all|run|exact\w+)\b/, allowed: (file) => file.startsWith("store/") },
  { what: "Hono", pattern: /from "(hono|@hono)/, allowed: (file) => file.startsWith("http/") },
  { what: "Preact", pattern: /from "preact/, allowed: (file) => file.startsWith("dashboard/") },
  { what: "Date in the domain", pattern: /\bDate\b/, allowed: (file) => !file.startsWith("domain/") },
  {
    what: "more of the client than its types, in the browser",
    pattern: /^(?:import|export) (?!type\b)[^;]*?from "[^"]*\/client\//m,
    allowed: (file) => !file.startsWith("dashboard/"),
  },
  {
    what: "promises in the domain",
    pattern: /\basync\b|\bawait\b|Promise</,
    allowed: (file) => !file.startsWith("domain/"),
  },
  {
    what: "a status written past the interpreter",
    pattern: new RegExp(`\\bstatus(: | = |=)["'](${everyState.join("|")})["']`),
    // A probe makes up a charge that there never was, an answer may be lost, and what shows statuses writes none.
    allowed: (file) =>
      ["webhooks/probes.ts", "runs/merchant.ts"].includes(file) || ["pages", "dashboard"].includes(roomOf(file)),
  },
];

function isRuntime(file: string): boolean {
  return file === "runtime.ts" || file === "dashboard/browser.ts";
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.split(sep).join("/"));

function roomOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : file;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, target = ""]) =>
    relative(source, join(source, dirname(file), target))
      .split(sep)
      .join("/"),
  );
}

describe("imports point one way", () => {
  test.each(files)("%s", (file) => {
    const room = roomOf(file);
    const allowed = rooms[room];
    expect(allowed, `the room ${room} is not on the plan`).toBeDefined();
    const foreign = importsOf(file).filter((target) => roomOf(target) !== room && !allowed?.includes(roomOf(target)));
    expect(foreign).toEqual([]);
  });
});

describe("what only some places may name", () => {
  test.each(bans)("$what", ({ pattern, allowed }) => {
    const offenders = files.filter((file) => !allowed(file) && pattern.test(readFileSync(join(source, file), "utf8")));
    expect(offenders).toEqual([]);
  });
});

test("files stay small: the median below 150 lines, none above 400", () => {
  const lengths = files
    .map((file) => readFileSync(join(source, file), "utf8").split("\n").length)
    .sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(150);
  expect(lengths.at(-1)).toBeLessThan(400);
});
