/** Resident memory: of a server that has answered once, and what each charge adds. */
import { median, ratio, whole } from "./figures.ts";
import { makeCharges } from "./load.ts";
import { residentBytes } from "./processes.ts";
import type { Server } from "./programs.ts";
import type { Measured } from "./results.ts";
import { startMinimal, startSandboxServer, startUsualServer } from "./servers.ts";

const STARTS = 3;
/** What is compiled on the way, and room taken in advance, is not of the charges that come after. */
const WARM_UP_CHARGES = 10_000;
const CHARGES = 30_000;

/** Rows "memory-idle", "memory-charge". */
export async function measureMemory(): Promise<Measured> {
  const minimal = await idleMb(startMinimal);
  const sandbox = await idleMb(startUsualServer);
  const charge = await kbPerCharge();
  const rows = [
    ["minimal, idle", `${whole(minimal)} MB`],
    ["sandbox, idle", `${whole(sandbox)} MB`],
    [`each of ${whole(CHARGES)} charges in memory`, `${ratio(charge)} KB`],
  ];
  return {
    figures: [
      { id: "memory-idle", value: sandbox, yardstick: minimal, ratio: sandbox / minimal },
      { id: "memory-charge", value: charge },
    ],
    tables: [{ title: "Resident memory", head: ["", ""], rows }],
  };
}

async function idleMb(start: () => Promise<Server>): Promise<number> {
  const sizes: number[] = [];
  for (let count = 0; count < STARTS; count++) {
    const server = await start();
    await fetch(`${server.url}/_sandbox/health`).then((response) => response.text());
    sizes.push((residentBytes(server.pid) ?? Number.NaN) / 1e6);
    await server.end();
  }
  return median(sizes);
}

async function kbPerCharge(): Promise<number> {
  const server = await startSandboxServer();
  await makeCharges(server.url, WARM_UP_CHARGES);
  const before = residentBytes(server.pid) ?? Number.NaN;
  await makeCharges(server.url, CHARGES);
  const after = residentBytes(server.pid) ?? Number.NaN;
  await server.end();
  return (after - before) / CHARGES / 1000;
}
