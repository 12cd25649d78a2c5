/** SIGTERM and SIGINT: what is under way is finished, and the process leaves with 0 (interface, section 2). */
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { connectSandbox } from "../../src/index.ts";
import { startCommand, startReady, terminate } from "../support/command.ts";
import { testFolder } from "../support/folder.ts";
import { Merchant } from "../support/merchant.ts";
import { startReceiver } from "../support/receiver.ts";

/** A receiver that holds its answers until it is told to give them. */
async function holdingReceiver() {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (_request, response) => {
    asked.resolve();
    await release.promise;
    response.writeHead(200).end();
  });
  return { receiver, asked: asked.promise, release: release.resolve };
}

/** Advances on a connection of its own, which ends with its answer. */
async function advance(baseUrl: string): Promise<{ status: number | undefined; body: unknown }> {
  const call = request(`${baseUrl}/_sandbox/clock/advance`, {
    method: "POST",
    agent: false,
    headers: { "Content-Type": "application/json" },
  });
  call.end('{"by":"1m"}');
  const [response] = await once(call, "response");
  return { status: response.statusCode, body: JSON.parse(await text(response)) };
}

/** Resolves once nothing listens at the address any more. */
async function closedTo(baseUrl: string): Promise<void> {
  for (;;) {
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    const refused = await Promise.race([
      once(socket, "connect").then(() => false),
      once(socket, "error").then(() => true),
    ]).catch(() => true);
    socket.destroy();
    if (refused) return;
  }
}

test("an advance that is interrupted says that the world goes on, and how that is called off", async () => {
  const { receiver, asked, release } = await holdingReceiver();
  const running = await startReady(["--clock", "frozen", "--postback-url", receiver.url]);
  const { base_url } = running.ready;
  const merchant = await Merchant.of(await (await connectSandbox(base_url)).defaultWorld());
  await merchant.cashin({ currency: "BRL", amount: 10, external_id: "order-1" });
  const command = startCommand(["advance", "1m", "--url", base_url]);
  await asked;
  command.child.kill("SIGINT");
  const { code, stdout, stderr } = await command.ended;
  const words = `The world goes on advancing; DELETE ${base_url}/_sandbox/clock/advance calls that off.`;
  expect([code, stdout, stderr]).toEqual([130, "", `payments-sandbox: ${words}\n`]);
  release();
});

// No signal ends the first process of a container by itself; anywhere else, it also ends what leaves no turn to a handler.
test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends other commands at once, in a container with %i", async (signal, exitCode) => {
  const running = await startReady(["--clock", "frozen"]);
  const args = ["tail", "--all", "--url", running.ready.base_url];
  const asFirst = 'Object.defineProperty(process, "pid", { value: 1 });';
  const first = startCommand(args, { nodeOptions: ["--import", `data:text/javascript,${encodeURI(asFirst)}`] });
  const other = startCommand(args);
  for (const { firstLine, child } of [first, other]) {
    await firstLine;
    child.kill(signal);
  }
  expect(await first.ended).toMatchObject({ code: exitCode, signal: null, stderr: "" });
  expect(await other.ended).toMatchObject({ code: null, signal, stderr: "" });
});

/** A server with an advance under way whose first webhook is in the air. */
async function underWay(args: readonly string[] = []) {
  const { receiver, asked, release } = await holdingReceiver();
  const running = await startReady(["--clock", "frozen", "--postback-url", receiver.url, ...args]);
  const baseUrl = running.ready.base_url;
  const merchant = await Merchant.of(await (await connectSandbox(baseUrl)).defaultWorld());
  await merchant.cashin({ currency: "BRL", amount: 10, external_id: "order-1" });
  const advanced = advance(baseUrl);
  await asked;
  return { running, baseUrl, receiver, release, advanced };
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  test("at rest", async () => {
    const running = await startReady();
    await (await connectSandbox(running.ready.base_url)).defaultWorld();
    expect(await terminate(running, signal)).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  test("while the server is still being read", async () => {
    const module = `import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) {
        if (/\\/(serve\\.ts|server-[^/]*\\.js)$/.test(url)) process.kill(process.pid, "${signal}");
        return next(url, context);
      } });`;
    const nodeOptions = ["--import", `data:text/javascript,${encodeURIComponent(module)}`];
    const { ended } = startCommand(["--port", "0"], { nodeOptions });
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  test("with an advance under way: it is finished and answered, its webhook is recorded", async () => {
    const data = testFolder();
    const { running, baseUrl, receiver, release, advanced } = await underWay(["--data", data]);
    await using _closing = receiver;
    const ended = terminate(running, signal);
    await closedTo(baseUrl);
    release();
    expect(await advanced).toMatchObject({ status: 200, body: { reached: true, webhooks: { delivered: 1 } } });
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });

    const again = await startReady(["--data", data]);
    const world = await (await connectSandbox(again.ready.base_url)).defaultWorld();
    expect(await world.webhooks()).toMatchObject([{ event: "cashin.confirmed", status: "delivered" }]);
    expect(receiver.received).toHaveLength(1);
  });
});

test("a second signal does not wait", async () => {
  const { running, baseUrl, receiver, release, advanced } = await underWay();
  await using _closing = receiver;
  const cutOff = advanced.catch(() => {});
  running.child.kill("SIGTERM");
  await closedTo(baseUrl);
  expect(await terminate(running)).toMatchObject({ code: 0, signal: null });
  release();
  await cutOff;
});
