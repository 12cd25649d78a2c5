/** Reads request bodies up to a limit, and no further. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "../domain/errors.ts";
import { nextTurn, wakeAfter } from "../runtime.ts";
import { hasForm, MAX_REPLY_BYTES } from "./reply-form.ts";

const EMPTY = Buffer.alloc(0);

const MAX_BODY_BYTES = 1024 * 1024;

/** The media type that headers declare, in lower case and without parameters; empty if they declare none. */
export function mediaTypeOf(headers: IncomingMessage["headers"]): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The media type of a form without files. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** The fields of a form without files; of a name that is given twice, the last. */
export function formFields(body: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body));
}

/** More than any token request has: reading half a million takes seconds. */
const MAX_FIELDS = 1_000;

/** Reads a form without files. @throws {DomainError} `INVALID_REQUEST` when it has too many fields (`D20`). */
export function parseForm(body: string): Record<string, string> {
  if (body.split("&", MAX_FIELDS + 1).length <= MAX_FIELDS) return formFields(body);
  throw new DomainError("INVALID_REQUEST", `The body must be a form of at most ${MAX_FIELDS} fields.`);
}

/** Most bytes that the body of a call may have (`D21`). */
export function largestBodyOf(path: string): number {
  return hasForm(path) ? MAX_REPLY_BYTES : MAX_BODY_BYTES;
}

/** A body, or the fact that it is longer than allowed. */
interface ReadBody {
  readonly body: Buffer;
  readonly tooLarge: boolean;
}

const NONE: ReadBody = { body: EMPTY, tooLarge: false };
const NOTHING: Promise<ReadBody> = Promise.resolve(NONE);

/** The body of a call while it is being read, and while the call waits for its turn. */
interface Reading {
  readonly read: Promise<ReadBody>;
  readonly given: Promise<ReadBody>;
}

/** The last call of each connection, until its body has been given. */
const readings = new WeakMap<Socket, Reading>();

/**
 * Reads a body of up to `limit` bytes; of a longer one no more than that is read, and only the fact is given. It is
 * read from the connection itself: web streams cost as much as everything else in a call. The body of a GET or HEAD is
 * read and thrown away, because a connection that is closed over unread input loses the end of its answer. Calls
 * pipelined on a connection get their bodies in order, so that none overtakes an earlier one with a body.
 * @param inCompany whether other calls are under way. If so, all calls that come in this turn of the event loop are
 * read first, then carried out one right after another: what one leaves in the processor's caches serves the next,
 * which saves a tenth of each.
 * @throws {DomainError} `INVALID_REQUEST` when the caller goes away, or garbles its chunks, before the end.
 */
export function readBody(incoming: IncomingMessage, limit: number, inCompany = false): Promise<ReadBody> {
  const { socket } = incoming;
  const earlier = readings.get(socket);
  if (!earlier && !inCompany && !mayHaveBody(incoming)) return NOTHING;
  const own = takeIn(incoming, limit);
  // All bodies that wait for the next turn are given in the same one, in the order in which they were read.
  const before = inCompany ? earlier?.read : earlier?.given;
  const read = before ? Promise.allSettled([before, own]).then(() => own) : own;
  const given = inCompany ? read.then(inNextTurn) : read;
  readings.set(socket, { read, given });
  const forget = () => {
    if (readings.get(socket)?.given === given) readings.delete(socket);
  };
  given.then(forget, forget);
  return given;
}

/** Bodies that wait for the next turn of the event loop; one callback gives them all. */
let waiting: (() => void)[] = [];

function inNextTurn(read: ReadBody): Promise<ReadBody> {
  return new Promise((resolve) => {
    if (waiting.push(() => resolve(read)) === 1) nextTurn(giveAll);
  });
}

function giveAll(): void {
  const given = waiting;
  waiting = [];
  for (const give of given) give();
}

/** Whether its body is kept: nothing uses that of a GET or HEAD. */
function isKept({ method }: IncomingMessage): boolean {
  return method !== "GET" && method !== "HEAD";
}

function mayHaveBody(incoming: IncomingMessage): boolean {
  const { headers } = incoming;
  return isKept(incoming) || lengthOf(incoming) > 0 || headers["transfer-encoding"] !== undefined;
}

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

function takeIn(incoming: IncomingMessage, limit: number): Promise<ReadBody> {
  if (!mayHaveBody(incoming)) return NOTHING;
  if (lengthOf(incoming) > limit) return Promise.resolve(tooLarge(incoming));
  return readToEnd(incoming, limit);
}

function readToEnd(incoming: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const breakOff = () => reject(new DomainError("INVALID_REQUEST", "The body broke off before its end."));
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        incoming.pause().removeAllListeners("data");
        resolve(tooLarge(incoming));
      } else if (isKept(incoming)) chunks.push(chunk);
    });
    incoming.on("end", () => resolve({ body: whole(chunks), tooLarge: false }));
    incoming.on("error", breakOff);
    incoming.on("close", () => {
      if (!incoming.readableEnded) breakOff();
    });
  });
}

/** How long a caller may go on writing a body that is no longer read. */
const LINGER_MS = 10_000;

/**
 * Half-closes a connection that is to be closed after the answer, and leaves the other half to the caller for {@link
 * LINGER_MS}: many callers write their whole body before they read, and a connection closed over unread input would
 * lose the answer.
 */
function tooLarge({ socket }: IncomingMessage): ReadBody {
  socket.destroySoon = () => {
    socket.end();
    wakeAfter(LINGER_MS, () => socket.destroy());
  };
  return { body: EMPTY, tooLarge: true };
}

/** Most bodies come in one piece, which needs no copy. */
function whole(chunks: readonly Buffer[]): Buffer {
  const [first = EMPTY] = chunks;
  return chunks.length <= 1 ? first : Buffer.concat(chunks);
}
