/** A whole sandbox that listens: worlds, network and address space put together. */
import type { Socket } from "node:net";
import type { WorldSpec } from "./host/creation.ts";
import type { LiveWorld } from "./host/live-world.ts";
import { DEFAULT_WORLD, Sandbox } from "./host/sandbox.ts";
import { createApp } from "./http/app.ts";
import { type ConnectionLimits, grace, listen } from "./http/server.ts";
import { Succession } from "./http/succession.ts";
import { Network } from "./network.ts";
import { packageVersion } from "./package-version.ts";
import { checkSourceAddresses, type SourceAddresses } from "./source-addresses.ts";
import { faultLine } from "./store/storage-fault.ts";
import { StoreError } from "./store/store-error.ts";

/** What a sandbox that listens is started with. */
export interface ServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where worlds are kept; null for memory. */
  readonly dataFolder: string | null;
  readonly webhookTimeoutMs: number;
  /** What webhooks come from (`D64`). */
  readonly webhookSources: SourceAddresses;
  readonly webhookConcurrency: number;
  readonly controlToken: string | null;
  /** Host names beside those of this machine under which it may be steered, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Whether a proxy before it tells the client's address. */
  readonly trustProxy: boolean;
  /** What the default world is made of, where it is not in the data folder. */
  readonly defaultWorld: WorldSpec;
  readonly onFault: (error: unknown) => void;
  /** What callers may take up of the process, where it differs from what is usual. */
  readonly limits?: Partial<ConnectionLimits>;
  /** How often a stream on which nothing comes shows that it stands, in real time, where that differs from what is usual. */
  readonly pulseMs?: number;
  /** How long what is under way may hold up a stop, in real time, where it differs from what is usual. */
  readonly graceMs?: number;
}

/** A sandbox that listens. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly sandbox: Sandbox;
  /** Data files that could not be opened. */
  readonly unreadable: readonly StoreError[];
  /** Finishes what is under way and closes; what goes on for too long is broken off, and taken up by the next start. */
  stop(): Promise<void>;
}

/** Less than proxies wait for, most of which end a connection after a minute without a sign of life. */
const PULSE_MS = 15_000;

/** Tells of a fault where no log does. */
export function tellFault(error: unknown): void {
  process.stderr.write(faultLine(error));
}

/**
 * Starts a sandbox.
 * @throws {SourceAddressError} @throws {ListenError} @throws {StoreError} @throws {CreationError} @throws {ScenarioError}
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { onFault, webhookConcurrency: concurrency, controlToken, allowedHosts, trustProxy, limits = {} } = options;
  await checkSourceAddresses(options.webhookSources);
  const network = new Network(options.webhookTimeoutMs, options.webhookSources);
  const sandbox = openFolder(options.dataFolder, (folder) => {
    return new Sandbox({ send: network.send, concurrency, onFault }, folder);
  });
  const release = async (graceOver: Promise<void>) => {
    await sandbox.finish(graceOver);
    await network.close();
  };
  let made: LiveWorld | undefined;
  try {
    const unreadable = openFolder(options.dataFolder, () => sandbox.restoreAll());
    if (!sandbox.get(DEFAULT_WORLD)) made = openFolder(options.dataFolder, () => sandbox.create(options.defaultWorld));
    openFolder(options.dataFolder, () => sandbox.tidy());
    const succession = new Succession();
    const version = packageVersion();
    const { pulseMs = PULSE_MS } = options;
    const app = createApp(sandbox, { version, controlToken, allowedHosts, trustProxy, succession, pulseMs, onFault });
    const onConnection = (socket: Socket) => succession.open(socket);
    const { host, port } = options;
    const { baseUrl, drain, refuse, close } = await listen(app, { host, port, onConnection, onFault, limits });
    const stop = async () => {
      const graceOver = grace(options.graceMs);
      await Promise.race([drain(), graceOver]);
      refuse();
      await release(graceOver);
      await close();
    };
    return { baseUrl, sandbox, unreadable, stop };
  } catch (error) {
    // The next start may want another world, and would find this one kept.
    try {
      if (made) sandbox.delete(made);
    } finally {
      await release(grace(options.graceMs));
    }
    throw error;
  }
}

/** What the file system refuses of a data folder, told as such. @throws {StoreError} */
function openFolder<Result>(folder: string | null, work: (folder: string | null) => Result): Result {
  try {
    return work(folder);
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (folder === null || syscall === undefined) throw error;
    const reason = code === "EEXIST" || code === "ENOTDIR" ? "it is not a folder" : message;
    throw new StoreError(`The data folder ${folder} cannot be used: ${reason}.`);
  }
}
