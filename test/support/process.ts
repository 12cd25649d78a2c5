/** The sandbox as a process of its own, started by its command line. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectSandbox, type SandboxClient, type WorldClient } from "../../src/index.ts";

const bin = fileURLToPath(new URL("../../bin/payments-sandbox.js", import.meta.url));

export interface SandboxProcess {
  readonly baseUrl: string;
  /** The fields of the ready line. */
  readonly ready: Readonly<Record<string, string>>;
  readonly child: ChildProcess;
  readonly sandbox: SandboxClient;
  readonly world: WorldClient;
  /** Ends it with a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command with a free port and waits for its ready line. */
export async function startProcess(...args: string[]): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [bin, "--port", "0", "--log", "json", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, "line"), once(child, "exit").then(() => [null])]);
  if (first === null) throw new Error(`The sandbox did not start: ${complaints}`);
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
  return { baseUrl, ready, child, sandbox, world: await sandbox.defaultWorld(), end };
}

/** No file that the process writes may grow beyond so many bytes from now on: to it the disk is full. Linux alone. */
export function limitFiles({ child }: Pick<SandboxProcess, "child">, bytes: number | "unlimited"): void {
  // What is below the hard limit is lifted again.
  execFileSync("prlimit", ["--pid", String(child.pid), `--fsize=${bytes}:unlimited`]);
}
