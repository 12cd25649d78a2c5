/** A sandbox from a test: started in process, or one that runs already. */
import { baseAddress, notSuch, rootOf } from "../domain/web-address.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { refuseOldNode } from "../node-version.ts";
import { startServer } from "../server.ts";
import {
  type Connection,
  ControlCallError,
  callControl,
  isWorldInfo,
  reworded,
  UnreachableError,
} from "./control-client.ts";
import type { WorldOptions } from "./control-requests.ts";
import type { BundleInfo, ReplayInfo, WorldInfo, WorldSummary } from "./control-types.ts";
import { type Fetch, patientFetch } from "./patient-fetch.ts";
import { refuseNoObject, refuseNoText, refuseWrongOptions } from "./refusals.ts";
import { asGiven, serverOptionsOf } from "./server-options.ts";
import type { StartOptions } from "./start-options.ts";
import { type ListOptions, WorldCalls } from "./world-calls.ts";
import { WorldClient } from "./world-client.ts";

/** In which what listens at an address must answer the first call, in real time. */
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * A sandbox and its worlds. Every method throws a {@link ControlCallError} where the call is refused, and an
 * {@link UnreachableError} where no answer comes.
 */
export class SandboxClient implements AsyncDisposable {
  /** Its address, or that of the world that was connected to. */
  readonly baseUrl: string;
  readonly #connection: Connection;
  /** Where worlds are made, whichever world the address is of. */
  readonly #root: Connection;
  readonly #stop: () => Promise<void>;
  #defaultWorld: WorldClient | undefined;

  constructor(connection: Connection, stop: () => Promise<void>) {
    this.baseUrl = connection.baseUrl;
    this.#connection = connection;
    this.#root = { ...connection, baseUrl: rootOf(connection.baseUrl) };
    this.#stop = stop;
  }

  /** The world at the address itself: the one at the root, unless that of another was connected to. */
  async defaultWorld(): Promise<WorldClient> {
    this.#defaultWorld ??= this.#client(await callControl<WorldInfo>(this.#connection, "GET", "/"), this.baseUrl);
    return this.#defaultWorld;
  }

