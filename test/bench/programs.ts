/** The programs of the benchmark: started in their place, and ended when it ends. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Place, placed } from "./cores.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));
const bin = `${checkout}bin/payments-sandbox.js`;
const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** A server that listens. */
export interface Server {
  readonly url: string;
  readonly child: ChildProcess;
  end(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

function start(place: Place, args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const child = spawn(...placed(place, process.execPath, args), { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Starts a server and waits until it tells its address, as the banner of the sandbox does. */
async function startServer(place: Place, args: readonly string[]): Promise<Server> {
  const child = start(place, args);
  const url = await addressIn(child.stdout);
  if (url === undefined) throw new Error(`${args.join(" ")} ended before it listened.`);
  child.stdout.resume();
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { url, child, end };
}

async function addressIn(stdout: Readable): Promise<string | undefined> {
  let told = "";
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    told += chunk;
    const url = /base URL +(\S+)\n/.exec(told)?.[1];
    if (url !== undefined) return url;
  }
  return undefined;
}

const serve = ["serve", "--port", "0", "--log", "silent", "--clock", "frozen"];

/** A sandbox from the checkout, with a frozen clock and nothing but its banner printed. */
export const startSandboxServer = (...args: string[]) => startServer("measured", [bin, ...serve, ...args]);

/** The same from what was built, as the package has it. */
export function startBuiltServer(): Promise<Server> {
  const script = `(await import("node:module")).enableCompileCache();
    await (await import("${checkout}dist/cli/main.js")).main(process.argv.slice(1));`;
  return startServer("measured", ["--input-type=module", "--eval", script, "--", ...serve]);
}

export const startConstant = () => startServer("measured", [beside("constant-server.ts")]);
export const startReceiver = () => startServer("measuring", [beside("receiver.ts")]);

/** What the load program did. */
export interface Load {
  readonly answered: number;
  readonly seconds: number;
  /** How much of its core the load program itself was busy, 0 to 1. */
  readonly busy: number;
}

/** What the load program is to do: so many charges, or as many as there is time for. */
export interface LoadOrder {
  readonly url: string;
  readonly token: string;
  /** First part of every `external_id`. */
  readonly prefix: string;
  readonly charges?: number;
  readonly seconds?: number;
}

/** Runs the load program to its end. */
export async function load(order: LoadOrder): Promise<Load> {
  const answer = await text(start("measuring", [beside("load.ts"), JSON.stringify(order)]).stdout);
  if (answer === "") throw new Error(`The load on ${order.url} came to nothing.`);
  return JSON.parse(answer);
}

/** Runs a program that measures itself, in the place of what is measured. @returns what it wrote, as JSON. */
export async function runMeasured<Result>(file: string, ...args: string[]): Promise<Result> {
  const answer = await text(start("measured", [beside(file), ...args]).stdout);
  if (answer === "") throw new Error(`${file} ${args.join(" ")} came to nothing.`);
  return JSON.parse(answer);
}

/** Processor time that a process has used, in seconds; null where the system does not tell. */
export function cpuSeconds({ child }: Server): number | null {
  const file = `/proc/${child.pid}/stat`;
  if (!existsSync(file)) return null;
  const fields = readFileSync(file, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in MiB; null where the system does not tell. */
export function residentMiB({ child }: Server): number | null {
  const file = `/proc/${child.pid}/status`;
  if (!existsSync(file)) return null;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}
