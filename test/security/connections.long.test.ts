/** Callers that take their time, take up room or do not listen hold up nobody else. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_WORLD } from "../../src/host/sandbox.ts";
import type { ConnectionLimits } from "../../src/http/server.ts";
import { answerUnaddressed } from "../../src/http/unreadable.ts";
import type { RunningServer } from "../../src/server.ts";
import { expectRefusal, expectSuccess } from "../support/answers.ts";
import { startBareServer } from "../support/bare-server.ts";
import { control } from "../support/control.ts";
import { openStream } from "../support/event-stream.ts";
import { Merchant } from "../support/merchant.ts";
import { useSandbox } from "../support/sandbox.ts";
import { headOf, openSocket, untilClosed } from "../support/socket.ts";

const file = useSandbox();

/** So little time that nothing slow survives it, and looked at so often that none has to wait for it. */
const IMPATIENT = { headersTimeoutMs: 20, requestTimeoutMs: 20, checkEveryMs: 5 };

/** A sandbox with limits of its own; a fault of its fails the test. */
async function startWith(limits: Partial<ConnectionLimits>): Promise<RunningServer> {
  const faults: unknown[] = [];
  const server = await startBareServer({ onFault: (error) => faults.push(error), forTests: { limits } });
  onTestFinished(async () => {
    await server.stop();
    expect(faults).toEqual([]);
  });
  return server;
}

/** Calls until it is served: on a busy machine a quick caller may be taken for a slow one too. */
async function served(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    await answer?.arrayBuffer();
    if (answer && answer.status !== 408) return;
  }
}

test("a sandbox has the limits that proxies and slow networks can live with", async () => {
  const servers: Server[] = [];
  const seen = (message: unknown) => servers.push((message as { server: Server }).server);
  subscribe("http.server.request.start", seen);
  onTestFinished(() => void unsubscribe("http.server.request.start", seen));
  await fetch(`${file.sandbox.baseUrl}/_sandbox/health`);
  expect(servers.at(-1)).toMatchObject({
    headersTimeout: 30_000,
    requestTimeout: 300_000,
    keepAliveTimeout: 300_000,
    maxConnections: 4_096,
  });
});

test("headers have a time of their own, far shorter than that of a whole request", async () => {
  const { baseUrl } = await startWith({ ...IMPATIENT, requestTimeoutMs: 300_000 });
  const socket = await openSocket(baseUrl);
  const answer = untilClosed(socket);
  socket.write("GET /v2/account/balance HTTP/1.1\r\n");
  expectUnread(await answer, 408);
});

test.each([
  ["headers that never end", "GET /v2/account/balance HTTP/1.1\r\nHost: localhost\r\nX-Slow: 1\r\n"],
  ["a request line that never ends", "GET /v2/acc"],
  ["a body of the service that never ends", `${postHead("/v2/oauth/token", 1_000)}{"client`],
  ["a body of the control interface that never ends", `${postHead("/_sandbox/reset", 1_000)}{`],
  ["a bundle that never ends", `${postHead("/_sandbox/worlds", 300_000_000)}{"replay":{`],
])("%s: 408, and the connection is closed, while others are served", async (_what, bytes) => {
  const { baseUrl } = await startWith(IMPATIENT);
  const socket = await openSocket(baseUrl);
  const answer = untilClosed(socket);
  socket.write(bytes);
  await served(`${baseUrl}/_sandbox/health`);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  await served(`${baseUrl}/_sandbox/health`);
});

test("who waits for an answer is no slow caller: a stream outlives those who are", async () => {
  const { baseUrl } = await startWith(IMPATIENT);
  let opened = await openStream({ baseUrl });
  while (opened.status === 408) opened = await openStream({ baseUrl });
  await using stream = opened;
  const slow = await openSocket(baseUrl);
  slow.write("GET / HTTP/1.1\r\n");
  expect(await untilClosed(slow)).toMatch(/^HTTP\/1\.1 408 /);
  await served(`${baseUrl}/v2/nowhere`);
  expect((await stream.take(1)).map(({ event }) => event)).toEqual(["request"]);
});

test.each([
  ["one of more than 16 KiB", { "X-Large": "x".repeat(17 * 1024) }],
  ["two thousand small ones", Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`X-${n}`, "1"]))],
])("headers have a limit: %s, 431", async (_what, headers) => {
  const { baseUrl } = file.sandbox;
  const socket = await openSocket(baseUrl);
  const answer = untilClosed(socket);
  socket.write(headOf(baseUrl, "GET", "/v2/account/balance", headers));
  expectUnread(await answer, 431);
});

