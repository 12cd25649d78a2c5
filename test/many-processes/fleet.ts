/** Several processes of the sandbox, each with an address and a data folder that it keeps when it is replaced. */
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type SandboxProcess, startProcess } from "../support/process.ts";

/** Loopback addresses of this run alone, so that no other program takes a port while its process is away. */
const NETWORK = `127.${100 + ((process.pid >> 8) % 100)}.${process.pid % 256}`;

/** A free `host:port` on an address of this run. */
export async function freePlace(lastByte: number): Promise<string> {
  const host = `${NETWORK}.${lastByte}`;
  const server = createServer();
  await once(server.listen(0, host), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `${host}:${port}`;
}

export class Fleet {
  readonly folder: string;
  /** `host:port` of each. */
  readonly places: string[] = [];
  readonly #processes: (SandboxProcess | null)[] = [];

  /** @param folder in which each process has one of its own. */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** A place for one process more; nothing runs there yet. */
  async grow(): Promise<void> {
    this.places.push(await freePlace(this.places.length + 1));
  }

  async startAll(): Promise<void> {
    await Promise.all(this.places.map((_place, index) => this.start(index)));
  }

  /** Starts a process in its place, over its folder. */
  async start(index: number): Promise<void> {
    const [host = "", port = ""] = this.places[index]?.split(":") ?? [];
    const where = ["--host", host, "--port", port, "--data", this.dataOf(index)];
    this.#processes[index] = await startProcess(...where, "--trust-proxy", "--clock", "frozen");
  }

  /** A process that runs. */
  process(index: number): SandboxProcess {
    const running = this.#processes[index];
    if (!running) throw new Error(`Process ${index} does not run.`);
    return running;
  }

  /** Ends a process. @returns its exit code; null after a signal that it could not answer. */
  async end(index: number, signal: NodeJS.Signals): Promise<number | null> {
    const code = await this.process(index).end(signal);
    this.#processes[index] = null;
    return code;
  }

  async endAll(signal: NodeJS.Signals): Promise<void> {
    await Promise.all(this.#processes.map((running) => running?.end(signal)));
    this.#processes.fill(null);
  }

  /** What each has to say of a fault that is nobody's in particular: whether it still runs, and its complaints. */
  toldOf(): string[] {
    return this.places.map((place, index) => {
      const running = this.#processes[index];
      if (!running) return `${place} was ended`;
      const { exitCode, signalCode } = running.child;
      return `${place} ${signalCode ?? exitCode ?? "runs"} ${running.complaints()}`;
    });
  }

  dataOf(index: number): string {
    return join(this.folder, `${index + 1}`);
  }

  /** The worlds whose files lie in each folder, but for `default`, which every process has. */
  worlds(): string[][] {
    return this.places.map((_place, index) => {
      if (!existsSync(this.dataOf(index))) return [];
      const files = readdirSync(this.dataOf(index)).filter((name) => name.endsWith(".db") && name !== "default.db");
      return files.map((name) => name.slice(0, -".db".length)).sort();
    });
  }
}
