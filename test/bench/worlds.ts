/** Worlds made and forked, one call after another, and the memory that each takes. */
import { connectSandbox, type SandboxClient, type WorldClient, type WorldOptions } from "../../src/index.ts";
import { median, ratio } from "./figures.ts";
import { makeCharges } from "./load.ts";
import { cpuSeconds, residentBytes, used } from "./processes.ts";
import type { Server } from "./programs.ts";
import type { Measured } from "./results.ts";
import { settings, startSandboxServer } from "./servers.ts";

const CHARGES = 1_000;
const WARM_UP = 50;
const TIMED = 100;
/** Memory shows itself only with many. */
const KEPT = 500;

interface Made {
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
  const row = (name: string, { ms, cpuMs, mb }: Made) => [name, ratio(ms), ratio(cpuMs), ratio(mb)];
  const rows = [row("created", created), row("forked with 1 000 charges", forked)];
  return {
    figures: [
      { id: "world-create", value: created.ms },
      { id: "world-fork", value: forked.ms },
      { id: "world-memory", value: created.mb },
    ],
    tables: [{ title: "A world in memory, over HTTP", head: ["", "ms", "CPU ms", "MB"], rows }],
  };
}

/** @param kept worlds that are there at the same time in the end; the first hundred of them are timed. */
async function made(sandbox: SandboxClient, server: Server, options: WorldOptions, kept: number): Promise<Made> {
  const warm: WorldClient[] = [];
  for (let count = 0; count < WARM_UP; count++) warm.push(await sandbox.createWorld(options));
  const residentBefore = residentBytes(server.pid);
  const [times, cpuTimes]: [number[], number[]] = [[], []];
  for (let count = 0; count < kept; count++) {
    const before = cpuSeconds(server.pid);
    const startedAt = performance.now();
    warm.push(await sandbox.createWorld(options));
    if (count >= TIMED) continue;
    times.push(performance.now() - startedAt);
    cpuTimes.push((used(before, cpuSeconds(server.pid)) ?? Number.NaN) * 1000);
  }
  const bytes = used(residentBefore, residentBytes(server.pid)) ?? Number.NaN;
  for (const world of warm) await world.delete();
  return { ms: median(times), cpuMs: median(cpuTimes), mb: bytes / kept / 1e6 };
}
