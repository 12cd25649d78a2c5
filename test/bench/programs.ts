/** The programs of the benchmark: each started on the cores of its role, and ended when it ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pinned, type Role } from "./cores.ts";
import type { Reply } from "./orders.ts";

const beside = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

function start(role: Role, args: readonly string[], stdio: ("ignore" | "pipe" | "inherit" | "ipc")[]): ChildProcess {
  // Not in the checkout, whose folder `scenarios` a sandbox would look through.
  const child = spawn(...pinned(role, process.execPath, args), { stdio, cwd: tmpdir() });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** A server that listens. */
export interface Server {
  readonly url: string;
  readonly pid: number | undefined;
  end(): Promise<void>;
}

/** Starts a server and waits until it tells its address, as the banner of the sandbox does. */
export async function startServer(role: Role, file: string, ...args: string[]): Promise<Server> {
  const child = start(role, [file.startsWith("/") ? file : beside(file), ...args], ["ignore", "pipe", "inherit"]);
  const stdout = child.stdout as Readable;
  const url = await addressIn(stdout);
  if (url === undefined) throw new Error(`${file} ${args.join(" ")} ended before it listened.`);
  stdout.resume();
  return { url, pid: child.pid, end: () => end(child) };
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

/** A program that does what it is told, one order after another. */
export interface Program<Order, Result> {
  order(order: Order): Promise<Result>;
  end(): Promise<void>;
}

/** Starts a program that takes orders. */
export function startProgram<Order extends object, Result>(role: Role, file: string): Program<Order, Result> {
  const child = start(role, [beside(file)], ["ignore", "inherit", "inherit", "ipc"]);
  const order = async (given: Order) => {
    const ended = new AbortController();
    const onExit = () => ended.abort();
    child.once("exit", onExit);
    child.send(given);
    try {
      const [reply] = (await once(child, "message", { signal: ended.signal })) as [Reply<Result>];
      if ("error" in reply) throw new Error(`${file}: ${reply.error}`);
      return reply.result;
    } catch (error) {
      throw ended.signal.aborted ? new Error(`${file} ended before it had done what it was told.`) : error;
    } finally {
      child.off("exit", onExit);
    }
  };
  return { order, end: () => end(child) };
}