test("D21 a fault of what reads requests is not told as a mistake of the caller", async () => {
  const answer = answerUnaddressed(new Error("Something else."));
  expect([answer.status, (await answer.json()).error.code]).toEqual([500, "INTERNAL_ERROR"]);
});

test("what the chunks of a body carry beside it has a limit: 413", async () => {
  const { baseUrl } = file.sandbox;
  const socket = await openSocket(baseUrl);
  const answer = untilClosed(socket);
  socket.write(headOf(baseUrl, "POST", "/v2/oauth/token", { "Transfer-Encoding": "chunked" }));
  socket.write(`2;${"x".repeat(17 * 1024)}\r\n{}\r\n0\r\n\r\n`);
  expectUnread(await answer, 413);
});

test.each([
  ["no HTTP at all", "hello\r\n\r\n"],
  ["a version that there is not", "GET /v2/account/balance HTTP/9.9\r\nHost: localhost\r\n\r\n"],
  ["two lengths", "POST /v2/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"],
])("HDR-01 D21 what cannot be read is refused like all else: %s", async (_what, bytes) => {
  const socket = await openSocket(file.sandbox.baseUrl);
  const answer = untilClosed(socket);
  socket.write(bytes);
  expectUnread(await answer, 400);
});

test.each([
  ["without a host", 400, "GET /v2/account/balance HTTP/1.1\r\n"],
  ["of HTTP/1.0, which has none, where one is asked for", 400, "GET /_sandbox/clock HTTP/1.0\r\n"],
  ["with an empty host", 400, "GET /_sandbox/clock HTTP/1.1\r\nHost:\r\n"],
  ["with a host that is none", 400, "POST /v2/oauth/token HTTP/1.1\r\nHost: a b\r\nContent-Length: 0\r\n"],
  ["about no address", 400, "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n"],
  ["that expects what there is not", 417, "GET /v2/account/balance HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n"],
])("HDR-01 D21 a request %s is refused like all else: %i", async (_what, status, head) => {
  const socket = await openSocket(file.sandbox.baseUrl);
  const answer = untilClosed(socket);
  socket.write(`${head}Connection: close\r\n\r\n`);
  expectUnread(await answer, status);
});

test("the service, which goes by any name, answers HTTP/1.0 without a host", async () => {
  const socket = await openSocket(file.sandbox.baseUrl);
  const answer = untilClosed(socket);
  socket.write("GET /v2/account/balance HTTP/1.0\r\n\r\n");
  expect(await answer).toMatch(/^HTTP\/1\.1 401 .*X-Request-Id: req_.*"code":"UNAUTHORIZED"/is);
});

