/** Worlds made and forked per second, one call after another, and the memory that each takes. */
import { connectSandbox, type SandboxClient, type WorldClient, type WorldOptions } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { median, table, whole } from "./figures.ts";
import { load, residentMiB, type Server, startSandboxServer } from "./programs.ts";

const ROUNDS = 5;
const CHARGES = 10_000;

export async function measureWorlds(): Promise<string> {
  const server = await startSandboxServer();
  const sandbox = await connectSandbox(server.url);
  await sandbox.createWorld({ id: "fresh" });
  const full = await sandbox.createWorld({ id: "full", settings: { protections: "report" } });
  await load({ url: full.baseUrl, token: (await Merchant.of(full)).token, prefix: "fork", charges: CHARGES });
  const measured = async (name: string, options: WorldOptions, count: number) => {
    const perSecond = await worldsPerSecond(sandbox, options, count);
    return [name, whole(perSecond), whole(await kibEach(sandbox, server, options, count * MEMORY_FACTOR))];
  };
  const rows = [
    await measured("made", {}, 20),
    await measured("forked from a fresh one", { from: "fresh" }, 20),
    await measured(`forked from one with ${whole(CHARGES)} charges`, { from: "full" }, 2),
  ];
  await server.end();
  return table(`Worlds in memory (median of ${ROUNDS} rounds)`, ["", "per second", "KiB each"], rows);
}

/** Memory shows itself only with many. */
const MEMORY_FACTOR = 10;

/** How much the server grows with each of so many worlds; null where the system does not tell. */
async function kibEach(
  sandbox: SandboxClient,
  server: Server,
  options: WorldOptions,
  count: number,
): Promise<number | null> {
  const before = residentMiB(server);
  const made: WorldClient[] = [];
  for (let index = 0; index < count; index++) made.push(await sandbox.createWorld(options));
  const after = residentMiB(server);
  for (const world of made) await world.delete();
  return before === null || after === null ? null : ((after - before) * 1024) / count;
}

async function worldsPerSecond(sandbox: SandboxClient, options: WorldOptions, count: number): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const made: WorldClient[] = [];
    const startedAt = performance.now();
    for (let index = 0; index < count; index++) made.push(await sandbox.createWorld(options));
    const seconds = (performance.now() - startedAt) / 1000;
    for (const world of made) await world.delete();
    if (round > 0) rates.push(count / seconds);
  }
  return median(rates);
}
