/** Reads request bodies up to a limit, and no further. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { DomainError } from "../domain/errors.ts";
import { nextTurn, wakeAfter } from "../runtime.ts";
import { MAX_REPLY_BYTES, REPLY_PATH } from "./reply-form.ts";

const EMPTY = Buffer.alloc(0);

const MAX_BODY_BYTES = 1024 * 1024;

/** The media type that headers tell of a body, in lower case and without parameters; empty where they tell none. */
export function mediaTypeOf(headers: IncomingMessage["headers"]): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** So many bytes the body of a call may have (`D21`). */
export function largestBodyOf(path: string): number {
  return path === REPLY_PATH ? MAX_REPLY_BYTES : MAX_BODY_BYTES;
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

/** What came last on a connection, until its body has been given. */
const readings = new WeakMap<Socket, Reading>();

/**
 * The body, or the fact that it is longer than `limit` bytes; then no more than that is read. It is taken from the
 * connection itself: the web's own streams cost as much as all else in a call. That of a GET or HEAD is taken in as
 * well, for a connection that is closed over unread input loses the end of its answer; it is thrown away. Calls that
 * came behind one another on a connection have theirs in that order, so that none overtakes one that has a body.
 * @param inCompany whether others are under way: then all that come in this turn of the event loop are read first and
 * carried out one right after another. What the processor has at hand from one serves the next: it saves a tenth of each.
 * @throws {DomainError} `INVALID_REQUEST` when the caller goes away, or garbles its chunks, before the end.
 */
export function readBody(incoming: IncomingMessage, limit: number, inCompany = false): Promise<ReadBody> {
  const { socket } = incoming;
  const earlier = readings.get(socket);
  if (!earlier && !inCompany && !mayHaveBody(incoming)) return NOTHING;
  const own = takeIn(incoming, limit);
  // Those that wait for the next turn have one and the same, in the order in which they are read.
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

/** Those that wait for the next turn: one waking serves them all. */
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

/** Whether its body, if there is one, is of use to anybody. */
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

/** So long somebody may go on writing whom nobody listens to any more. */
const LINGER_MS = 10_000;

/**
 * Has a connection that is closed behind the answer end on our side alone, until the other side has ended it too: many a
 * caller writes all of its body before it reads, and closed over unread input its connection would lose the answer.
 */
function tooLarge({ socket }: IncomingMessage): ReadBody {
  socket.destroySoon = () => {
    socket.end();
    wakeAfter(LINGER_MS, () => socket.destroy());
  };
  return { body: EMPTY, tooLarge: true };
}

/** Most bodies come in one piece. */
function whole(chunks: readonly Buffer[]): Buffer {
  const [first = EMPTY] = chunks;
  return chunks.length <= 1 ? first : Buffer.concat(chunks);
}
