/** A sandbox in a test's process leaves to it what is global there. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("Request and Response stay those of the process: what fetch gives is an instance of Response", async () => {
  const before = globals();
  const { startSandbox } = await import("../../src/index.ts");
  await using sandbox = await startSandbox();
  for (const path of ["/_sandbox/clock", "/v2/account/balance", "/nowhere", "/_sandbox/health", "/openapi.json"]) {
    expect(await fetch(`${sandbox.baseUrl}${path}`), path).toBeInstanceOf(Response);
  }
  for (const [name, value] of Object.entries(globals())) expect(value, name).toBe(before[name as keyof typeof before]);
});

function globals() {
  const { Request, Response, Headers, fetch } = globalThis;
  return { Request, Response, Headers, fetch };
}

test.each(["Response", "TransformStream", "setImmediate"])(
  "an environment without %s is told in one sentence, when the package is imported",
  async (name) => {
    const index = new URL("../../src/index.ts", import.meta.url).href;
    const program = `delete globalThis.${name}; await import("${index}").catch(({ message }) => console.log(message));`;
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toBe(
      `payments-sandbox needs ${name} of Node, which is not there: the test environment "node" has it (docs/testing.md).\n`,
    );
  },
);