test("an answer under way is not spoiled by what comes after its request", async () => {
  const { baseUrl } = file.sandbox;
  const socket = await openSocket(baseUrl);
  const answer = untilClosed(socket);
  socket.write(headOf(baseUrl, "GET", "/_sandbox/journal/stream", {}));
  await once(socket, "data");
  socket.write("garbage\r\n\r\n");
  expect((await answer).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
});

test("a call is answered as it was carried out, whatever follows it", async () => {
  const { baseUrl } = file.sandbox;
  const world = await file.sandbox.defaultWorld();
  const { token } = await Merchant.of(world);
  const body = '{"currency":"BRL","amount":1}';
  const head = headOf(baseUrl, "POST", "/v2/transactions/cashin", {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
  });
  const socket = await openSocket(baseUrl);
  const answer = untilClosed(socket);
  socket.write(`${head}${body}\0`);
  const answered = await answer;
  expect(answered.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  expect(answered).toMatch(/^connection: close\r$/im);
  expect(answered).toContain('"status":"pending"');
});

const CHUNK = `10000\r\n${" ".repeat(0x10000)}\r\n`;

/** Sends a head, and as much of a body as is too long. */
async function sendTooMuch(baseUrl: string, call: string, limit: number): Promise<Socket> {
  const [method = "", path = ""] = call.split(" ");
  const socket = await openSocket(baseUrl);
  const chunked = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" };
  socket.write(headOf(baseUrl, method, path, chunked));
  for (let sent = 0; sent <= limit; sent += 0x10000) socket.write(CHUNK);
  return socket;
}

test.each([
  ["the service", "POST /v2/oauth/token", 1024 * 1024],
  ["the control interface", "POST /_sandbox/reset", 16 * 1024 * 1024],
])("a body without end is answered 413 by %s as soon as it is too long, then cut off", async (_, call, limit) => {
  const socket = await sendTooMuch(file.sandbox.baseUrl, call, limit);
  const answer = untilClosed(socket);
  await once(socket, "data");
  // Whoever goes on all the same is cut off.
  const goOn = () => {
    while (!socket.destroyed && socket.write(CHUNK));
  };
  socket.on("drain", goOn);
  goOn();
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
});

test.each([
  ["the service", "GET /v2/account/balance", 1024 * 1024],
  ["the control interface", "GET /_sandbox/clock", 16 * 1024 * 1024],
])("the body of a GET has the limit of others: 413 by %s", async (_, call, limit) => {
  const socket = await sendTooMuch(file.sandbox.baseUrl, call, limit);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test.each(["GET", "HEAD"])(
  "a %s with a body is carried out when that has come: its answer is not cut",
  async (method) => {
    const { baseUrl, sandbox } = await startWith({});
    const socket = await openSocket(baseUrl);
    const answer = untilClosed(socket);
    socket.write(headOf(baseUrl, method, "/v2/first", { Connection: "close", "Content-Length": "200000" }));
    socket.write("x".repeat(100_000));
    await fetch(`${baseUrl}/v2/second`);
    socket.write("x".repeat(100_000));
    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    const requests = sandbox.get(DEFAULT_WORLD)?.world.requests.after(0, 2) ?? [];
    expect(requests.map(({ path }) => path)).toEqual(["/v2/second", "/v2/first"]);
  },
);

test("a call whose body takes its time is for the world that is there when it has come, reset or made anew", async () => {
  const { id, baseUrl } = await file.world({ id: "slow-body" });
  const again = [() => file.sandbox.world(id).then((world) => world.reset()), () => file.sandbox.deleteWorld(id)];
  for (const between of again) {
    const socket = await openSocket(baseUrl);
    const answer = untilClosed(socket);
    const path = `/worlds/${id}/_sandbox/clock/advance`;
    socket.write(headOf(baseUrl, "POST", path, { Connection: "close", "Content-Length": "11" }));
    await served(`${file.sandbox.baseUrl}/_sandbox/health`);
    await between();
    const world = await file.sandbox.openWorld(id, { scenarios: [] });
    socket.write('{"by":"5s"}');
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    expect((await world.clock()).now).toBe("2026-01-01T12:00:05.000Z");
  }
});

test("connections have a limit: one too many is closed at once, and there is room again when one has gone", async () => {
  const { baseUrl } = await startWith({ maxConnections: 2 });
  const [first, second] = [await kept(baseUrl), await kept(baseUrl)];
  const third = await openSocket(baseUrl);
  expect(await untilClosed(third)).toBe("");
  first.destroy();
  // The server learns of it a little later than this side.
  let answer = "";
  while (answer === "") answer = await answerOf(baseUrl);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  second.destroy();
});

test("a connection without a call is kept for five minutes, longer than callers keep it, and says so", async () => {
  const socket = await openSocket(file.sandbox.baseUrl);
  socket.write(headOf(file.sandbox.baseUrl, "GET", "/_sandbox/health", {}));
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^Connection: keep-alive\r\nKeep-Alive: timeout=300\r$/m);
  socket.destroy();
});

test("a stream that nobody reads is not filled: the journal is read as it is taken off", async () => {
  const { baseUrl, sandbox } = await startWith({});
  const live = sandbox.get(DEFAULT_WORLD);
  const journal = live?.world.journal;
  if (!journal) throw new Error("There is no default world.");
  // Each entry carries the path of its call: together they are more than the buffers of two sockets take.
  const path = `/v2/${"x".repeat(15_000)}`;
  const calls = 2_000;
  for (let made = 0; made < calls; made += 50) {
    const burst = Array.from({ length: 50 }, () => fetch(`${baseUrl}${path}`).then((answer) => answer.arrayBuffer()));
    await Promise.all(burst);
  }
  const pages = vi.spyOn(journal, "after");
  onTestFinished(() => pages.mockRestore());
  const last = journal.last().sequence;
  const socket = await openSocket(baseUrl);
  socket.write(headOf(baseUrl, "GET", "/_sandbox/journal/stream?after=0", {}));
  await once(socket, "readable");
  for (let turns = 0; turns < 300; turns++) await served(`${baseUrl}/_sandbox/health`);
  expect(pages.mock.calls.length).toBeGreaterThan(0);
  expect(Math.max(...pages.mock.calls.map(([after]) => after))).toBeLessThan(last - 500);
  expect(await readUntil(socket, `id: ${last}\n`)).toBe(true);
});

test.each([
  'multipart/form-data; xboundary=fake; boundary="real"',
  'multipart/form-data; x="boundary=fake"; boundary=real',
  "multipart/form-data; BOUNDARY=real; boundary=fake",
])("parts are counted by the boundary that they are read by: %s", async (type) => {
  const merchant = await Merchant.of(await file.world());
  const part = '--real\r\nContent-Disposition: form-data; name="files"\r\n\r\nx\r\n';
  const reply = (parts: number) => {
    const body = `${part.repeat(parts)}--real--\r\n`;
    return merchant.call("POST", "/v2/account/infractions/reply", body, { "Content-Type": type });
  };
  expectRefusal(await reply(101), 400, "INVALID_REQUEST", "at most 100 parts");
  expectRefusal(await reply(2), 400, "INVALID_REQUEST", "infraction_id", "files[1]");
});

test("a body has at most so many values: each would become an object of its own", async () => {
  const world = await file.world();
  const merchant = await Merchant.of(world);
  const numbers = (count: number) => `{"currency":"BRL","amount":"10","items":[${"0,".repeat(count)}0]}`;
  const charge = (body: string) =>
    merchant.call("POST", "/v2/transactions/cashin", body, { "Content-Type": "application/json" });
  expectRefusal(await charge(numbers(100_000)), 400, "INVALID_REQUEST", "more than 100000 values");
  expectRefusal(await charge(`[${"[],".repeat(100_000)}[]]`), 400, "INVALID_REQUEST", "more than 100000 values");
  expectSuccess(await charge(numbers(90_000)));
  const advance = async (count: number) =>
    (await control(world, "POST", "/clock/advance", JSON.parse(numbers(count)))).body.error.message;
  expect(await advance(500_000)).toContain("more than 500000 values");
  expect(await advance(100_001)).toContain("currency");
});

test("the form of a dispute's reply has at most a hundred parts", async () => {
  const merchant = await Merchant.of(await file.world());
  const reply = async (parts: number) => {
    const form = new FormData();
    for (let part = 0; part < parts; part++) form.append("files", "x");
    const headers = { Authorization: `Bearer ${merchant.token}` };
    const url = `${merchant.baseUrl}/v2/account/infractions/reply`;
    const answer = await fetch(url, { method: "POST", headers, body: form });
    return ((await answer.json()) as { error: { code: string; message: string } }).error;
  };
  const wrongForm = "The body must be a multipart form of at most 100 parts.";
  expect(await reply(101)).toMatchObject({ code: "INVALID_REQUEST", message: wrongForm });
  expect(await reply(100)).toMatchObject({ code: "INVALID_REQUEST", message: expect.not.stringContaining("parts") });
});

/** ENV-03 HDR-01: a refusal with all that every answer has, before anything is known of its request. */
function expectUnread(answer: string, status: number): void {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  for (const name of ["Limit", "Remaining", "Reset"])
    expect(head).toMatch(new RegExp(`^X-RateLimit-${name}: \\d+$`, "m"));
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "INVALID_REQUEST", group: "VALIDATION" } });
}

function postHead(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

/** A connection that has been served once and is kept. */
async function kept(baseUrl: string): Promise<Socket> {
  const socket = await openSocket(baseUrl);
  socket.write(headOf(baseUrl, "GET", "/_sandbox/health", {}));
  await once(socket, "data");
  return socket;
}

/** What a new connection is answered; nothing where it is closed. */
async function answerOf(baseUrl: string): Promise<string> {
  const socket = await openSocket(baseUrl);
  socket.write(headOf(baseUrl, "GET", "/_sandbox/health", { Connection: "close" }));
  return untilClosed(socket);
}

/** Reads until a text comes; false where the connection ends before it. */
async function readUntil(socket: Socket, wanted: string): Promise<boolean> {
  let end = "";
  for await (const chunk of socket) {
    end = (end + chunk).slice(-100_000);
    if (end.includes(wanted)) return true;
  }
  return false;
}
