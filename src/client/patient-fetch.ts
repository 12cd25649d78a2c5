/**
 * The part of `fetch` that the client needs, without its time-outs. `fetch` gives up after 300 s on an answer that has
 * not begun, or that stands still; but an advance may take longer, and a journal may be quiet for longer.
 */
import { type IncomingMessage, request as overHttp, type RequestOptions } from "node:http";
import { request as overHttps } from "node:https";
import { Readable } from "node:stream";
import { laterTurn, wakeAfter } from "../runtime.ts";

/** How long connecting may take, in real time. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Error codes of a connection that the other side has closed. */
const CLOSED = /^(ECONNRESET|EPIPE)$/;

/** Methods that change nothing: their requests may be sent again if it is unknown whether they arrived. */
const REPEATABLE: readonly unknown[] = ["GET", "HEAD"];

/** Turns of the event loop after which a close that arrived while this process was busy has been noticed. */
const UNTIL_KNOWN = 2;

/** Statuses of answers that have no body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/**
 * A part of `fetch`: the URL is a text, the whole body is sent at once, a redirect is not followed. A request with
 * `once` has a connection of its own and is never sent again: losing its answer may be the purpose of a test.
 */
export type Fetch = (url: string, init?: RequestInit & { readonly once?: boolean }) => Promise<Response>;

/** @throws {TypeError} for errors below HTTP, with the reason as `cause`. @throws the signal's reason once aborted. */
export const patientFetch: Fetch = async (url, init = {}) => {
  const content = new Response(init.body ?? null);
  const headers = new Headers(init.headers);
  const type = content.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  const body = Buffer.from(await content.arrayBuffer());
  const signal = init.signal ?? undefined;
  const options: RequestOptions = {
    method: init.method ?? "GET",
    headers: Object.fromEntries(headers),
    ...(signal ? { signal } : {}),
    ...(init.once ? { agent: false } : {}),
  };
  try {
    if (!REPEATABLE.includes(options.method)) await laterTurn(UNTIL_KNOWN);
    return responseOf(await answerTo(new URL(url), options, body));
  } catch (error) {
    signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause: error });
  }
};

function answerTo(url: URL, options: RequestOptions, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === "https:" ? overHttps : overHttp;
    const outgoing = request(url, options);
    const stopTimer = wakeAfter(CONNECT_TIMEOUT_MS, () => outgoing.destroy(new ConnectTimeout()));
    outgoing.once("socket", (socket) => (socket.connecting ? socket.once("connect", stopTimer) : stopTimer()));
    outgoing.once("close", stopTimer);
    let isAnswered = false;
    outgoing.once("response", (incoming) => {
      isAnswered = true;
      resolve(incoming);
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // The other side may close a kept connection at the very moment when it is used again.
      const wasClosed = !isAnswered && outgoing.reusedSocket && CLOSED.test(error.code ?? "");
      if (wasClosed && REPEATABLE.includes(options.method))
        answerTo(url, { ...options, agent: false }, body).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(body);
  });
}

class ConnectTimeout extends Error {
  readonly code = "ETIMEDOUT";

  constructor() {
    super(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`);
  }
}

function responseOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0 } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) {
    for (const text of value ?? []) headers.append(name, text);
  }
  if (!WITHOUT_BODY.includes(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream, { status, headers });
  incoming.resume();
  return new Response(null, { status, headers });
}
