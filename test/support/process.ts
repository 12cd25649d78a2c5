/** The sandbox as a process of its own, started by its command line. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectSandbox, type SandboxClient, type WorldClient } from "../../src/index.ts";

const bin = fileURLToPath(new URL("../../bin/payments-sandbox.js", import.meta.url));

/** Options of a sandbox whose clock stands still where that of a test's world begins. */
export const FROZEN = ["--clock", "frozen", "--start", "2026-01-01T12:00:00Z"];

export interface SandboxProcess {
  readonly baseUrl: string;
  /** The fields of the ready line. */
  readonly ready: Readonly<Record<string, string>>;
  readonly child: ChildProcess;
  readonly sandbox: SandboxClient;
  readonly world: WorldClient;
  /** What it has written to stderr so far. */
  complaints(): string;
  /** Ends it with a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** How its Node is started, beside what this process has. */
export interface NodeStart {
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the command with a free port and waits for its ready line. */
export function startProcess(...args: string[]): Promise<SandboxProcess> {
  return startProcessWith({}, ...args);
}

/** The same with options of Node's own. */
export async function startProcessWith(start: NodeStart, ...args: string[]): Promise<SandboxProcess> {
  const { nodeOptions = [], env = {} } = start;
  const child = spawn(process.execPath, [...nodeOptions, bin, "--port", "0", "--log", "json", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let complained = "";
  child.stderr.on("data", (chunk) => {
    complained += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, "line"), once(child, "exit").then(() => [null])]);
  if (first === null) throw new Error(`The sandbox did not start: ${complained}`);
  const ready = JSON.parse(first) as Record<string, string>;
  const baseUrl = ready.base_url ?? "";
  const sandbox = await connectSandbox(baseUrl);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  const world = await sandbox.defaultWorld();
  return { baseUrl, ready, child, sandbox, world, complaints: () => complained, end };
}

/** No file that the process writes may grow beyond so many bytes from now on: to it the disk is full. Linux alone. */
export function limitFiles({ child }: Pick<SandboxProcess, "child">, bytes: number | "unlimited"): void {
  // What is below the hard limit is lifted again.
  execFileSync("prlimit", ["--pid", String(child.pid), `--fsize=${bytes}:unlimited`]);
}

/** The process may open no file of a number from this one on. Linux alone. */
export function limitOpenFiles({ child }: Pick<SandboxProcess, "child">, count: number): void {
  execFileSync("prlimit", ["--pid", String(child.pid), `--nofile=${count}:`]);
}
