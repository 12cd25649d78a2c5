/** What the commands that talk to a running server share: their options, and how they reach its world. */
import { type Command, Option } from "commander";
import {
  answeredSoon,
  type Connection,
  ControlCallError,
  callControl,
  isWorldInfo,
  UnreachableError,
  withoutCall,
} from "../client/control-client.ts";
import type { Page } from "../client/control-types.ts";
import { patientFetch } from "../client/patient-fetch.ts";
import { WorldClient } from "../client/world-client.ts";
import { rootOf } from "../domain/web-address.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { addressOf, urlOption } from "./address.ts";
import { controlTokenOf } from "./control-token.ts";
import { UsageError } from "./usage-error.ts";
import { CONTROL_TOKEN_VARIABLE, URL_VARIABLE } from "./variables.ts";

/** The options as commander passes them; each of these commands has its own words for `--json`. */
export interface RemoteOptions {
  readonly url: string;
  readonly world?: string;
  readonly controlToken?: string;
  readonly json?: boolean;
}

/** Gives a command `--url`, `--world` and `--control-token` (interface, section 2). */
export function addRemoteOptions(command: Command): Command {
  return command
    .addOption(urlOption("address of the running sandbox").env(URL_VARIABLE))
    .option("--world <id>", "the world (default: the one at the address)")
    .addOption(
      new Option("--control-token <token>", "the token that the sandbox requires for control calls").env(
        CONTROL_TOKEN_VARIABLE,
      ),
    );
}

/**
 * Does something with a world of a running server.
 * @throws {UsageError} exit 2 if it cannot be reached or refuses, exit 1 for an id that it does not know.
 */
export async function withWorld<Result>(
  options: RemoteOptions,
  work: (world: WorldClient) => Promise<Result>,
): Promise<Result> {
  const world = await connect(options);
  try {
    return await work(world);
  } catch (error) {
    if (error instanceof ControlCallError) throw new UsageError(sentenceOf(error), error.status === 404 ? 1 : 2);
    if (error instanceof UnreachableError) throw new UsageError(`The connection to ${world.baseUrl} broke off.`);
    throw error;
  }
}

/** @throws {UsageError} when nothing listens, no sandbox answers, the token is wrong or there is no such world. */
async function connect(options: RemoteOptions): Promise<WorldClient> {
  const address = addressOf(options.url);
  const root = options.world === undefined ? address : rootOf(address);
  const baseUrl = options.world === undefined ? root : `${root}/worlds/${encodeURIComponent(options.world)}`;
  const controlToken = controlTokenOf(options.controlToken || undefined);
  const connection: Connection = { baseUrl, controlToken, fetch: patientFetch };
  try {
    const info = await firstCall<unknown>(connection, "/");
    if (!isWorldInfo(info)) throw new UsageError(`No sandbox answers at ${root}, but something else.`);
    return new WorldClient(info, connection);
  } catch (error) {
    throw await asUsageError(error, root, options);
  }
}

function firstCall<Answer>(connection: Connection, path: string): Promise<Answer> {
  return callControl<Answer>(answeredSoon(connection), "GET", path);
}

async function asUsageError(error: unknown, root: string, options: RemoteOptions): Promise<unknown> {
  if (error instanceof UnreachableError) return new UsageError(unreachable(error, root));
  if (!(error instanceof ControlCallError)) return error;
  if (error.code === "UNAUTHORIZED") {
    const which = options.controlToken === undefined ? "a" : "another";
    return new UsageError(
      `${root} demands ${which} control token; give it with --control-token or ${CONTROL_TOKEN_VARIABLE}.`,
    );
  }
  if (error.code === "NOT_FOUND" && options.world !== undefined) return unknownWorld(root, options, options.world);
  return new UsageError(`No sandbox answers at ${root}: ${sentenceOf(error)}`);
}

function unreachable({ cause, message }: UnreachableError, root: string): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code === "ECONNREFUSED"
    ? `Nothing listens at ${root}.`
    : message;
}

async function unknownWorld(root: string, { controlToken }: RemoteOptions, id: string): Promise<UsageError> {
  const worlds = firstCall<Page<{ world: string }>>({ baseUrl: root, controlToken, fetch: patientFetch }, "/worlds");
  const known = await worlds.then(({ items }) => items.map(({ world }) => world)).catch(() => []);
  return new UsageError(sentence(`There is no world ${JSON.stringify(id)} at ${root}${didYouMean(id, known)}`));
}

/** The server's message without the call in front of it. */
export function sentenceOf({ message, status }: Pick<ControlCallError, "message" | "status">): string {
  const said = withoutCall(message).replaceAll(/\s+/g, " ");
  return said || `it answers ${status}.`;
}
