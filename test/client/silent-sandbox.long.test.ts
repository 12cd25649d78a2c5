/** Waits for a world of a sandbox that takes calls and answers none any more, such as one that is stopped in a debugger. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
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

async function clientOf(world: WorldClient, by = fetch): Promise<WorldClient> {
  const client = new SandboxClient({ baseUrl: file.sandbox.baseUrl, fetch: by }, async () => {});
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

test("so does one whose answer stops after its beginning", async () => {
  const stopping = createServer((_request, response) => response.writeHead(200).write('{"items":['));
  await new Promise<void>((resolve) => stopping.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    stopping.close();
    stopping.closeAllConnections();
  });
  const { port } = stopping.address() as AddressInfo;
  const stopsIn: Connection["fetch"] = (url, init) =>
    patientFetch(isSilent && !url.includes("/journal/stream") ? `http://127.0.0.1:${port}/` : url, init);
  const world = await clientOf(await file.world(), stopsIn);
  isSilent = true;
  const told = new UnreachableError(`${world.baseUrl} does not answer within 10 s.`);
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