  /**
   * Makes a world of its own for a test: its clock stands still at 2026-01-01T12:00:00Z unless the options say
   * otherwise.
   * @throws {ControlCallError} says what is wrong with the options.
   * @example
   * ```ts
   * await using world = await sandbox.createWorld({ scenarios: ["chargeback-lost"], postback_url: shop.hookUrl });
   * ```
   */
  async createWorld(options: WorldOptions = {}): Promise<WorldClient> {
    const info = await callControl<WorldInfo>(this.#root, "POST", "/worlds", options);
    return this.#client(info, this.#addressOf(info.world));
  }

  /**
   * The world of this id; made with these options where there is none yet, so that those who share a name share it.
   * @throws {Error} for an id that is no text.
   * @example
   * ```ts
   * const world = await sandbox.openWorld(`worker-${process.env.VITEST_POOL_ID}`);
   * beforeEach(() => world.reset());
   * ```
   */
  async openWorld(id: string, options: Omit<WorldOptions, "id"> = {}): Promise<WorldClient> {
    refuseNoText("The id of openWorld", id);
    const baseUrl = this.#addressOf(id);
    return this.#client(await callControl<WorldInfo>({ ...this.#root, baseUrl }, "PUT", "/", options), baseUrl);
  }

  /** The world of this id. @throws {ControlCallError} 404 where there is none. @throws {Error} for what is no text. */
  async world(id: string): Promise<WorldClient> {
    refuseNoText("The id of world", id);
    const baseUrl = id === DEFAULT_WORLD ? this.#root.baseUrl : this.#addressOf(id);
    return this.#client(await callControl<WorldInfo>({ ...this.#root, baseUrl }, "GET", "/"), baseUrl);
  }

  /** The worlds that there are. */
  worlds(options?: ListOptions): Promise<WorldSummary[]> {
    return new WorldCalls(this.#root, DEFAULT_WORLD).all("/worlds", options);
  }

  /**
   * Deletes a world with all that it holds.
   * @throws {ControlCallError} 404, or 409 for the default one. @throws {Error} for an id that is no text.
   */
  async deleteWorld(id: string): Promise<void> {
    refuseNoText("The id of deleteWorld", id);
    return callControl(this.#root, "DELETE", `/worlds/${encodeURIComponent(id)}`);
  }

  /** Whether the sandbox is well, and which version it is. */
  health(): Promise<{ status: "ok"; version: string }> {
    return callControl(this.#root, "GET", "/health");
  }

  /**
   * Plays a bundle again: a world as far as it came, and how that went.
   * @throws {ControlCallError} 422 for what is no bundle of this version. @throws {Error} for what is no object, and for
   * an option that there is not, with the nearest.
   */
  async replay(
    bundle: BundleInfo,
    options: { readonly id?: string | undefined } = {},
  ): Promise<ReplayInfo & { world: WorldClient }> {
    refuseNoObject("What replay takes", bundle, "world.export() gives");
    refuseWrongOptions("replay", options, ["id"]);
    const { id } = options;
    const body = id === undefined ? { replay: bundle } : { id, replay: bundle };
    const info = await callControl<WorldInfo & { replay: ReplayInfo }>(this.#root, "POST", "/worlds", body);
    return { ...info.replay, world: this.#client(info, this.#addressOf(info.world)) };
  }

  /** Stops what was started, finishing what is under way; a sandbox that ran before goes on. */
  stop = () => this.#stop();

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  #addressOf(id: string): string {
    return `${this.#root.baseUrl}/worlds/${encodeURIComponent(id)}`;
  }

  #client(info: WorldInfo, baseUrl: string): WorldClient {
    return new WorldClient(info, { ...this.#connection, baseUrl });
  }
}

/**
 * Starts a sandbox in this process: free port, in memory, frozen clock, unless the options say otherwise.
 * @throws {Error} says what is wrong with an option, or why the port cannot be listened on.
 * @example
 * ```ts
 * await using sandbox = await startSandbox();
 * const world = await sandbox.createWorld();
 * ```
 */
export async function startSandbox(options: StartOptions = {}): Promise<SandboxClient> {
  refuseOldNode();
  const server = await startServer(serverOptionsOf(options)).catch((error) => {
    throw asGiven(error);
  });
  const { baseUrl } = server;
  let stopped: Promise<void> | undefined;
  const fetch: Fetch = (url, init) => {
    if (stopped === undefined) return patientFetch(url, init);
    return Promise.reject(new UnreachableError(`The sandbox at ${baseUrl} has been stopped.`));
  };
  return new SandboxClient({ baseUrl, controlToken: options.controlToken, fetch }, () => {
    stopped ??= server.stop();
    return stopped;
  });
}

/**
 * The same over a sandbox that runs already; `stop` leaves it running.
 * @param url its base URL, such as `http://127.0.0.1:4400`, or that of one of its worlds.
 * @throws {UnreachableError} when nothing listens there. @throws {ControlCallError} when the token is wrong, or
 * something else answers there. @throws {Error} for what is no address, and for an option that there is not.
 * @example
 * ```ts
 * const sandbox = await connectSandbox(process.env.SANDBOX_URL ?? "http://127.0.0.1:4400");
 * ```
 */
export async function connectSandbox(
  url: string,
  options: { readonly controlToken?: string | undefined } = {},
): Promise<SandboxClient> {
  refuseWrongOptions("connectSandbox", options, ["controlToken"]);
  const { controlToken } = options;
  // A variable that was never set, in a program without types.
  const baseUrl = baseAddress(String(url));
  if (baseUrl === null) {
    throw new Error(`connectSandbox takes an address such as http://127.0.0.1:4400, ${notSuch(String(url))}.`);
  }
  const connection: Connection = { baseUrl, controlToken, fetch: patientFetch };
  await refuseStrangers(connection);
  return new SandboxClient(connection, async () => {});
}

/** Makes sure that a sandbox answers, and lets this client in. */
async function refuseStrangers(connection: Connection): Promise<void> {
  const { baseUrl, controlToken } = connection;
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const timed: Fetch = (url, init) => patientFetch(url, { ...init, signal });
  try {
    if (isWorldInfo(await callControl<unknown>({ ...connection, fetch: timed }, "GET", "/"))) return;
    throw new ControlCallError(200, "UNKNOWN", `No sandbox answers at ${baseUrl}, but something else.`, {}, baseUrl);
  } catch (error) {
    if (signal.aborted) throw new UnreachableError(`${baseUrl} does not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`);
    if (!(error instanceof ControlCallError)) throw error;
    throw reworded(error, sentenceFor(error, baseUrl, controlToken));
  }
}

function sentenceFor({ status, code, message }: ControlCallError, baseUrl: string, token: string | undefined): string {
  if (status === 401) {
    const what = token === undefined ? "demands a control token" : "demands another control token";
    return `${baseUrl} ${what}; give it as { controlToken }.`;
  }
  if (message.startsWith("No sandbox")) return message;
  const said = message.replace(/^GET \/: /, "").replaceAll(/\s+/g, " ");
  if (code === "UNKNOWN") return `No sandbox answers at ${baseUrl}, but something else: ${said}`;
  // A sandbox says itself that there is no such address or world in it, but not which one was asked for.
  return status === 404 ? `No sandbox answers at ${baseUrl}: ${said}` : message;
}
