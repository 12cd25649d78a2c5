/** Reads request bodies up to a limit, and no further. */
import type { IncomingMessage } from "node:http";
import { DomainError } from "../domain/errors.ts";

const EMPTY = Buffer.alloc(0);

/** A body, or the fact that it is longer than allowed. */
interface ReadBody {
  readonly body: Buffer;
  readonly tooLarge: boolean;
}

const NONE: ReadBody = { body: EMPTY, tooLarge: false };

/**
 * The body, or the fact that it is longer than `limit` bytes; then no more than that is read. It is taken from the
 * connection itself: the web's own streams cost as much as all else in a call. That of a GET or HEAD is taken in as
 * well, for a connection that is closed over unread input loses the end of its answer; it is thrown away.
 * @throws {DomainError} `INVALID_REQUEST` when the caller goes away, or garbles its chunks, before the end.
 */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<ReadBody> {
  const { method, headers } = incoming;
  const isKept = method !== "GET" && method !== "HEAD";
  const length = Number(headers["content-length"] ?? 0);
  if (!isKept && length === 0 && headers["transfer-encoding"] === undefined) return NONE;
  if (length > limit) return { body: EMPTY, tooLarge: true };
  try {
    return await readToEnd(incoming, limit, isKept);
  } catch {
    throw new DomainError("INVALID_REQUEST", "The body broke off before its end.");
  }
}

function readToEnd(incoming: IncomingMessage, limit: number, isKept: boolean): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        incoming.pause().removeAllListeners("data");
        resolve({ body: EMPTY, tooLarge: true });
      } else if (isKept) chunks.push(chunk);
    });
    incoming.on("end", () => resolve({ body: whole(chunks), tooLarge: false }));
    incoming.on("error", reject);
    incoming.on("close", () => {
      if (!incoming.readableEnded) reject(new Error("The connection closed."));
    });
  });
}

/** Most bodies come in one piece. */
function whole(chunks: readonly Buffer[]): Buffer {
  const [first = EMPTY] = chunks;
  return chunks.length <= 1 ? first : Buffer.concat(chunks);
}
