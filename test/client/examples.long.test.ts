/**
 * The examples of `fixtures/tests` for Vitest, Jest and node:test hold against the client's types. That they pass is
 * shown with the packed package; Jest is not on this machine, and its example is read by the compiler alone.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const examples = join(checkout, "fixtures", "tests");

/** What of Jest's globals the example uses is as in Vitest. */
const jest = 'declare module "@jest/globals" { export { afterEach, beforeEach, expect, test } from "vitest"; }';

const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((file) => /\.m?[jt]s$/.test(file));

test("the examples use nothing that the package does not have", async () => {
  expect([...new Set(files.map((file) => file.split(/[\\/]/)[0]))].sort()).toEqual([
    "jest",
    "node-test",
    "shop.mjs",
    "vitest",
  ]);
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-examples-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const compilerOptions = {
    module: "nodenext",
    target: "es2024",
    lib: ["es2024", "esnext.disposable", "esnext.array"],
    strict: true,
    checkJs: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(checkout, "node_modules", "@types")],
    paths: { "payments-sandbox": [join(checkout, "src", "index.ts")] },
  };
  writeFileSync(join(folder, "jest.d.ts"), jest);
  const all = ["jest.d.ts", ...files.map((file) => join(examples, file))];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: all }));
  const compiler = join(checkout, "node_modules", ".bin", "tsc");
  const faults = await promisify(execFile)(compiler, ["-p", folder]).then(
    () => "",
    ({ stdout }) => stdout,
  );
  expect(faults).toBe("");
});
