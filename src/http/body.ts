/** Reads request bodies up to a limit, and no further. */
import type { IncomingMessage } from "node:http";
import { DomainError } from "../domain/errors.ts";

const EMPTY = Buffer.alloc(0);

/** A body, or the fact that it is longer than allowed. */
interface ReadBody {
  readonly body: Buffer;
  readonly tooLarge: boolean;
}

/**
 * The body, or the fact that it is longer than `limit` bytes; then no more than that is read. It is taken from the
 * connection itself: the web's own streams cost as much as all else in a call.
 * @throws {DomainError} `INVALID_REQUEST` when the caller goes away, or garbles its chunks, before the end.
 */
export async function readBody(incoming: IncomingMessage, limit: number): Promise<ReadBody> {
  const { method, headers } = incoming;
  if (method === "GET" || method === "HEAD") return { body: EMPTY, tooLarge: false };
  if (Number(headers["content-length"] ?? 0) > limit) return { body: EMPTY, tooLarge: true };
  try {
    return await readToEnd(incoming, limit);
  } catch {
    throw new DomainError("INVALID_REQUEST", "The body broke off before its end.");
  }
}

function readToEnd(incoming: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    incoming.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        incoming.pause().removeAllListeners("data");
        resolve({ body: EMPTY, tooLarge: true });
      }
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
