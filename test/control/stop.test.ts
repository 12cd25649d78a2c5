/** A stop: what has come is finished, who still sends holds up nothing, and what takes too long is taken up again. */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { shipped } from "../../src/host/scenario-library.ts";
import { connectSandbox, type WorldClient } from "../../src/index.ts";
import type { RunningServer, ServerOptions } from "../../src/server.ts";
import { bareWorld, startBareServer } from "../support/bare-server.ts";
import { makeCharge } from "../support/charges.ts";
import { control } from "../support/control.ts";
import { openStream } from "../support/event-stream.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startHeld } from "../support/receiver.ts";
import { headOf, openSocket, untilClosed } from "../support/socket.ts";
import { walletOf } from "../support/wallets.ts";

/** A stop that waits for what never ends fails its test. */
const PATIENT = { graceMs: 3_600_000 };

async function start(options: Partial<ServerOptions>): Promise<{ server: RunningServer; world: WorldClient }> {
  const faults: unknown[] = [];
  const server = await startBareServer({
    webhookTimeoutMs: 600_000,
    onFault: (error) => faults.push(error),
    ...options,
  });
  onTestFinished(async () => {
    await server.stop();
    expect(faults).toEqual([]);
  });
  return { server, world: await (await connectSandbox(server.baseUrl)).defaultWorld() };
}

/** A receiver that holds its answers until it is told to give them. */
async function holdingReceiver() {
  const receiver = await startHeld();
  onTestFinished(() => receiver.close());
  const defaultWorld = { ...bareWorld, scenarios: [shipped("happy-path")], postback_url: receiver.url };
  return { receiver, release: receiver.release, defaultWorld };
}

/** Its webhook is due at once, and the call does not wait for it. */
async function makeWallet(world: WorldClient): Promise<void> {
  await walletOf(await Merchant.of(world), { currency: "USDT", chain: "tron" });
}

/** Advances on a connection that its caller keeps. */
async function advance(baseUrl: string) {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const headers = { "Content-Type": "application/json" };
  const call = request(`${baseUrl}/_sandbox/clock/advance`, { method: "POST", agent, headers });
  call.end('{"by":"1m"}');
  const [response] = await once(call, "response");
  return { connection: response.headers.connection, body: JSON.parse(await text(response)) };
}

const ADVANCE = "POST /clock/advance";
const HALF = { "Content-Type": "application/json", "Content-Length": "100" };

test("a call whose body is still coming holds up nothing", async () => {
  const { server } = await start({ forTests: PATIENT });
  const socket = await openSocket(server.baseUrl);
  socket.write(`${headOf(server.baseUrl, "POST", "/v2/oauth/token", HALF)}{`);
  await fetch(`${server.baseUrl}/_sandbox/health`);
  await server.stop();
  expect(await untilClosed(socket)).toBe("");
});

test("while it is finished what is under way, each connection ends with its next answer", async () => {
  const { receiver, release, defaultWorld } = await holdingReceiver();
  const { server, world } = await start({ forTests: PATIENT, defaultWorld });
  await makeCharge(world);
  const advanced = advance(server.baseUrl);
  await receiver.arrived(1);
  const late = await openSocket(server.baseUrl);
  const answer = untilClosed(late);
  late.write("GET /_sandbox/health HTTP/1.1\r\n");
  await fetch(`${server.baseUrl}/_sandbox/health`);
  const stopped = server.stop();
  late.write("Host: localhost\r\n\r\n");
  expect(await answer).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/is);
  release();
  expect(await advanced).toMatchObject({ connection: "close", body: { reached: true, webhooks: { delivered: 1 } } });
  await stopped;
});

test("who still has a connection while the last deliveries come down gets no answer, and no wrong one", async () => {
  const { receiver, release, defaultWorld } = await holdingReceiver();
  const { server, world } = await start({ forTests: PATIENT, defaultWorld });
  await makeWallet(world);
  await receiver.arrived(1);
  await using stream = await openStream(server);
  const [body, head] = [await openSocket(server.baseUrl), await openSocket(server.baseUrl)];
  const answers = [untilClosed(body), untilClosed(head)];
  body.write(`${headOf(server.baseUrl, "POST", "/v2/oauth/token", HALF)}{`);
  head.write("GET /v2/account/balance HTTP/1.1\r\n");
  await fetch(`${server.baseUrl}/_sandbox/health`);
  const stopped = server.stop();
  expect(await answers[0]).toBe("");
  head.write("Host: localhost\r\n\r\n");
  expect(await answers[1]).toBe("");
  release();
  await stopped;
  expect((await stream.rest()).map(({ event }) => event)).toEqual(["webhook.delivered"]);
});

test("what takes too long is broken off and told, and a webhook in the air then is sent again after the next start", async () => {
  const { receiver, release, defaultWorld } = await holdingReceiver();
  const dataFolder = testFolder();
  const { server, world } = await start({ forTests: { graceMs: 1 }, defaultWorld, dataFolder });
  await makeCharge(world);
  const advanced = advance(server.baseUrl);
  await receiver.arrived(1);
  const queued = advance(server.baseUrl);
  await expect.poll(async () => (await world.journal()).filter(({ data }) => data.call === ADVANCE)).toHaveLength(2);
  await server.stop();
  expect(await advanced).toMatchObject({ connection: "close", body: { reached: false } });
  const now = "2026-01-01T12:00:05.000Z";
  expect((await queued).body).toMatchObject({ from: now, to: now, reached: false, timers: 0, trace: [] });
  release();

  const again = await start({ dataFolder });
  await receiver.arrived(2);
  await again.world.settle();
  expect(await again.world.webhooks()).toMatchObject([{ event: "cashin.confirmed", status: "delivered" }]);
  expect(receiver.received.map(({ headers }) => headers["x-webhook-id"])).toEqual(
    Array(2).fill(receiver.received[0]?.headers["x-webhook-id"]),
  );
});

test("what waits for a webhook that is still in the air at the end is refused, and an attempt by hand is kept as one without an answer", async () => {
  const { receiver, release, defaultWorld } = await holdingReceiver();
  const dataFolder = testFolder();
  const { server, world } = await start({ forTests: { graceMs: 1 }, defaultWorld, dataFolder });
  await makeWallet(world);
  await receiver.arrived(1);
  const [made] = await world.webhooks();
  const path = `/webhooks/${made?.webhook_id}`;
  const waiting = [control(world, "POST", "/clock/settle"), control(world, "POST", `${path}/redeliver`)];
  await receiver.arrived(2);
  await server.stop();
  const message = "The world default was closed, as the sandbox stops, while this call was under way.";
  for (const { status, body } of await Promise.all(waiting)) {
    expect([status, body.error]).toMatchObject([409, { code: "WORLD_GONE", message }]);
  }
  release();

  const again = await start({ dataFolder });
  await receiver.arrived(3);
  await again.world.settle();
  const { attempts, status } = await again.world.webhook(made?.webhook_id ?? "");
  expect(status).toBe("delivered");
  expect(attempts.map(({ manual, outcome, error }) => [manual, outcome, error?.kind])).toEqual([
    [true, "failed", "interrupted"],
    [false, "delivered", undefined],
  ]);
  expect((await again.world.report()).checks.filter(({ verdict }) => verdict === "fail")).toEqual([]);
});
