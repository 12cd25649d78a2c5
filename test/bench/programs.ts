/** The programs of the benchmark: started in their place, told of by their first line, ended at the end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Place, placed } from "./cores.ts";

export const checkout = fileURLToPath(new URL("../..", import.meta.url));
const bin = `${checkout}bin/payments-sandbox.js`;
const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** A program that has said its first line. */
export interface Program {
  readonly child: ChildProcess;
  /** That line, as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each program says what it has to say.
  readonly told: any;
  end(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a program of Node and waits for its first line. */
export async function startProgram(place: Place, args: readonly string[]): Promise<Program> {
  const [command, all] = placed(place, process.execPath, args);
  const child = spawn(command, all, { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  const stdout: Readable = child.stdout;
  const lines = createInterface({ input: stdout });
  const line = await Promise.race([once(lines, "line"), once(lines, "close").then(() => [undefined])]);
  if (line[0] === undefined) throw new Error(`${args.join(" ")} ended before it was ready.`);
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  return { child, told: JSON.parse(line[0]), end };
}

/** A sandbox from the checkout; its log is as short as can be, since nobody reads on. */
export function startSandboxProgram(...args: string[]): Promise<Program> {
  return startProgram("measured", [bin, ...serveArguments, ...args]);
}

/** The same from what was built, as the package has it. */
export function startBuiltProgram(): Promise<Program> {
  const script = `(await import("node:module")).enableCompileCache();
    await (await import("${checkout}dist/cli/main.js")).main(process.argv.slice(1));`;
  return startProgram("measured", ["--input-type=module", "--eval", script, "--", ...serveArguments]);
}

const serveArguments = ["serve", "--port", "0", "--log", "json"];

export const startConstant = () => startProgram("measured", [beside("constant-server.ts")]);
export const startReceiver = () => startProgram("measuring", [beside("receiver.ts")]);

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
  const { told, end } = await startProgram("measuring", [beside("load.ts"), JSON.stringify(order)]);
  await end();
  return told;
}

/** Processor time that a process has used, in seconds; null where the system does not tell. */
export function cpuSeconds({ child }: Program): number | null {
  const file = `/proc/${child.pid}/stat`;
  if (!existsSync(file)) return null;
  const fields = readFileSync(file, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const ticksPerSecond = 100;
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in MiB; null where the system does not tell. */
export function residentMiB({ child }: Program): number | null {
  const file = `/proc/${child.pid}/status`;
  if (!existsSync(file)) return null;
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, "utf8"))?.[1]) / 1024;
}
