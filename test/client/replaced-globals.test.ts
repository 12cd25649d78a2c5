/** A sandbox in a test's process whose environment has replaced what is global, as those for tests of pages do. */
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SandboxClient, WorldClient } from "../../src/index.ts";

let sandbox: SandboxClient;
let world: WorldClient;

beforeAll(async () => {
  vi.stubGlobal("Uint8Array", runInNewContext("Uint8Array"));
  const { startSandbox } = await import("../../src/index.ts");
  sandbox = await startSandbox();
  world = await sandbox.createWorld({ postback_url: "sandbox://inbox" });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await sandbox.stop();
});

test("what the sandbox keeps as bytes of JSON is answered as that", async () => {
  await world.trigger("cashin.confirmed");
  const bundle = await world.export();
  expect(bundle.format).toBe("payments-sandbox-bundle");
  expect((await sandbox.replay(bundle)).identical).toBe(true);
});
