/** Server processes under measurement, each pinned to one core where the machine can. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const canPin = spawnSync("taskset", ["-V"]).status === 0;

/** What is said about the machine in the heading. */
export const pinning = canPin ? "servers pinned to core 0" : "servers not pinned (no taskset)";

export interface MeasuredServer {
  readonly child: ChildProcess;
  /** The fields of its first line, where that is JSON. */
  readonly ready: Record<string, string>;
  /** From the start of the process to its first line. */
  readonly startMs: number;
  /** Resident memory in MB. */
  residentMb(): number;
  stop(): Promise<void>;
}

/** Starts a script of this repository and waits for its first line. */
export async function startServer(script: string, args: readonly string[] = []): Promise<MeasuredServer> {
  const startedAt = performance.now();
  const command = [process.execPath, script, ...args];
  const [file = "", ...rest] = canPin ? ["taskset", "-c", "0", ...command] : command;
  const child = spawn(file, rest, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const startMs = performance.now() - startedAt;
  child.stdout.resume();
  return {
    child,
    ready: (line as string).startsWith("{") ? JSON.parse(line as string) : {},
    startMs,
    residentMb: () => residentMb(child.pid ?? 0),
    stop: async () => {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
