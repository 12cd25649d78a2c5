/** The rules of the house that a compiler does not hold: which way imports point, and where time may come from. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type LifecycleName, lifecycles } from "../src/domain/lifecycles.ts";
import { statesOf } from "../src/domain/machine.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");

/** Each room, and what it may import from: of what CONTRIBUTING tells, no more than it needs. */
const rooms: Record<string, readonly string[]> = {
  domain: [],
  store: ["domain"],
  world: ["store", "domain", "runtime.ts"],
  service: ["world", "store", "domain"],
  webhooks: ["service", "world", "store", "domain"],
  scenarios: ["service", "world", "store", "domain"],
  host: ["scenarios", "webhooks", "service", "world", "store", "domain", "runtime.ts"],
  network: ["webhooks", "store", "domain", "runtime.ts"],
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
    "network",
    "server.ts",
    "runtime.ts",
  ],
  pages: ["client", "control", "http", "scenarios", "host", "service", "domain"],
  build: ["cli", "pages", "host", "scenarios", "store", "world"],
  cli: [
    "runs",
    "history",
    "insight",
    "control",
    "network",
    "client",
    "host",
    "http",
    "scenarios",
    "store",
    "world",
    "domain",
    "server.ts",
    "runtime.ts",
    "package-version.ts",
  ],
  // It talks to the control interface from a browser; of the client it knows the types, of the domain tables that stand
  // alone, and nothing else of the house.
  dashboard: ["client", "domain"],
  "server.ts": ["http", "host", "network", "store", "package-version.ts"],
  "runtime.ts": [],
  "package-version.ts": [],
  "node-version.ts": [],
  "index.ts": ["client", "domain"],
};

/** Every state of every lifecycle. */
const everyState = (Object.keys(lifecycles) as LifecycleName[]).flatMap(statesOf);

/** An import of any form of the module that a pattern names. */
function importOf(module: RegExp): RegExp {
  return new RegExp(`\\b(?:from|import)\\s*\\(?\\s*"${module.source}`);
}

function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "m");
}

