/** Worlds made, forked and deleted per second, one call after another. */
import { connectSandbox, type SandboxClient, type WorldClient, type WorldOptions } from "../../src/index.ts";
import { Merchant } from "../support/merchant.ts";
import { median, table, whole } from "./figures.ts";
import { load, startSandboxServer } from "./programs.ts";

const ROUNDS = 5;
const CHARGES = 10_000;

export async function measureWorlds(): Promise<string> {
  const server = await startSandboxServer();
  const sandbox = await connectSandbox(server.url);
  await sandbox.createWorld({ id: "fresh" });
  const full = await sandbox.createWorld({ id: "full", settings: { protections: "report" } });
  await load({ url: full.baseUrl, token: (await Merchant.of(full)).token, prefix: "fork", charges: CHARGES });
  const rows = [
    ["made", whole(await worldsPerSecond(sandbox, {}, 20))],
    ["forked from a fresh one", whole(await worldsPerSecond(sandbox, { from: "fresh" }, 20))],
    [`forked from one with ${whole(CHARGES)} charges`, whole(await worldsPerSecond(sandbox, { from: "full" }, 2))],
  ];
  await server.end();
  return table(`Worlds in memory (median of ${ROUNDS} rounds)`, ["", "per second"], rows);
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
