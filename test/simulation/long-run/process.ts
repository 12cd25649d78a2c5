/** A sandbox that tells what it holds, and the files that it keeps. */
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type SandboxProcess, startProcessWith } from "../../support/process.ts";
import type { Held } from "./probe.ts";

const probe = fileURLToPath(new URL("probe.ts", import.meta.url));
const LOOK_AGAIN_MS = 10;

export interface ProbedProcess extends SandboxProcess {
  /** What it holds once its garbage is collected. */
  held(): Promise<Held>;
}

/** @param folder where it notes what it holds, and keeps its worlds where it keeps them. */
export async function startProbed(folder: string, isInFile: boolean, ...args: string[]): Promise<ProbedProcess> {
  const noted = join(folder, "held");
  writeFileSync(noted, "");
  const start = { nodeOptions: ["--expose-gc", "--import", probe], env: { PROBE_FILE: noted } };
  const running = await startProcessWith(start, ...(isInFile ? ["--data", dataOf(folder)] : []), ...args);
  const lines = () => readFileSync(noted, "utf8").trimEnd().split("\n");
  let count = 0;
  const held = async () => {
    running.child.kill("SIGUSR2");
    count++;
    while (readFileSync(noted, "utf8").split("\n").length <= count) await pause(LOOK_AGAIN_MS);
    return JSON.parse(lines().at(-1) ?? "{}") as Held;
  };
  return { ...running, held };
}

function dataOf(folder: string): string {
  return join(folder, "data");
}

/** How many files a process has open, sockets and pipes left out; 0 where the system does not tell. */
export function openFiles({ child }: SandboxProcess): number {
  const folder = `/proc/${child.pid}/fd`;
  if (process.platform !== "linux") return 0;
  return readdirSync(folder).filter((name) => readlinkSync(join(folder, name)).startsWith("/")).length;
}

/** Bytes of a file of the data folder; 0 where it is not there. */
export function bytesOf(folder: string, name: string): number {
  return statSync(join(dataOf(folder), name), { throwIfNoEntry: false })?.size ?? 0;
}
