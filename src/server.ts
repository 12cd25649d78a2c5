/** Puts a whole sandbox together: worlds, outgoing network and the HTTP server that listens. */
import type { Socket } from "node:net";
import type { WorldSpec } from "./host/creation.ts";
import type { LiveWorld } from "./host/live-world.ts";
import { DEFAULT_WORLD, Sandbox } from "./host/sandbox.ts";
import { createApp } from "./http/app.ts";
import { type Answering, type ConnectionLimits, grace, listen } from "./http/server.ts";
import { Succession } from "./http/succession.ts";
import { Network } from "./network/network.ts";
import { checkSourceAddresses, type SourceAddresses } from "./network/source-addresses.ts";
import { packageVersion } from "./package-version.ts";
import { faultLine } from "./store/storage-fault.ts";
import { StoreError } from "./store/store-error.ts";

/** The options of a server. */
export interface ServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Where worlds are kept; null keeps them in memory. */
  readonly dataFolder: string | null;
  readonly webhookTimeoutMs: number;
  /** The source addresses of webhooks (`D64`). */
  readonly webhookSources: SourceAddresses;
  readonly webhookConcurrency: number;
  readonly controlToken: string | null;
  /** Host names, in lower case, under which the control interface may be called, besides those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Whether a proxy in front reports the client's address. */
  readonly trustProxy: boolean;
  /** What the default world is created from if the data folder does not have it. */
  readonly defaultWorld: WorldSpec;
  readonly onFault: (error: unknown) => void;
  /** What only tests set; times are in real time. */
  readonly forTests?: {
    /** What callers may use of the process. */
    readonly limits?: Partial<ConnectionLimits>;
    /** How often an idle stream sends a sign of life. */
    readonly pulseMs?: number;
    /** How long requests and deliveries under way may delay a stop. */
    readonly graceMs?: number;
  };
}

/** A sandbox that listens. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly sandbox: Sandbox;
  /** Data files that could not be opened. */
  readonly unreadable: readonly StoreError[];
  /** Finishes what is under way and closes; what takes too long is broken off, and the next start resumes it. */
  stop(): Promise<void>;
}

/** Shorter than the time-out of proxies, most of which close a connection after a minute without a sign of life. */
const PULSE_MS = 15_000;

/** Reports a fault on stderr, where no log does. */
export function tellFault(error: unknown): void {
  process.stderr.write(faultLine(error));
}

/**
 * Starts a sandbox.
 * @throws {SourceAddressError} @throws {ListenError} @throws {StoreError} @throws {CreationError} @throws {ScenarioError}
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, dataFolder, onFault, webhookConcurrency: concurrency } = options;
  const { limits = {}, pulseMs = PULSE_MS, graceMs } = options.forTests ?? {};
  await checkSourceAddresses(options.webhookSources);
  const network = new Network(options.webhookTimeoutMs, options.webhookSources);
  const succession = new Succession();
  const place = { host, port, onConnection: (socket: Socket) => succession.open(socket), onFault, limits };
  let answer: Answering | undefined;
  // Before any file is opened: a start that is refused because of its port must not even have brought files up to
  // date. No call is read before there is what answers it, since nothing from here to there waits for another turn.
  const { baseUrl, drain, refuse, close } = await listen((...call) => (answer as Answering)(...call), place);
  let sandbox: Sandbox | undefined;
  const release = async (graceOver: Promise<void>) => {
    try {
      await sandbox?.finish(graceOver);
    } finally {
      await network.close();
      await close();
    }
  };
  let made: LiveWorld | undefined;
  try {
    const { send } = network;
    const opened = openFolder(dataFolder, () => new Sandbox({ send, concurrency, onFault }, dataFolder));
    sandbox = opened;
    const worlds = openFolder(dataFolder, () => openWorlds(opened, options.defaultWorld));
    made = worlds.made;
    const { controlToken, allowedHosts, trustProxy } = options;
    const version = packageVersion();
    const app = createApp(opened, { version, controlToken, allowedHosts, trustProxy, succession, pulseMs, onFault });
    answer = app.fetch;
    opened.begin();
    const stop = async () => {
      const graceOver = grace(graceMs);
      await Promise.race([drain(), graceOver]);
      refuse();
      await release(graceOver);
    };
    return { baseUrl, sandbox, unreadable: worlds.unreadable, stop };
  } catch (error) {
    refuse();
    // The next start may ask for another default world, and would find this one kept.
    try {
      if (made) sandbox?.delete(made);
    } finally {
      await release(grace(graceMs));
    }
    throw error;
  }
}

/** Opens the worlds of the data folder; the default one is made if it is not among them. */
function openWorlds(
  sandbox: Sandbox,
  defaultWorld: WorldSpec,
): { unreadable: StoreError[]; made: LiveWorld | undefined } {
  const unreadable = sandbox.restoreAll();
  const made = sandbox.get(DEFAULT_WORLD) ? undefined : sandbox.create(defaultWorld);
  return { unreadable, made };
}

/** Reports errors of the file system as what is wrong with the data folder. @throws {StoreError} */
function openFolder<Result>(folder: string | null, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (folder === null || syscall === undefined) throw error;
    const reason = code === "EEXIST" || code === "ENOTDIR" ? "it is not a folder" : message;
    throw new StoreError(`The data folder ${folder} cannot be used: ${reason}.`);
  }
}
