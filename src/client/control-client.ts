/** Calls of the control interface, over HTTP, and what goes wrong with them in one clear sentence each. */
import type { WorldInfo } from "./control-types.ts";
import type { Fetch } from "./patient-fetch.ts";

export type * from "./control-types.ts";
export type { WebhookInfo } from "./webhook-types.ts";

/** What a refusal says, without the call that it is about. */
export function withoutCall(message: string): string {
  return message.replace(/^[A-Z]+ \S*: */, "");
}

/** Whether an answer to `GET /` is that of a sandbox: other services answer with JSON, or with nothing, too. */
export function isWorldInfo(answer: unknown): answer is WorldInfo {
  const { world, accounts } = (answer ?? {}) as Partial<WorldInfo>;
  return typeof world === "string" && Array.isArray(accounts);
}

/** A refusal of the control interface. */
export class ControlCallError extends Error {
  override readonly name = "ControlCallError";
  /** The HTTP status of the answer. */
  readonly status: number;
  /** `NOT_FOUND`, `INVALID_REQUEST`, `INVALID_TRANSITION` …; `UNKNOWN` where no sandbox answers, but something else. */
  readonly code: string;
  /** More for programs, such as `problems` or `allowed`; an empty object where there is no more. */
  readonly details: unknown;
  /** The address that was called, which names the world; null where no call was made. */
  readonly url: string | null;

  constructor(status: number, code: string, message: string, details: unknown, url: string | null) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.url = url;
  }
}

/** The same refusal in other words. */
export function reworded(error: ControlCallError, message: string, code = error.code): ControlCallError {
  return new ControlCallError(error.status, code, message, error.details, error.url);
}

/** No answer came: nothing listens, or the connection broke off. `cause` is what the network says. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** As much of a foreign answer as an error shows. */
const SHOWN_CHARACTERS = 200;

/** What a control call needs beside its path. */
export interface Connection {
  /** The world's base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly controlToken?: string | undefined;
  readonly fetch: Fetch;
}

/** A body that is not JSON: a scenario file as it is written. */
export class YamlText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Calls `{base}/_sandbox{path}`. @throws {ControlCallError} when it is refused. @throws {UnreachableError} */
export async function callControl<Answer>(
  connection: Connection,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await openControl(connection, method, path, contentOf(body));
  const text = await readBody(connection, response, (whole) => whole.text());
  const answer = readAnswer(text);
  if (answer !== undefined || text === "") return answer as Answer;
  throw new ControlCallError(
    response.status,
    "UNKNOWN",
    `${method} ${path}: ${text.slice(0, SHOWN_CHARACTERS)}`,
    {},
    urlOf(connection, path),
  );
}

/**
 * The same for an answer that is read in another way: a file, or a stream.
 * @throws {ControlCallError} when it is refused. @throws {UnreachableError}
 */
export async function openControl(
  connection: Connection,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  refuseUncarried(connection, method, path);
  const authorization = connection.controlToken ? { Authorization: `Bearer ${connection.controlToken}` } : {};
  const headers = { ...authorization, ...(init.headers as Record<string, string> | undefined) };
  const url = urlOf(connection, path);
  const response = await send(connection, url, { ...init, method, headers });
  if (response.ok) return response;
  const text = await readBody(connection, response, (whole) => whole.text());
  const { code = "UNKNOWN", message, details = {} } = readAnswer(text)?.error ?? {};
  const said = message ?? (text.slice(0, SHOWN_CHARACTERS) || `it answers ${response.status}.`);
  throw new ControlCallError(response.status, code, `${method} ${path}: ${said}`, details, url);
}

function urlOf({ baseUrl }: Connection, path: string): string {
  return `${baseUrl}/_sandbox${path}`;
}

/** An address folds `..`, and has no place for nothing: an id like that would make another call of it. */
function refuseUncarried({ baseUrl }: Connection, method: string, path: string): void {
  const [target = ""] = path.split("?");
  const parts = target === "/" ? [] : target.split("/").slice(1);
  const uncarried = parts.find((part) => part === "") ?? [...baseUrl.split("/"), ...parts].find(isFolded);
  if (uncarried === undefined) return;
  const message = `${method} ${path}: There is nothing with the id ${JSON.stringify(uncarried)}.`;
  throw new ControlCallError(404, "NOT_FOUND", message, {}, null);
}

const isFolded = (part: string) => part === "." || part === "..";

/** Sends a request of any kind. @throws {UnreachableError} where no answer comes; the signal's reason after an abort. */
export async function send(
  { fetch }: Pick<Connection, "fetch">,
  url: string,
  init: Parameters<Fetch>[1],
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw asUnreachable(error, url);
  }
}

/** Reads the body of an answer. @throws {UnreachableError} where it does not come to its end. */
export async function readBody<Body>(
  { baseUrl }: Pick<Connection, "baseUrl">,
  response: Response,
  read: (response: Response) => Promise<Body>,
): Promise<Body> {
  try {
    return await read(response);
  } catch (error) {
    throw new UnreachableError(`The connection to ${baseUrl} broke off.`, { cause: error });
  }
}

function contentOf(body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof YamlText) return { headers: { "Content-Type": "application/yaml" }, body: body.text };
  return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** TABLE: codes of network faults, and what they mean to whoever called. */
const networkFaults: readonly (readonly [RegExp, (url: URL) => string])[] = [
  [/^ECONNREFUSED$/, ({ origin }) => `Nothing listens at ${origin}: the sandbox has not been started, or has gone.`],
  [/^ENOTFOUND$|^EAI_AGAIN$/, ({ hostname }) => `There is no host ${hostname}.`],
  [/^ETIMEDOUT$/, ({ origin }) => `${origin} takes no connection.`],
  [/^EPROTO$|^ERR_SSL_/, ({ host, origin }) => `${origin} speaks no https; a sandbox speaks http, at http://${host}.`],
  [/./, ({ origin }) => `The connection to ${origin} broke off.`],
];

/** `fetch` throws a TypeError for all that goes wrong below HTTP. */
function asUnreachable(error: unknown, url: string): unknown {
  if (!(error instanceof TypeError) || error.cause === undefined) return error;
  const { code = "UNKNOWN" } = error.cause as NodeJS.ErrnoException;
  const [, sentence] = networkFaults.find(([pattern]) => pattern.test(code)) ?? [];
  return new UnreachableError(sentence?.(new URL(url)), { cause: error.cause });
}

/** Undefined for what is no JSON: something else than a sandbox answers there. */
function readAnswer(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
