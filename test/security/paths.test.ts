/** Names that callers choose are names, not paths: nothing outside the data folder is read, written or deleted. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type SandboxClient, startSandbox } from "../../src/index.ts";
import { control } from "../support/control.ts";
import { testFolder } from "../support/folder.ts";
import { exchange } from "../support/socket.ts";

/** TABLE: names as attackers write them. */
const hostile = [
  "..",
  "../outside",
  "../../outside",
  "..\\outside",
  "....//outside",
  "/outside",
  "\\outside",
  "C:\\outside",
  "file:///outside",
  "./default",
  "default/../default",
  "default.db",
  "default.db-wal",
  "Default",
  "DEFAULT",
  "ｄｅｆａｕｌｔ",
  "de\u0301fault",
  "\u2024\u2024\u2215outside",
  "outside\0",
  "outside\n",
  "~",
  "-outside",
  "",
  " ",
  "x".repeat(64),
  "x".repeat(10_000),
  "__proto__",
  "%2e%2e%2foutside",
  "%252e%252e%252foutside",
];

/** What stands in files that nobody may read. */
const CONTENT = "content-of-others";

/** TABLE: the same in the path of a request, where they may be escaped once, twice or not at all. */
const inPath = (name: string) => [
  encodeURIComponent(name),
  encodeURIComponent(encodeURIComponent(name)),
  encodeURIComponent(name).replaceAll(".", "%2e").replaceAll("%2F", "%2f"),
  ...(/^[\w.\\/-]+$/.test(name) ? [name] : []),
];

/** TABLE: where names are taken. */
const bodies: readonly [method: string, path: string, body: (name: string) => unknown][] = [
  ["POST", "/worlds", (id) => ({ id })],
  ["POST", "/worlds", (from) => ({ from })],
  ["POST", "/worlds", (world) => ({ from: { world, snapshot: "kept" } })],
  ["POST", "/worlds", (snapshot) => ({ from: { world: "default", snapshot } })],
  ["POST", "/worlds", (name) => ({ scenarios: [name] })],
  ["POST", "/worlds", (name) => ({ scenarios: [{ scenario: "mine", with: [name] }] })],
  ["POST", "/worlds", (name) => ({ scenarios: [{ scenario: "mine", with: [`${name}.yaml`] }] })],
  ["POST", "/worlds", (name) => ({ settings: { fixtures: name } })],
  ["POST", "/worlds", (name) => ({ settings: { fixtures: { [name]: {} } } })],
  ["POST", "/snapshots", (name) => ({ name })],
  ["POST", "/scenarios", (name) => ({ name })],
  ["POST", "/scenarios", (scenario) => ({ scenario })],
];

const addressed: readonly [method: string, path: (name: string) => string][] = [
  ["DELETE", (name) => `/_sandbox/worlds/${name}`],
  ["PUT", (name) => `/worlds/${name}/_sandbox`],
  ["GET", (name) => `/worlds/${name}/_sandbox/`],
  ["GET", (name) => `/worlds/${name}/v2/account/info/profile`],
  ["GET", (name) => `/worlds/${name}/dashboard.js`],
  ["POST", (name) => `/_sandbox/snapshots/${name}/restore`],
  ["DELETE", (name) => `/_sandbox/snapshots/${name}`],
  ["GET", (name) => `/_sandbox/scenarios/${name}`],
  ["DELETE", (name) => `/_sandbox/scenarios/${name}`],
  ["GET", (name) => `/_sandbox/disputes/x/files/${name}`],
  ["GET", (name) => `/${name}`],
];

test("neither in bodies nor in addresses do they lead out of the folder", async () => {
  const { sandbox, outside, before } = await besideOthers();
  for (const name of hostile) {
    for (const [method, path, body] of bodies) {
      const { status, text } = await control(sandbox, method, path, body(name));
      expect([method, path, body(name), Math.floor(status / 100)]).toEqual([method, path, body(name), 4]);
      expect(text).not.toContain(CONTENT);
    }
    for (const [method, path] of addressed) {
      for (const written of inPath(name)) {
        const { head } = await exchange(sandbox.baseUrl, method, path(written), { "Content-Length": "0" });
        expect([path(written), head.split("\r\n")[0]]).toEqual([
          path(written),
          expect.stringMatching(/ (4\d\d|200|302) /),
        ]);
      }
    }
  }
  expect(everythingIn(outside)).toEqual(before);
});

test("whatever a name is, a world or a snapshot of it lies in its folder, or is refused", async () => {
  const { sandbox, outside, before } = await besideOthers();
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 70 }),
    fc.stringMatching(/^[a-z0-9./\\%-]{1,66}$/),
    fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/),
  );
  await fc.assert(
    fc.asyncProperty(name, async (text) => {
      const isName = /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);
      const snapshot = await control(sandbox, "POST", "/snapshots", { name: text });
      expect(snapshot.status).toBe(isName ? 201 : 400);
      if (isName) await control(sandbox, "DELETE", `/snapshots/${text}`);
      if (isName) return;
      expect((await control(sandbox, "POST", "/worlds", { id: text })).status).toBe(400);
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(everythingIn(outside)).toEqual(before);
});

test("what lies in the folder under other names is no world, and is left alone", async () => {
  const strangers = { "data/notes.txt": "mine", "data/UPPER.db": "no", "data/..hidden.db": "no", "data/a b.db": "no" };
  const folder = testFolder(strangers);
  const sandbox = await startSandbox({ data: join(folder, "data") });
  onTestFinished(() => sandbox.stop());
  expect((await sandbox.worlds()).map(({ world }) => world)).toEqual(["default"]);
  for (const [name, text] of Object.entries(strangers)) expect(readFileSync(join(folder, name), "utf8")).toBe(text);
});

/** A sandbox whose data folder lies between files of others, with a snapshot. */
async function besideOthers(): Promise<{ sandbox: SandboxClient; outside: string; before: string[] }> {
  const outside = testFolder({
    "outside.db": "not a world",
    "outside.json": "{}",
    "outside.yaml": `scenario: ${CONTENT}`,
    "outside/inner.db": CONTENT,
  });
  const sandbox = await startSandbox({ data: join(outside, "data") });
  onTestFinished(() => sandbox.stop());
  await control(sandbox, "POST", "/snapshots", { name: "kept" });
  return { sandbox, outside, before: everythingIn(outside) };
}

/** Every file beside the data folder with its content, and the names in it. */
function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => (path.includes("/data/") ? path : `${path} ${readFileSync(path, "utf8")}`))
    .sort();
}
