/** The measurements, each a figure with its unit. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { connectSandbox, type SandboxClient, type WorldClient } from "../../src/index.ts";
import { type MeasuredServer, startServer } from "./processes.ts";

const BIN = "test/bench/packaged.js";
const CONNECTIONS = 16;

/** A sandbox that prints nothing while it is measured, and a world of its own without protections. */
async function startSandboxServer(
  ...args: string[]
): Promise<{ server: MeasuredServer; world: WorldClient; sandbox: SandboxClient }> {
  const port = String(await freePort());
  const server = await startServer(BIN, ["--port", port, "--log", "silent", "--clock", "frozen", ...args]);
  const sandbox = await connectSandbox(`http://127.0.0.1:${port}`);
  return { server, sandbox, world: await sandbox.createWorld({ settings: { protections: "off" } }) };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

async function tokenOf(world: WorldClient): Promise<string> {
  const { clientId: client_id, clientSecret: client_secret } = world.credentials;
  const body = JSON.stringify({ client_id, client_secret });
  const response = await fetch(`${world.baseUrl}/v2/oauth/token`, { method: "POST", body });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Posts `count` charges over keep-alive connections. @returns charges per second. */
async function load(baseUrl: string, count: number, token = ""): Promise<number> {
  const url = new URL(baseUrl);
  const pool = new Pool(url.origin, { connections: CONNECTIONS });
  const path = `${url.pathname === "/" ? "" : url.pathname}/v2/transactions/cashin`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const run = performance.now().toString(36);
  let sent = 0;
  const worker = async () => {
    while (sent < count) {
      const body = JSON.stringify({ currency: "BRL", amount: 10, external_id: `${run}-${sent++}` });
      const answer = await pool.request({ path, method: "POST", headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The load got ${answer.statusCode}.`);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const perSecond = (count / (performance.now() - startedAt)) * 1000;
  await pool.close();
  return perSecond;
}

/** Cash-ins per second: constant answer, in memory, in a file; taken in turn, so that drift hits all alike. */
export async function cashinRates(count: number, rounds: number) {
  const folder = mkdtempSync(join(tmpdir(), "payments-sandbox-bench-"));
  const constant = await startServer("test/bench/constant-server.ts");
  const memory = await startSandboxServer();
  const file = await startSandboxServer("--data", folder);
  const tokens = { memory: await tokenOf(memory.world), file: await tokenOf(file.world) };
  const idleMb = memory.server.residentMb();
  const figures = { constant: [] as number[], memory: [] as number[], file: [] as number[] };
  let loadedMb = 0;
  for (let round = 0; round <= rounds; round++) {
    const rates = {
      constant: await load(constant.ready.base_url ?? "", count),
      memory: await load(memory.world.baseUrl, count, tokens.memory),
      file: await load(file.world.baseUrl, count, tokens.file),
    };
    if (round === 0) loadedMb = memory.server.residentMb();
    else for (const name of ["constant", "memory", "file"] as const) figures[name].push(rates[name]);
  }
  await Promise.all([constant.stop(), memory.server.stop(), file.server.stop()]);
  rmSync(folder, { recursive: true, force: true });
  return { ...figures, idleMb, loadedMb };
}

/** Milliseconds from the start of the process to the first answered request. */
export async function startToFirstAnswer(rounds: number): Promise<number[]> {
  const figures: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const startedAt = performance.now();
    const server = await startServer(BIN, ["--port", "0", "--log", "json"]);
    await fetch(`${server.ready.base_url}/_sandbox/health`);
    if (round > 0) figures.push(performance.now() - startedAt);
    await server.stop();
  }
  return figures;
}

/** Timers per second while charges are paid or expire, no receiver; webhooks per second to a local receiver. */
export async function advanceRates(charges: number) {
  const { server, world, sandbox } = await startSandboxServer();
  await load(world.baseUrl, charges, await tokenOf(world));
  const timers = await timed(async () => (await world.advance("1h")).timers);
  const receiver = await startServer("test/bench/receiver-server.ts");
  const settings = { protections: "off", webhook_rate: 1_000_000 };
  const told = await sandbox.createWorld({ settings, postback_url: receiver.ready.base_url ?? "" });
  await load(told.baseUrl, charges, await tokenOf(told));
  const webhooks = await timed(async () => (await told.advance("1h")).webhooks.delivered);
  await Promise.all([server.stop(), receiver.stop()]);
  return { timers, webhooks };
}

/** Worlds made and forked per second, over the control interface. */
export async function worldRates(count: number) {
  const { server, world, sandbox } = await startSandboxServer();
  const repeat = async (work: () => Promise<unknown>) => {
    for (let done = 0; done < count; done++) await work();
    return count;
  };
  const created = await timed(() => repeat(() => sandbox.createWorld()));
  const forked = await timed(() => repeat(() => sandbox.createWorld({ from: world.id })));
  await server.stop();
  return { created, forked };
}

async function timed(work: () => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const count = await work();
  return (count / (performance.now() - startedAt)) * 1000;
}
