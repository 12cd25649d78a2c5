/** The command line as its users run it: a process, what it writes, and what it leaves with. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** That of the checkout, which runs its sources, unless what has been built is tested. */
export const bin =
  process.env.TESTED_COMMAND ?? fileURLToPath(new URL("../../bin/payments-sandbox.js", import.meta.url));

/** What its starts have compiled is kept in the folder that was laid out for a run of the tests, and goes with it. */
const compiled: Readonly<Record<string, string>> =
  process.env.TESTED_COMMAND === undefined ? {} : { NODE_COMPILE_CACHE: join(dirname(bin), "..", "compiled") };

export interface CommandOptions {
  readonly cwd?: string;
  /** Beside what this process has, but for its `PAYMENTS_SANDBOX_` variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The program that runs it; this one's Node unless it says otherwise. */
  readonly node?: string;
  readonly nodeOptions?: readonly string[];
}

/** What a process left behind. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** The first line of its stdout; undefined when it ends without one. */
  readonly firstLine: Promise<string | undefined>;
  readonly ended: Promise<Ended>;
}

/** Runs it as somebody whom the rights of files bind: root may do everything. */
export function asNobody(): CommandOptions {
  if (process.getuid?.() !== 0) return {};
  const options = ["--reuid=65534", "--regid=65534", "--clear-groups", process.execPath];
  return { node: "setpriv", nodeOptions: options };
}

/** Starts the command; what still runs when the test ends is killed. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { node = process.execPath, nodeOptions = [], cwd, env = {} } = options;
  const child = spawn(node, [...nodeOptions, bin, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...withoutOwnVariables(process.env), ...compiled, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr += text;
  });
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...written }));
  const lines = createInterface({ input: child.stdout });
  const firstLine = Promise.race([
    once(lines, "line").then(([line]) => line as string),
    once(lines, "close").then(() => undefined),
  ]);
  return { child, firstLine, ended };
}

/** Runs the command to its end. */
export function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return startCommand(args, options).ended;
}

/** What the ready line tells programs. */
export interface Ready {
  readonly event: "ready";
  readonly base_url: string;
  readonly dashboard_url: string;
  readonly world: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly signing_key: string;
}

/** Starts a server on a free port that logs as JSON, and waits until it is ready. */
export async function startReady(
  args: readonly string[] = [],
  options: CommandOptions = {},
): Promise<RunningCommand & { readonly ready: Ready }> {
  const running = startCommand(["--port", "0", "--log", "json", ...args], options);
  const line = await running.firstLine;
  if (line === undefined) throw new Error(`The sandbox did not start: ${(await running.ended).stderr}`);
  return { ...running, ready: JSON.parse(line) as Ready };
}

/** Ends a server as a process manager does. */
export function terminate({ child, ended }: RunningCommand, signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
  child.kill(signal);
  return ended;
}

function withoutOwnVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("PAYMENTS_SANDBOX_")));
}
