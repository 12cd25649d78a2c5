/** Reads request bodies up to a limit, and no further. */

const EMPTY = Buffer.alloc(0);

/** The body, or the fact that it is longer than `limit` bytes; then no more than that is read. */
export async function readBody(request: Request, limit: number): Promise<{ body: Buffer; tooLarge: boolean }> {
  if (request.method === "GET" || request.method === "HEAD") return { body: EMPTY, tooLarge: false };
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) return { body: EMPTY, tooLarge: true };
  if (declared !== null) return { body: Buffer.from(await request.arrayBuffer()), tooLarge: false };
  return request.body ? readStream(request.body, limit) : { body: EMPTY, tooLarge: false };
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) return { body: EMPTY, tooLarge: true };
    chunks.push(chunk);
  }
  return { body: Buffer.concat(chunks), tooLarge: false };
}
