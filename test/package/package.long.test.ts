/** The package as its users get it: packed, installed in an empty folder, run and imported from there. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DEFAULT_SCENARIOS } from "../../src/host/scenario-library.ts";
import type { Ready } from "../support/command.ts";
import { Merchant } from "../support/merchant.ts";
import { oldNode } from "../support/old-node.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-package-"));
const app = join(folder, "app");
let packed: readonly string[] = [];
/** Files as they were installed; tests add to the folder what they need. */
let installed: readonly string[] = [];

beforeAll(async () => {
  mkdirSync(app);
  // Without it, npm would install into a folder above that has one.
  writeFileSync(join(app, "package.json"), "{}");
  const source = copyOfCheckout();
  const answer = await run(source, "npm", "pack", "--json", "--silent", "--pack-destination", folder);
  const [{ filename, files }] = JSON.parse(answer);
  packed = files.map(({ path }: { path: string }) => path);
  await run(app, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, filename));
  installed = filesIn(join(app, "node_modules"));
});

/** Packing builds, and must not pull `dist` from under another run: it has a checkout of its own. */
function copyOfCheckout(): string {
  const source = join(folder, "source");
  const left = ["node_modules", "dist", ".git", "coverage"].map((name) => join(checkout, name));
  cpSync(checkout, source, { recursive: true, filter: (path) => !left.includes(path) });
  symlinkSync(join(checkout, "node_modules"), join(source, "node_modules"));
  return source;
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("it has what is built and shipped, and nothing else", () => {
  const expected =
    /^(package\.json|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|docs\/[\w-]+\.md|docs\/images\/[\w-]+\.png|bin\/payments-sandbox\.js|fixtures\/[\w-]+\.json|fixtures\/(clients|tests)\/[\w./-]+|scenarios\/[\w-]+\.yaml|src\/scenarios\/scenario\.schema\.json|dist\/.+(\.d\.ts|(?<!\.ts|\.map)))$/;
  expect(packed.filter((path) => !expected.test(path))).toEqual([]);
  expect(packed.filter((path) => /\btest\b/.test(path) && !path.startsWith("fixtures/tests/"))).toEqual([]);
  expect(shippedFiles().filter((path) => !packed.includes(path))).toEqual([]);
});

test("it brings few packages and little to store", () => {
  const packages = new Set(installed.map((path) => packageOf(relative(app, path))));
  packages.delete(undefined);
  expect([...packages].sort()).toEqual(["better-sqlite3", "node-addon-api", "payments-sandbox"]);
  const bytes = installed.reduce((sum, path) => sum + statSync(path).size, 0);
  expect(bytes).toBeLessThan(35_000_000);
});

test("what it is made of is licensed, and told so", async () => {
  const { devDependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const told = readFileSync(join(app, "node_modules", "payments-sandbox", "dist", "licenses.md"), "utf8");
  const libraries = [...told.matchAll(/^## (\S+) - \S+ \((.+)\)$/gm)].map(([, name = "", license]) => [name, license]);
  expect(libraries.map(([name]) => name)).toEqual(expect.arrayContaining(["hono", "undici", "yaml", "zod"]));
  expect(libraries.filter(([name = ""]) => !(name in devDependencies))).toEqual([]);
  expect(
    libraries.filter(([, license = ""]) => !["MIT", "ISC", "BSD-3-Clause", "Apache-2.0"].includes(license)),
  ).toEqual([]);
});

const command = join(app, "node_modules", ".bin", "payments-sandbox");
const told = new URL("../support/loaded-files.mjs", import.meta.url).href;

test("a health check, which is asked every few seconds, reads neither the server nor SQLite", async () => {
  const args = ["--import", told, command, "health", "--url", "http://127.0.0.1:9"];
  const child = spawn("node", args, { cwd: app, env: environment(), stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const loaded = await text(child.stdio[3] as Readable);
  expect(loaded).toContain("/dist/chunks/health-");
  expect(loaded).not.toMatch(/\/chunks\/server-|better-sqlite3/);
});

test("its first answer waits for nothing that is not needed for it", async () => {
  const child = spawn("node", ["--import", told, command, "--port", "0", "--log", "json"], {
    cwd: app,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let loaded = "";
  child.stdio[3]?.on("data", (chunk) => (loaded += chunk));
  const ready = await readyOf(child.stdout as NodeJS.ReadableStream);
  expect((await fetch(`${ready.base_url}/_sandbox/health`)).status).toBe(200);
  const later = ["faker", "service-document", "control-document", "undici", "run", "report", "init"];
  const isLoaded = (name: string) => new RegExp(`/dist/chunks/${name}(-[\\w-]{8})?\\.js$`, "m").test(loaded);
  expect(loaded).toContain("/dist/cli/main.js");
  expect(later.filter(isLoaded)).toEqual([]);
  expect(loaded.split("\n").filter((url) => /node_modules\/(?!payments-sandbox\/|better-sqlite3\/)/.test(url))).toEqual(
    [],
  );
  const sources = loaded
    .split("\n")
    .filter((url) => /\/dist\/.+\.js$/.test(url))
    .map((url) => readFileSync(new URL(url), "utf8"));
  // The build names the source above what it made of it.
  const held = (name: string) => sources.some((text) => text.includes(`// src/${name}.ts\n`));
  expect(["http/endpoints", "store/database", "cli/commands/serve"].filter(held)).toHaveLength(3);
  const ofScenarioFiles = ["script-warnings", "named-scenarios"].map((name) => `cli/scenario-files/${name}`);
  const notNeeded = ["http/document/answers", "runs/script", ...ofScenarioFiles];
  expect(notNeeded.filter((name) => !existsSync(join(checkout, "src", `${name}.ts`)))).toEqual([]);
  expect(notNeeded.filter(held)).toEqual([]);
  await chargeOf(ready);
  const headers = { "Content-Type": "application/json" };
  await fetch(`${ready.base_url}/_sandbox/clock/advance`, { method: "POST", headers, body: '{"by":"5s"}' });
  await fetch(`${ready.base_url}/openapi.json`);
  expect(later.filter(isLoaded)).toEqual(["faker", "service-document"]);
  await fetch(`${ready.base_url}/_sandbox/openapi.json`);
  expect(later.filter(isLoaded)).toEqual(["faker", "service-document", "control-document"]);
});

test("its command starts from there and makes a charge with the credentials of its ready line", async () => {
  const child = spawn("npx", ["payments-sandbox", "--port", "0", "--log", "json"], {
    cwd: app,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  // npx does not pass signals on: what it started shares its group.
  const endGroup = (signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal);
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) endGroup("SIGKILL");
  });
  await chargeThroughReadyLine(child.stdout);
  const closed = once(child.stdout, "close");
  endGroup("SIGTERM");
  await closed;
});

test("SIGTERM ends it with 0", async () => {
  const command = join(app, "node_modules", ".bin", "payments-sandbox");
  const child = spawn(command, ["--port", "0", "--log", "json"], {
    cwd: app,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await chargeThroughReadyLine(child.stdout);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
});

test("every scenario that it ships holds: all that it loads at its first use is there", async () => {
  const scenarios = join(app, "node_modules", "payments-sandbox", "scenarios");
  const told = await run(app, "npx", "payments-sandbox", "run", scenarios, "--brief", "--json");
  const { verdict, scenarios: played } = JSON.parse(told);
  expect([verdict, played.length]).toEqual(["pass", readdirSync(scenarios).length]);
});

test("its command reads the YAML that users write, and says where it is mistyped", async () => {
  writeFileSync(join(app, "sandbox.yaml"), "webhook_targets: strict\n");
  writeFileSync(join(app, "paid.yaml"), "scenario: paid\nrules:\n  - on: cashin.created\n    then: [{ pay: {} }]\n");
  writeFileSync(
    join(app, "mistyped.yaml"),
    "scenario: mistyped\nrules:\n  - on: cashin.craeted\n    then: [{ pay: {} }]\n",
  );
  writeFileSync(join(app, "broken.yaml"), "fixtures: {\n");
  const command = join(app, "node_modules", ".bin", "payments-sandbox");
  const serve = [command, "--port", "0", "--log", "json"];
  const child = spawn("node", [...serve, "--settings", "sandbox.yaml", "--scenario", "paid.yaml"], {
    cwd: app,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ready = await readyOf(child.stdout);
  const world = await (await fetch(`${ready.base_url}/_sandbox/`)).json();
  expect(world).toMatchObject({ settings: { webhook_targets: "strict" }, scenarios: ["paid"] });
  await expect(run(app, "node", command, "check", "mistyped.yaml")).rejects.toMatchObject({
    stdout: expect.stringMatching(/^mistyped\.yaml:3:9: unknown trigger "cashin\.craeted"/),
  });
  await expect(run(app, "node", ...serve, "--settings", "broken.yaml")).rejects.toMatchObject({
    stderr: expect.stringMatching(/^payments-sandbox: --settings broken\.yaml:1:11: \{ is opened here and not closed/),
  });
});

test.each([
  ["imports it", "script.mjs", `import { startSandbox } from "payments-sandbox";`],
  ["of CommonJS requires it", "script.cjs", `const { startSandbox } = require("payments-sandbox");`],
])("a script %s", async (_how, file, taken) => {
  const script = `${taken}
    (async () => {
      await using sandbox = await startSandbox();
      const world = await sandbox.createWorld({ scenarios: ["happy-path"] });
      const { to } = await world.advance("5s");
      console.log(JSON.stringify([world.credentials.clientId, to]));
    })();`;
  writeFileSync(join(app, file), script);
  const answer = JSON.parse(await run(app, "node", file));
  expect(answer).toEqual([expect.stringMatching(/^acme-/), "2026-01-01T12:00:05.000Z"]);
});

test("nothing has to be run at its installation, from a lock file either", async () => {
  const scriptless = join(folder, "scriptless");
  mkdirSync(scriptless);
  for (const name of ["package.json", "package-lock.json"]) cpSync(join(app, name), join(scriptless, name));
  await run(scriptless, "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund");
  const told = await run(scriptless, "npx", "payments-sandbox", "run", "happy-path", "--json");
  expect(JSON.parse(told)).toMatchObject({ verdict: "pass" });
});

const old = oldNode();
test.runIf(old !== undefined)("a script on an older Node is told what it needs", async () => {
  const { node = "", version = "" } = old ?? {};
  const script = `import { startSandbox } from "payments-sandbox";
    await startSandbox().catch(({ message }) => console.log(message));`;
  writeFileSync(join(app, "old.mjs"), script);
  const sentence = `payments-sandbox needs Node 22.18 or newer, this is ${version}.\n`;
  expect(await run(app, node, "old.mjs")).toBe(sentence);
});

test.each([
  ["node:test", ["node", "--test", "node-test/*.test.mjs"]],
  ["Vitest", ["vitest", "run", "--root", "vitest"]],
])("the example for %s passes with it", async (_runner, [program = "", ...args]) => {
  cpSync(join(app, "node_modules", "payments-sandbox", "fixtures", "tests"), join(app, "tests"), { recursive: true });
  const vitest = join(app, "node_modules", "vitest");
  if (!existsSync(vitest)) symlinkSync(join(checkout, "node_modules", "vitest"), vitest);
  expect(await run(join(app, "tests"), program, ...args)).toMatch(/pass(ed)? +.*2|2 passed/);
});

test("its types resolve, with all that they rest on", async () => {
  const program = `
    import { type CashinRequest, type Credentials, type EventData, startSandbox } from "payments-sandbox";
    import type { ServiceAnswers, ServiceResponse, WebhookInfo, WorldClient } from "payments-sandbox";
    const world: WorldClient = await (await startSandbox({ scenarios: ["happy-path"] })).createWorld({ seed: 2 });
    const charge: CashinRequest = { currency: "BRL", amount: "150.00", external_id: "order-1" };
    const made: ServiceAnswers["POST /v2/transactions/cashin"] =
      await world.merchant().call("POST /v2/transactions/cashin", charge);
    const body: ServiceResponse<"POST /v2/transactions/cashin"> =
      { success: true, data: made, request_id: "req_1", timestamp: "2026-01-01T12:00:00.000Z" };
    const hook: Promise<WebhookInfo> = world.waitForWebhook("cashin.confirmed");
    const { data } = (await world.waitForWebhook("cashin.confirmed", { external_id: "order-1" })).body;
    export const told: [EventData<"cashin.confirmed">, string, typeof body] = [data, data.amount_net, body];
    // @ts-expect-error: a state that there is not.
    if (made.status === "payed") throw new Error();
    // @ts-expect-error: were the package's types unknown, this would be let through.
    export const credentials: Credentials & { hook: typeof hook } = { clientId: 1, hook };`;
  writeFileSync(join(app, "program.mts"), program);
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.mts"] }));
  expect(await run(app, "tsc", "-p", ".")).toBe("");
});

test("a program with declarations can name all that an answer consists of, and the groups of calls", async () => {
  const program = `
    import type { SandboxClient, WorldClient } from "payments-sandbox";
    import { errorCatalogue } from "payments-sandbox";
    export const paid = (world: WorldClient) => world.waitForWebhook("cashin.confirmed");
    export const opened = (world: WorldClient) => world.trigger("chargeback.opened");
    export const sent = (world: WorldClient) => world.webhooks();
    export const errorsOf = async (world: WorldClient) => (await world.webhook("id")).attempts.map(({ error }) => error);
    export const replayed = async (sandbox: SandboxClient) => sandbox.replay(await (await sandbox.world("id")).export());
    export const checks = async (world: WorldClient) => [(await world.report()).checks, (await world.checkLedger()).checks];
    export const linksOf = async (world: WorldClient) => {
      const { chain, history, pending, webhooks, chain_truncated } = await world.explain("id");
      return { chain, history, pending, webhooks, chain_truncated };
    };
    export const sections = async (world: WorldClient) => (await world.coverage()).sections;
    export const items = async (world: WorldClient) => (await sections(world))[0]?.items;
    export const caller = (world: WorldClient) => world.merchant().call;
    export const calls = (world: WorldClient) => ({ ...world });
    export const errors = errorCatalogue;`;
  writeFileSync(join(app, "helpers.mts"), program);
  const options = { ...compilerOptions, noEmit: false, declaration: true, outDir: "helpers" };
  writeFileSync(
    join(app, "tsconfig.helpers.json"),
    JSON.stringify({ compilerOptions: options, files: ["helpers.mts"] }),
  );
  expect(await run(app, "tsc", "-p", "tsconfig.helpers.json")).toBe("");
});

test("TypeScript before 5.7 reads its types too, for which Buffer has no parameter", () => {
  const types = installed.filter((file) => file.endsWith(".d.ts"));
  expect(types.length).toBeGreaterThan(100);
  expect(types.filter((file) => readFileSync(file, "utf8").includes("Buffer<"))).toEqual([]);
});

/** As strict as users are, the types of libraries included, and naming no types, as by default since TypeScript 6. */
const compilerOptions = {
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: [],
  typeRoots: [join(checkout, "node_modules", "@types")],
};

/** Files that must be in the package, by their place in it: what is built, and what is shipped as it is. */
function shippedFiles(): string[] {
  const ready = DEFAULT_SCENARIOS.map((name) => `scenarios/ready/${name}.json`);
  const page = ["index.html", "dashboard.js", "dashboard.css.gz", "licenses.md"].map((name) => `dashboard/${name}`);
  const built = [
    "index.js",
    "index.d.ts",
    "cli/main.js",
    "licenses.md",
    "zod/index.d.ts",
    ...migrations(),
    "store/ready-schema.sql",
    ...ready,
    ...page,
  ];
  const data = ["fixtures", "scenarios"].flatMap((name) =>
    readdirSync(join(checkout, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(checkout, join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
  );
  return [...built.map((file) => `dist/${file}`), ...data, "src/scenarios/scenario.schema.json"];
}

function migrations(): string[] {
  return readdirSync(join(checkout, "src", "store", "migrations")).map((file) => `store/migrations/${file}`);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** The package that an installed file belongs to; none of what npm keeps for itself. */
function packageOf(path: string): string | undefined {
  return /node_modules\/((?!\.)(@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path.replaceAll("\\", "/"))?.[1];
}

async function readyOf(stdout: NodeJS.ReadableStream): Promise<Ready> {
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line) as Ready;
  throw new Error("It ended before it was ready.");
}

async function chargeThroughReadyLine(stdout: NodeJS.ReadableStream): Promise<void> {
  const ready = await readyOf(stdout);
  await chargeOf(ready);
  const { base_url: baseUrl } = ready;
  expect(await (await fetch(`${baseUrl}/`)).text()).toContain('src="./dashboard.js"');
  expect((await fetch(`${baseUrl}/dashboard.js`)).status).toBe(200);
}

async function chargeOf({ base_url: baseUrl, client_id: clientId, client_secret: clientSecret }: Ready): Promise<void> {
  const merchant = new Merchant({ baseUrl }, { clientId, clientSecret });
  await merchant.authenticate();
  const charge = await merchant.cashin({ currency: "BRL", amount: 10, external_id: "first" });
  expect(charge).toMatchObject({ status: 200, body: { success: true, data: { status: "pending" } } });
}

/** Runs a program to its end. @returns what it wrote. @throws where it left with anything but 0. */
async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: environment() });
  return stdout;
}

/** That of a user's shell with this checkout's Node, without what the npm that runs the tests has set. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|PAYMENTS_SANDBOX_|INIT_CWD$)/i.test(name));
  const path = [join(checkout, "node_modules", ".bin"), process.env.PATH ?? ""].join(delimiter);
  return { ...Object.fromEntries(own), PATH: path };
}
