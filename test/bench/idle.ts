/** What running clocks cost while nothing is due: they sleep until the next timer. */
import { setTimeout as pause } from "node:timers/promises";
import { connectSandbox } from "../../src/index.ts";
import { makeCharges } from "./load.ts";
import { cpuSeconds, used } from "./processes.ts";
import type { Server } from "./programs.ts";
import type { Measured } from "./results.ts";
import { settings, startConstant, startSandboxServer } from "./servers.ts";

const WORLDS = 100;
/** Each expires in half an hour. */
const CHARGES = 10;
/** What is compiled and collected because of what was done before is not what is measured. */
const SETTLING_MS = 5_000;
const IDLE_MS = 5_000;

/** Row "idle". Both are left alone in the same seconds. */
export async function measureIdle(): Promise<Measured> {
  const constant = await startConstant();
  const server = await startSandboxServer("--clock", "running");
  const sandbox = await connectSandbox(server.url);
  for (let count = 0; count < WORLDS; count++) {
    const world = await sandbox.createWorld({ scenarios: [], clock: { mode: "running" }, settings });
    await makeCharges(world.baseUrl, CHARGES);
  }
  await pause(SETTLING_MS);
  const [nothing, clocks] = await Promise.all([percentOf(constant), percentOf(server)]);
  await constant.end();
  await server.end();
  const rows = [
    ["constant, which has none", nothing.toFixed(4)],
    [`${WORLDS} running clocks with ${CHARGES} charges each`, clocks.toFixed(4)],
  ];
  return {
    figures: [{ id: "idle", value: clocks, yardstick: nothing }],
    tables: [{ title: `Processor time of ${IDLE_MS / 1000} idle seconds`, head: ["", "% of a core"], rows }],
  };
}

/** Processor time that a server uses while nothing is asked of it, in percent of a core. */
async function percentOf({ pid }: Server): Promise<number> {
  const before = cpuSeconds(pid);
  await pause(IDLE_MS);
  return ((used(before, cpuSeconds(pid)) ?? Number.NaN) * 100_000) / IDLE_MS;
}
