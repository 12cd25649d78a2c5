/** Calls the control interface over HTTP, and says in one clear sentence what goes wrong. */
import { certificateCodes } from "../domain/certificate-codes.ts";
import { jsonIn } from "../domain/written-json.ts";
import { wakeAfter } from "../runtime.ts";
import type { WorldInfo } from "./control-types.ts";
import type { Fetch } from "./patient-fetch.ts";
import { bodyAsJson } from "./refusals.ts";

/** The message of a refusal without the method and path in front of it. */
export function withoutCall(message: string): string {
  return message.replace(/^[A-Z]+ \S*: */, "");
}

/** Whether an answer to `GET /` comes from a sandbox: other services may answer with JSON, or with nothing, too. */
export function isWorldInfo(answer: unknown): answer is WorldInfo {
  const { world, accounts } = (answer ?? {}) as Partial<WorldInfo>;
  return typeof world === "string" && Array.isArray(accounts);
}

/** A refusal of the control interface. */
export class ControlCallError extends Error {
  override readonly name = "ControlCallError";
  /** The HTTP status of the answer. */
  readonly status: number;
  /** `NOT_FOUND`, `INVALID_REQUEST`, `INVALID_TRANSITION` …; `UNKNOWN` if something other than a sandbox answers. */
  readonly code: string;
  /** Details for programs, such as `problems` or `allowed`; an empty object if there are none. */
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

/** The body of a refusal; anything else comes from something other than a sandbox. */
type RefusalBody = { readonly error?: Partial<ControlCallError> } | null | undefined;

/** The same refusal with another message, and another code if given. */
export function reworded(error: ControlCallError, message: string, code = error.code): ControlCallError {
  return new ControlCallError(error.status, code, message, error.details, error.url);
}

/** No complete answer came: nothing listens, or the connection broke off. `cause` is the network's error, if any. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** How long whatever listens at an address may take to answer the first call, or one of a wait, in real time. */
export const ANSWER_TIMEOUT_MS = 10_000;

/** How much of a foreign answer an error shows. */
const SHOWN_CHARACTERS = 200;

/** What a control call needs besides its path. */
export interface Connection {
  /** The world's base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly controlToken?: string | undefined;
  readonly fetch: Fetch;
}

/**
 * The same connection for calls that are answered at once: one whose answer is not there whole, within 10 s, ends in an
 * {@link UnreachableError}. Of a stream, only the beginning must be.
 */
export function answeredSoon({ fetch, ...connection }: Connection): Connection {
  const { baseUrl } = connection;
  const soon: Fetch = async (url, init) => {
    const late = new AbortController();
    const tell = () =>
      late.abort(new UnreachableError(`${baseUrl} does not answer within ${ANSWER_TIMEOUT_MS / 1000} s.`));
    const stopTimer = wakeAfterAwake(ANSWER_TIMEOUT_MS, tell);
    const signal = init?.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      const response = await fetch(url, { ...init, signal });
      const isStream = response.headers.get("content-type") === "text/event-stream";
      if (isStream || response.body === null) return response;
      return new Response(await readBody(connection, response, (whole) => whole.arrayBuffer()), response);
    } catch (error) {
      late.signal.throwIfAborted();
      throw error;
    } finally {
      stopTimer();
    }
  };
  return { ...connection, fetch: soon };
}

const TICK_MS = 500;

/**
 * Calls back after a time in which this process could take in answers: one that is stopped, as at a breakpoint, passes
 * at most a tick of it. @returns a function that cancels it.
 */
function wakeAfterAwake(leftMs: number, callback: () => void): () => void {
  let stop = () => {};
  const tick = (restMs: number) => {
    if (restMs <= 0) callback();
    else stop = wakeAfter(TICK_MS, () => tick(restMs - TICK_MS));
  };
  tick(leftMs);
  return () => stop();
}

/** A body that is sent as YAML instead of JSON: the text of a scenario file. */
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
  const response = await openControl(connection, method, path, contentOf(`${method} ${path}`, body));
  const text = await readBody(connection, response, (whole) => whole.text());
  const answer = jsonIn(text);
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
 * Like {@link callControl}, for an answer that is not read as JSON: a file or a stream.
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
  const { code = "UNKNOWN", message, details = {} } = (jsonIn(text) as RefusalBody)?.error ?? {};
  const said = message ?? (text.slice(0, SHOWN_CHARACTERS) || `it answers ${response.status}.`);
  throw new ControlCallError(response.status, code, `${method} ${path}: ${said}`, details, url);
}

function urlOf({ baseUrl }: Connection, path: string): string {
  return `${baseUrl}/_sandbox${path}`;
}

/** URLs drop `.` and `..`, and cannot carry an empty id: with one of these as an id, another path would be called. */
function refuseUncarried({ baseUrl }: Connection, method: string, path: string): void {
  const [target = ""] = path.split("?");
  const parts = target === "/" ? [] : target.split("/").slice(1);
  const isEmpty = baseUrl.endsWith("/") || parts.includes("");
  const uncarried = isEmpty ? "" : [...baseUrl.split("/"), ...parts].find(isFolded);
  if (uncarried === undefined) return;
  const message = `${method} ${path}: There is nothing with the id ${JSON.stringify(uncarried)}.`;
  throw new ControlCallError(404, "NOT_FOUND", message, {}, null);
}

const isFolded = (part: string) => part === "." || part === "..";

/** Sends a request. @throws {UnreachableError} if no answer comes. @throws the signal's reason after an abort. */
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

/** Reads the body of an answer. @throws {UnreachableError} if the connection ends before the body does. */
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

function contentOf(call: string, body: unknown): RequestInit {
  if (body === undefined) return {};
  if (body instanceof YamlText) return { headers: { "Content-Type": "application/yaml" }, body: body.text };
  return { headers: { "Content-Type": "application/json" }, body: bodyAsJson(call, body) };
}

/** TABLE: codes of network errors, and what they mean to the caller. */
const networkFaults: readonly (readonly [RegExp, (url: URL) => string])[] = [
  [/^ECONNREFUSED$/, ({ origin }) => `Nothing listens at ${origin}: the sandbox has not been started, or has gone.`],
  [/^ENOTFOUND$|^EAI_AGAIN$/, ({ hostname }) => `There is no host ${hostname}.`],
  [/^ETIMEDOUT$/, ({ origin }) => `${origin} takes no connection.`],
  [certificateCodes.expired, ({ origin }) => `The certificate of ${origin} has expired.`],
  [certificateCodes.ofOtherHost, ({ origin }) => `The certificate of ${origin} is that of another host.`],
  [
    certificateCodes.any,
    ({ origin }) =>
      `The certificate of ${origin} is not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS before Node starts.`,
  ],
  [/^EPROTO$|^ERR_SSL_/, ({ host, origin }) => `${origin} speaks no https; a sandbox speaks http, at http://${host}.`],
  [/./, ({ origin }) => `The connection to ${origin} broke off.`],
];

/** `fetch` throws a TypeError for everything that goes wrong below HTTP; other errors are passed on unchanged. */
function asUnreachable(error: unknown, url: string): unknown {
  if (!(error instanceof TypeError) || error.cause === undefined) return error;
  const { code = "UNKNOWN" } = error.cause as NodeJS.ErrnoException;
  const [, sentence] = networkFaults.find(([pattern]) => pattern.test(code)) ?? [];
  return new UnreachableError(sentence?.(new URL(url)), { cause: error.cause });
}