/** An import of what makes calls over HTTP; others serve them, or know their types alone. */
const REQUEST_OVER_HTTP = /^import (?!type\b)(?:[\w*]|\{[^}]*\b(?:request|get)\b)[^;]*from "node:http"/;

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
    pattern: importOf(/undici"/),
    allowed: (file) => file.startsWith("network/"),
  },
  {
    what: "calls of a sandbox, as those make them who stand outside it",
    pattern: anyOf(/(?<![.\w])fetch\(/, importOf(/node:https"/), REQUEST_OVER_HTTP),
    allowed: (file) => ["client", "cli", "pages", "dashboard"].includes(roomOf(file)),
  },
  { what: "SQLite", pattern: importOf(/better-sqlite3"/), allowed: (file) => file.startsWith("store/") },
  {
    what: "SQL",
    pattern: /\bdatabase\.(get|all|run|count|insert|exact)\w*\(/,
    allowed: (file) => file.startsWith("store/"),
  },
  { what: "Hono", pattern: importOf(/@?hono\b/), allowed: (file) => file.startsWith("http/") },
  {
    what: "a line of stderr that is not made safe to print",
    pattern: /stderr\.write/,
    allowed: (file) => roomOf(file) !== "cli" || file === "cli/terminal.ts",
  },
  { what: "Preact", pattern: importOf(/@?preact\b/), allowed: (file) => file.startsWith("dashboard/") },
  { what: "Date in the domain", pattern: /\bDate\b/, allowed: (file) => !file.startsWith("domain/") },
  // They are checked when a world is made: `durationOf` is loud where one cannot be read.
  { what: "settings as durations that may be none", pattern: /parseDuration\([^)]*settings\b/, allowed: () => false },
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

/** An import, of any form, of a file of the house. */
const OWN_IMPORT = new RegExp(importOf(/(\.[^"]+)"/), "g");

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.split(sep).join("/"));

function roomOf(file: string): string {
  return file.includes("/") ? (file.split("/")[0] ?? "") : file;
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(OWN_IMPORT)].map(([, target = ""]) =>
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

/** What a file exports by name. */
const EXPORT = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|type|interface) (\w+)/gm;

/** Files whose exports are the package's own: users import them. */
const isPublic = (file: string) => exportedWhole.includes(file);
const exportedWhole = [
  ...readFileSync(join(source, "index.ts"), "utf8").matchAll(/^export type \* from "\.\/(.+)"/gm),
].map(([, file = ""]) => file);

/** A type that an inferred one is made of, which a declaration has to name; and what stands in a file that is written. */
const unimported = ["StandingExpectation", "startSandboxContainer"];

/** By name, the files that import it; where one imports while it runs, all its words count. */
const importers = new Map<string, Set<string>>();
for (const folder of ["src", "test", "bin", "."]) {
  for (const file of readdirSync(join(root, folder), { recursive: folder !== ".", encoding: "utf8" })) {
    if (!/\.(?:tsx?|js|mjs)$/.test(file)) continue;
    const path = join(root, folder, file);
    for (const name of importedIn(readFileSync(path, "utf8")).match(/\w+/g) ?? []) {
      importers.set(name, (importers.get(name) ?? new Set()).add(path));
    }
  }
}

function importedIn(text: string): string {
  if (/\bimport\(|importActual/.test(text)) return text;
  return [...text.matchAll(/^(?:import|export) [^;]*? from "/gm)].join("\n");
}

describe("nothing is exported that no other file names", () => {
  test("among what is there to be exported", () => {
    expect(exportedWhole.length).toBeGreaterThan(0);
    expect(files.filter((file) => exportsOf(file).length > 0).length).toBeGreaterThan(files.length / 2);
  });

  test.each(files.filter((file) => !isPublic(file)))("%s", (file) => {
    const isUsed = (name: string) => [...(importers.get(name) ?? [])].some((path) => path !== join(source, file));
    const unused = exportsOf(file).filter((name) => !isUsed(name));
    expect(unused.filter((name) => !unimported.includes(name))).toEqual([]);
  });
});

function exportsOf(file: string): string[] {
  return [...readFileSync(join(source, file), "utf8").matchAll(EXPORT)].map(([, name = ""]) => name);
}

/** The table of rooms in CONTRIBUTING: each room and file, and the last cell of its row. */
const told = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `src/"))
  .map((line) => line.split("|").slice(1, -1))
  .flatMap(([names = "", , from = ""]) => namesIn(names).map((name) => ({ name, from })));

/** The rooms and files that a text names. */
function namesIn(text: string): string[] {
  return [...text.replaceAll("src/", "").matchAll(/[\w-]+(?:\.ts)?/g)]
    .map(([name]) => name)
    .filter((name) => name in rooms);
}

/** What the table lets a room or a file import; "and below" are the rooms that those before it may import, and so on. */
function toldImports(name: string): string[] {
  const from = told.find((row) => row.name === name)?.from ?? "";
  const own = namesIn(from);
  const above = from.includes(" and below") ? own.filter(isRoom) : [];
  return [...new Set([...own, ...above.flatMap(toldImports).filter(isRoom)])];
}

const isRoom = (name: string) => !name.endsWith(".ts");

test.each(Object.entries(rooms))("%s imports from all that it may", (name, allowed) => {
  const imported = new Set(
    files
      .filter((file) => roomOf(file) === name)
      .flatMap(importsOf)
      .map(roomOf),
  );
  expect(allowed.filter((target) => !imported.has(target))).toEqual([]);
});

describe("the table of rooms in CONTRIBUTING", () => {
  test("has every room, and every file beside them", () => {
    expect(told.map(({ name }) => name).sort()).toEqual(Object.keys(rooms).sort());
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(rooms).sort());
  });

  test.each(Object.entries(rooms))("%s may import no more, and no other files", (name, allowed) => {
    expect(allowed.filter((target) => !toldImports(name).includes(target))).toEqual([]);
    expect(toldImports(name).filter((target) => !isRoom(target) && !allowed.includes(target))).toEqual([]);
  });
});

test.each([
  'import { a } from "./a.ts";',
  'export * from "./a.ts";',
  'import {\n  a,\n} from "./a.ts";',
  'import "./a.ts";',
  'await import("./a.ts")',
  'await import(\n  "./a.ts"\n)',
])("%j is an import", (text) => {
  expect([...text.matchAll(OWN_IMPORT)].map(([, target]) => target)).toEqual(["./a.ts"]);
});

test.each([
  ["return fetch(url);", true],
  ["control.fetch(request)", false],
  ['import { request } from "node:http";', true],
  ['import http from "node:http";', true],
  ['import { createServer, type IncomingMessage } from "node:http";', false],
  ['import type { IncomingMessage } from "node:http";', false],
  ['import { request } from "node:https";', true],
])("%s is a call of a sandbox: %s", (text, isCall) => {
  expect(bans.find(({ what }) => what.startsWith("calls of a sandbox"))?.pattern.test(text)).toBe(isCall);
});

test("of the domain, the browser gets only what imports nothing itself", () => {
  const own = files.filter((file) => roomOf(file) === "dashboard");
  const shared = own.flatMap(importsOf).filter((target) => roomOf(target) === "domain");
  const laden = shared.filter((file) => importOf(/[^"]+"/).test(readFileSync(join(source, file), "utf8")));
  expect(laden).toEqual([]);
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
