/** A sandbox as a test uses it: started in this process, or running already. */
import { CONTROL_TOKEN_RULE, isControlToken } from "../domain/access.ts";
import { baseAddress, notSuch, rootOf } from "../domain/web-address.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { refuseOldNode } from "../node-version.ts";
import { startServer } from "../server.ts";
import {
  ANSWER_TIMEOUT_MS,
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
import { asGiven, serverOptionsOf, warnOfUnused } from "./server-options.ts";
import type { StartOptions } from "./start-options.ts";
import { type ListOptions, WorldCalls } from "./world-calls.ts";
import { WorldClient } from "./world-client.ts";

/**
 * A sandbox and its worlds. Every method throws a {@link ControlCallError} if the call is refused, and an
 * {@link UnreachableError} if no answer comes.
 */
export class SandboxClient implements AsyncDisposable {
  /** Its base URL, or that of the world that was connected to. */
  readonly baseUrl: string;
  readonly #connection: Connection;
  /** The sandbox's root, where worlds are created, whichever world `baseUrl` belongs to. */
  readonly #root: Connection;
  readonly #stop: () => Promise<void>;
  #defaultWorld: WorldClient | undefined;

  constructor(connection: Connection, stop: () => Promise<void>) {
    this.baseUrl = connection.baseUrl;
    this.#connection = connection;
    this.#root = { ...connection, baseUrl: rootOf(connection.baseUrl) };
    this.#stop = stop;
  }

  /** The world at {@link baseUrl}: the default world, unless the address of another one was connected to. */
  async defaultWorld(): Promise<WorldClient> {
    const world = this.#client(await callControl<WorldInfo>(this.#connection, "GET", "/"), this.baseUrl);
    const before = this.#defaultWorld;
    // The same as before has its tokens already, of which there are few a minute; after a restart it may be another one.
    const isSame = before && JSON.stringify(before.credentials) === JSON.stringify(world.credentials);
    this.#defaultWorld = isSame ? before : world;
    return this.#defaultWorld;
  }

  /**
   * Creates a new world for a test. Its clock is frozen at 2026-01-01T12:00:00Z unless the options or a scenario say
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
   * Opens the world with this id, or creates it with these options if there is none: callers can share it by its name.
   * @throws {Error} if the id is not a text.
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

  /** The world with this id. @throws {ControlCallError} 404 if there is none. @throws {Error} if `id` is not a text. */
  async world(id: string): Promise<WorldClient> {
    refuseNoText("The id of world", id);
    const baseUrl = id === DEFAULT_WORLD ? this.#root.baseUrl : this.#addressOf(id);
    return this.#client(await callControl<WorldInfo>({ ...this.#root, baseUrl }, "GET", "/"), baseUrl);
  }

  /** All worlds of the sandbox. */
  worlds(options?: ListOptions): Promise<WorldSummary[]> {
    return new WorldCalls(this.#root, DEFAULT_WORLD).all("/worlds", options);
  }

  /**
   * Deletes a world with everything in it.
   * @throws {ControlCallError} 404 if there is none, 409 for the default one. @throws {Error} if the id is not a text.
   */
  async deleteWorld(id: string): Promise<void> {
    refuseNoText("The id of deleteWorld", id);
    return callControl(this.#root, "DELETE", `/worlds/${encodeURIComponent(id)}`);
  }

  /** Whether the sandbox is healthy, and its version. */
  health(): Promise<{ status: "ok"; version: string }> {
    return callControl(this.#root, "GET", "/health");
  }

  /**
   * Replays a bundle of `world.export()` in a new world.
   * @returns how the replay went, and the world, as far as the replay came.
   * @throws {ControlCallError} 422 if it is not a bundle of this version. @throws {Error} if `bundle` is not an object,
   * and for an unknown option, with the nearest known one.
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

  /** Stops what `startSandbox` started, finishing what is under way; a sandbox that was connected to keeps running. */
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
  const serverOptions = serverOptionsOf(options);
  const server = await startServer(serverOptions).catch((error) => {
    throw asGiven(error);
  });
  const { baseUrl, sandbox } = server;
  warnOfUnused(options, serverOptions, sandbox);
  let stopped: Promise<void> | undefined;
  const refuseStopped = () => {
    if (stopped !== undefined) throw new UnreachableError(`The sandbox at ${baseUrl} has been stopped.`);
  };
  const fetch: Fetch = async (url, init) => {
    refuseStopped();
    return patientFetch(url, init).catch((error) => {
      // It may have been stopped while the call was on its way.
      init?.signal?.throwIfAborted();
      refuseStopped();
      throw error;
    });
  };
  return new SandboxClient({ baseUrl, controlToken: options.controlToken, fetch }, () => {
    stopped ??= server.stop();
    return stopped;
  });
}

/**
 * Connects to a sandbox that is running already; `stop` leaves it running.
 * @param url its base URL, such as `http://127.0.0.1:4400`, or that of one of its worlds.
 * @throws {UnreachableError} if nothing answers there. @throws {ControlCallError} if the token is wrong, or something
 * other than a sandbox answers. @throws {Error} if `url` is not an address, for a token that no sandbox can demand, and
 * for an unknown option.
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
  refuseNoToken(controlToken);
  // In a program without types, `url` may be a variable that was never set.
  const baseUrl = baseAddress(String(url));
  if (baseUrl === null) {
    throw new Error(`connectSandbox takes an address such as http://127.0.0.1:4400, ${notSuch(String(url))}.`);
  }
  const connection: Connection = { baseUrl, controlToken, fetch: patientFetch };
  await refuseStrangers(connection);
  return new SandboxClient(connection, async () => {});
}

/** An empty one, as of a variable that is not set, is none. @throws {Error} without the token, which is a secret. */
function refuseNoToken(token: unknown): void {
  if (token === undefined || token === "" || (typeof token === "string" && isControlToken(token))) return;
  throw new Error(`controlToken ${CONTROL_TOKEN_RULE}.`);
}

/** Makes sure that a sandbox answers, and that it accepts this client's token. */
async function refuseStrangers(connection: Connection): Promise<void> {
  const { baseUrl, controlToken } = connection;
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const timed: Fetch = (url, init) => patientFetch(url, { ...init, signal });
  const answer = await callControl<unknown>({ ...connection, fetch: timed }, "GET", "/").catch((error) => {
    if (signal.aborted) throw new UnreachableError(`${baseUrl} does not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`);
    if (!(error instanceof ControlCallError)) throw error;
    throw reworded(error, sentenceFor(error, baseUrl, controlToken));
  });
  if (isWorldInfo(answer)) return;
  throw new ControlCallError(200, "UNKNOWN", `No sandbox answers at ${baseUrl}, but something else.`, {}, baseUrl);
}

function sentenceFor({ status, code, message }: ControlCallError, baseUrl: string, token: string | undefined): string {
  if (code === "UNAUTHORIZED") {
    const what = token === undefined ? "demands a control token" : "demands another control token";
    return `${baseUrl} ${what}; give it as { controlToken }.`;
  }
  const said = message.replace(/^GET \/: /, "").replaceAll(/\s+/g, " ");
  if (code === "UNKNOWN") return `No sandbox answers at ${baseUrl}, but something else: ${said}`;
  // The sandbox says that there is no such address or world, but not at which base URL.
  return status === 404 ? `No sandbox answers at ${baseUrl}: ${said}` : message;
}
