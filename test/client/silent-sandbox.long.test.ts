/** Waits for a world of a sandbox that takes calls and answers none any more, such as one that is stopped in a debugger. */
import { afterEach, expect, test, vi } from "vitest";
import type { Connection } from "../../src/client/control-client.ts";
import { patientFetch } from "../../src/client/patient-fetch.ts";
import { SandboxClient, UnreachableError, type WorldClient } from "../../src/index.ts";
import { useSandbox } from "../support/sandbox.ts";

let isSilent = false;
const SHORT_MS = 20;

// Nothing waits as long as an answer may take.
vi.mock("../../src/runtime.ts", async (original) => {
  const runtime = await original<typeof import("../../src/runtime.ts")>();
  const wakeAfter: typeof runtime.wakeAfter = (delayMs, callback) =>
    runtime.wakeAfter(isSilent ? Math.min(delayMs, SHORT_MS) : delayMs, callback);
  return { ...runtime, wakeAfter };
});

const file = useSandbox();

afterEach(() => {
  isSilent = false;
});

const fetch: Connection["fetch"] = async (url, init) => {
  if (!isSilent) return patientFetch(url, init);
  const { signal } = init ?? {};
  return new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
};

async function clientOf(world: WorldClient): Promise<WorldClient> {
  const client = new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch }, async () => {});
  return client.world(world.id);
}

test("a wait that begins there ends, and says that it does not answer", async () => {
  const world = await clientOf(await file.world());
  isSilent = true;
  const told = new UnreachableError(`${world.baseUrl} does not answer within 10 s.`);
  await expect(world.waitForWebhook("cashin.confirmed")).rejects.toThrow(told);
  await expect(world.waitForRequest("GET /v2/account/fees")).rejects.toThrow(told);
  await expect(world.waitForEntry("transition", {}, { timeoutMs: 0 })).rejects.toThrow(told);
});

test("so does one that has begun before", async () => {
  const world = await clientOf(await file.world());
  const waiting = world.waitForEntry("transition", {}, { timeoutMs: 500 });
  const told = expect(waiting).rejects.toThrow(`${world.baseUrl} does not answer within 10 s.`);
  await world.settle();
  isSilent = true;
  await told;
});
