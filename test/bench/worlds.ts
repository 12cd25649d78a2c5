/** Worlds made and forked, one call after another, and the memory that each takes. */
import { connectSandbox, type SandboxClient, type WorldClient, type WorldOptions } from "../../src/index.ts";
import { median, ratio } from "./figures.ts";
import { makeCharges } from "./load.ts";
import { cpuSeconds, residentBytes, used } from "./processes.ts";
import type { Server } from "./programs.ts";
import type { Measured } from "./results.ts";
import { settings, startSandboxServer } from "./servers.ts";

const CHARGES = 1_000;
/** As of calls elsewhere: until what makes a world is compiled. A suite of tests makes as many; what the first take is shown. */
const WARM_UP = 500;
const TIMED = 100;
/** Memory shows itself only with many, and is counted without what the first of them load. */
const KEPT = 500;
const FIRST = 50;

interface Made {
  /** Of the first {@link TIMED}, before what makes them is compiled. */
  readonly firstMs: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly mb: number;
}

/** Rows "world-create", "world-fork", "world-memory". */
export async function measureWorlds(): Promise<Measured> {
  const server = await startSandboxServer();
  const sandbox = await connectSandbox(server.url);
  const full = await sandbox.createWorld({ id: "full", settings });
  await makeCharges(full.baseUrl, CHARGES);
  const created = await made(sandbox, server, {}, KEPT);
  const forked = await made(sandbox, server, { from: "full" }, TIMED);
  await server.end();
  const row = (name: string, { firstMs, ms, cpuMs, mb }: Made) => [
    name,
    ratio(firstMs),
    ratio(ms),
    ratio(cpuMs),
    ratio(mb),
  ];
  const rows = [row("created", created), row("forked with 1 000 charges", forked)];
  return {
    figures: [
      { id: "world-create", value: created.ms },
      { id: "world-fork", value: forked.ms },
      { id: "world-memory", value: created.mb },
    ],
    tables: [{ title: "A world in memory, over HTTP", head: ["", "ms of the first", "ms", "CPU ms", "MB"], rows }],
  };
}

/** @param kept worlds that are there at the same time in the end beside those that warm up; the first hundred of them are timed. */
async function made(sandbox: SandboxClient, server: Server, options: WorldOptions, kept: number): Promise<Made> {
  const worlds: WorldClient[] = [];
  const make = async () => {
    const startedAt = performance.now();
    worlds.push(await sandbox.createWorld(options));
    return performance.now() - startedAt;
  };
  const firstTimes: number[] = [];
  for (let count = 0; count < FIRST; count++) firstTimes.push(await make());
  const residentBefore = residentBytes(server.pid);
  for (let count = FIRST; count < WARM_UP; count++) firstTimes.push(await make());
  const [times, cpuTimes]: [number[], number[]] = [[], []];
  for (let count = 0; count < kept; count++) {
    const before = cpuSeconds(server.pid);
    const taken = await make();
    if (count >= TIMED) continue;
    times.push(taken);
    cpuTimes.push((used(before, cpuSeconds(server.pid)) ?? Number.NaN) * 1000);
  }
  const bytes = used(residentBefore, residentBytes(server.pid)) ?? Number.NaN;
  for (const world of worlds) await world.delete();
  const firstMs = median(firstTimes.slice(0, TIMED));
  return { firstMs, ms: median(times), cpuMs: median(cpuTimes), mb: bytes / (WARM_UP - FIRST + kept) / 1e6 };
}
