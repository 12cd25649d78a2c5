/**
 * Waits for a world of a sandbox that takes calls and answers none any more, such as one that is stopped in a debugger,
 * or behind a proxy that ends what it should keep; and other spans of real time, none of which is waited for here.
 */
import { createServer, globalAgent } from "node:http";
import { type AddressInfo, connect, Socket } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { Connection } from "../../src/client/control-client.ts";
import { patientFetch } from "../../src/client/patient-fetch.ts";
import { connectSandbox, SandboxClient, startSandbox, UnreachableError, type WorldClient } from "../../src/index.ts";
import { wakeAfter } from "../../src/runtime.ts";
import { useSandbox } from "../support/sandbox.ts";

let isSilent = false;
const SHORT_MS = 20;
const pauses: number[] = [];
const timers: number[] = [];

// Nothing waits as long as an answer may take, nor for a while before it tries again.
vi.mock("../../src/runtime.ts", async (original) => {
  const runtime = await original<typeof import("../../src/runtime.ts")>();
  const wakeAfter: typeof runtime.wakeAfter = (delayMs, callback) => {
    timers.push(delayMs);
    return runtime.wakeAfter(isSilent ? Math.min(delayMs, SHORT_MS) : delayMs, callback);
  };
  const delay: typeof runtime.delay = (delayMs) => {
    pauses.push(delayMs);
    return runtime.delay(0);
  };
  return { ...runtime, wakeAfter, delay };
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

test("one to which no connection comes about says that it takes none", async () => {
  const { createConnection } = globalAgent;
  onTestFinished(() => void Object.assign(globalAgent, { createConnection }));
  Object.assign(globalAgent, { createConnection: () => Object.assign(new Socket(), { connecting: true }) });
  isSilent = true;
  const told = new UnreachableError("http://sandbox.example.dev:4400 takes no connection.");
  await expect(connectSandbox("http://sandbox.example.dev:4400")).rejects.toThrow(told);
});

test("on a connection that stands an answer may take longer than connecting, on one that was kept too", async () => {
  // Set later than that of connecting, its timer ends later.
  const slow = createServer((_request, response) => void wakeAfter(10_000, () => response.end("whole")));
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    slow.close();
    slow.closeAllConnections();
  });
  const { port } = slow.address() as AddressInfo;
  isSilent = true;
  for (const _call of ["the first", "another"]) {
    expect(await (await patientFetch(`http://127.0.0.1:${port}/`)).text()).toBe("whole");
  }
});

test.each([
  ["who follows", (world: WorldClient) => world.follow().next()],
  ["a wait", (world: WorldClient) => world.waitForEntry("rates.changed")],
])("behind a proxy that ends each stream at once, %s pauses before another one is opened", async (_who, happens) => {
  const kept = 4;
  let opened = 0;
  const proxied: Connection["fetch"] = async (url, init) => {
    const answer = await patientFetch(url, init);
    if (!url.includes("/journal/stream") || ++opened >= kept) return answer;
    await answer.body?.cancel();
    return new Response("", answer);
  };
  const world = await clientOf(await file.world(), proxied);
  pauses.splice(0);
  const happening = happens(world);
  while (opened < kept) await new Promise((resolve) => setImmediate(resolve));
  await world.rates.set({ BRL: "0.19" });
  await happening;
  expect(pauses).toEqual([100, 100, 100]);
});

test("a wait has 5 s unless it is told otherwise", async () => {
  const world = await file.world();
  timers.splice(0);
  const waiting = world.waitForEntry("rates.changed");
  // Its other timers are for connecting and for answers: of 10 s, and of less than one.
  const own = () => timers.filter((delayMs) => delayMs > 1_000 && delayMs < 10_000);
  while (own().length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.rates.set({ BRL: "0.19" });
  await waiting;
  expect(own()).toEqual([5_000]);
});

test("a stop has 8 s for what is under way, before a container is killed after 10", async () => {
  const sandbox = await startSandbox();
  timers.splice(0);
  await sandbox.stop();
  expect(timers).toEqual([8_000]);
});

test("a stream shows that it stands every 15 s, before a proxy gives it up after a minute", async () => {
  const world = await file.world();
  timers.splice(0);
  const following = world.follow();
  const next = following.next();
  // Those for connecting are of 10 s.
  const own = () => timers.filter((delayMs) => delayMs > 10_000);
  while (own().length === 0) await new Promise((resolve) => setImmediate(resolve));
  await world.rates.set({ BRL: "0.19" });
  await next;
  expect(own()[0]).toBe(15_000);
  await following.return(undefined);
});

test("D21 who goes on writing a body that is too large is cut off in the end", async () => {
  const { hostname, port } = new URL(file.sandbox.baseUrl);
  isSilent = true;
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {}).resume();
  socket.write("POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n");
  const writing = setInterval(() => socket.write("x"), 1);
  onTestFinished(() => clearInterval(writing));
  await closed;
  expect(socket.readyState).toBe("closed");
}, 60_000);
