/** Reads request bodies up to a limit, and no further. */
import { DomainError } from "../domain/errors.ts";

const EMPTY = Buffer.alloc(0);

/** A body, or the fact that it is longer than allowed. */
interface ReadBody {
  readonly body: Buffer;
  readonly tooLarge: boolean;
}

/**
 * The body, or the fact that it is longer than `limit` bytes; then no more than that is read.
 * @throws {DomainError} `INVALID_REQUEST` when the caller goes away, or garbles its chunks, before the end.
 */
export async function readBody(request: Request, limit: number): Promise<ReadBody> {
  try {
    return await readToEnd(request, limit);
  } catch {
    throw new DomainError("INVALID_REQUEST", "The body broke off before its end.");
  }
}

async function readToEnd(request: Request, limit: number): Promise<ReadBody> {
  if (request.method === "GET" || request.method === "HEAD") return { body: EMPTY, tooLarge: false };
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) return { body: EMPTY, tooLarge: true };
  if (declared !== null) return { body: Buffer.from(await request.arrayBuffer()), tooLarge: false };
  return request.body ? readStream(request.body, limit) : { body: EMPTY, tooLarge: false };
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) return { body: EMPTY, tooLarge: true };
    chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), tooLarge: false };
}
