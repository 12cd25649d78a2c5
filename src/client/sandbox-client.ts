/** A sandbox from a test: started in process, or one that runs already. */
import type { Settings } from "../domain/settings.ts";
import { CreationError, readSettings, type WorldSpec } from "../host/creation.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { shippedOrInline } from "../host/scenario-sources.ts";
import { startServer } from "../server.ts";
import { parseInstant } from "../world/instants.ts";
import {
  type BundleInfo,
  callControl,
  type Connection,
  type ReplayInfo,
  type WorldInfo,
  type WorldOptions,
} from "./control-client.ts";
import { WorldClient } from "./world-client.ts";

/** How a sandbox in process is started; all have defaults. */
export interface StartOptions {
  readonly port?: number;
  readonly host?: string;
  /** Keeps the worlds in files of this folder. */
  readonly data?: string;
  readonly seed?: number;
  readonly start?: string;
  readonly settings?: Readonly<Partial<Settings>>;
  readonly scenarios?: readonly (string | Record<string, unknown>)[];
  readonly postbackUrl?: string;
  readonly webhookTimeoutMs?: number;
  /** The address of this machine that webhooks over IPv4 come from; the machine chooses by default. */
  readonly webhookSourceIpv4?: string;
  /** The same over IPv6. */
  readonly webhookSourceIpv6?: string;
  readonly webhookConcurrency?: number;
  readonly controlToken?: string;
  readonly trustProxy?: boolean;
}

const DEFAULT_START = "2026-01-01T12:00:00.000Z";

/** A sandbox and its default world. */
export class SandboxClient implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #connection: Connection;
  readonly #stop: () => Promise<void>;
  #defaultWorld: WorldClient | undefined;

  constructor(connection: Connection, stop: () => Promise<void>) {
    this.baseUrl = connection.baseUrl;
    this.#connection = connection;
    this.#stop = stop;
  }

  /** The world at the address itself: the one at the root, unless that of another was connected to. */
  async defaultWorld(): Promise<WorldClient> {
    this.#defaultWorld ??= this.#client(await callControl<WorldInfo>(this.#connection, "GET", "/"), this.baseUrl);
    return this.#defaultWorld;
  }

  /** Makes a world of its own for a test. */
  async createWorld(options: WorldOptions = {}): Promise<WorldClient> {
    const info = await callControl<WorldInfo>(this.#connection, "POST", "/worlds", options);
    return this.#client(info, `${this.baseUrl}/worlds/${info.world}`);
  }

  /** The world of this id; made with these options where there is none yet. */
  async openWorld(id: string, options: Omit<WorldOptions, "id"> = {}): Promise<WorldClient> {
    const baseUrl = `${this.baseUrl}/worlds/${encodeURIComponent(id)}`;
    return this.#client(await callControl<WorldInfo>({ ...this.#connection, baseUrl }, "PUT", "", options), baseUrl);
  }

  /**
   * Plays a bundle again: a world as far as it came, and how that went.
   * @throws {ControlCallError} 422 for what is no bundle of this version.
   */
  async replay(bundle: BundleInfo, { id }: { id?: string } = {}): Promise<ReplayInfo & { world: WorldClient }> {
    const body = id === undefined ? { replay: bundle } : { id, replay: bundle };
    const info = await callControl<WorldInfo & { replay: ReplayInfo }>(this.#connection, "POST", "/worlds", body);
    return { ...info.replay, world: this.#client(info, `${this.baseUrl}/worlds/${info.world}`) };
  }

  /** Stops what was started; a sandbox that ran before goes on. */
  stop = () => this.#stop();

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  #client(info: WorldInfo, baseUrl: string): WorldClient {
    const remove = () => callControl<void>(this.#connection, "DELETE", `/worlds/${info.world}`);
    return new WorldClient(info, { ...this.#connection, baseUrl }, remove);
  }
}

/** Starts a sandbox in this process: free port, in memory, frozen clock, unless the options say otherwise. */
export async function startSandbox(options: StartOptions = {}): Promise<SandboxClient> {
  const server = await startServer({
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    dataFolder: options.data ?? null,
    webhookTimeoutMs: options.webhookTimeoutMs ?? 10_000,
    webhookSources: { ipv4: options.webhookSourceIpv4 ?? null, ipv6: options.webhookSourceIpv6 ?? null },
    webhookConcurrency: options.webhookConcurrency ?? 1,
    controlToken: options.controlToken ?? null,
    trustProxy: options.trustProxy ?? false,
    defaultWorld: specOf(options),
    onFault: (error) => process.stderr.write(`payments-sandbox: a fault of the sandbox, please report it: ${error}\n`),
  });
  return new SandboxClient({ baseUrl: server.baseUrl, controlToken: options.controlToken, fetch }, () => server.stop());
}

/** The same over a sandbox that runs already. */
export async function connectSandbox(
  url: string,
  { controlToken }: { controlToken?: string } = {},
): Promise<SandboxClient> {
  const connection = { baseUrl: url.replace(/\/$/, ""), controlToken, fetch };
  await callControl(connection, "GET", "/");
  return new SandboxClient(connection, async () => {});
}

function specOf(options: StartOptions): WorldSpec {
  return {
    id: DEFAULT_WORLD,
    seed: options.seed ?? 1,
    clock: { mode: "frozen", speed: 1, start: startOf(options.start ?? DEFAULT_START) },
    settings: readSettings(options.settings),
    scenarios: (options.scenarios ?? ["happy-path", "magic-values"]).map(shippedOrInline),
    accounts: null,
    postback_url: options.postbackUrl ?? null,
  };
}

/** @throws {CreationError} when the text is no instant with a zone. */
function startOf(text: string): number {
  const instant = parseInstant(text);
  if (instant !== null) return instant;
  throw new CreationError(`start must be an ISO 8601 instant with a zone such as ${DEFAULT_START}, not "${text}".`);
}
