/** Reads the stream of a journal. */
import { readBlocks, type StreamBlock } from "../domain/journal-stream.ts";

/** How long to wait before another stream is opened, in real time: a proxy may end each one as soon as it is open. */
export const RESUME_MS = 100;

/** The blocks of a response as they come, until it ends. */
export async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamBlock, void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const read = readBlocks(rest + decoder.decode(chunk, { stream: true }));
    rest = read.rest;
    yield* read.blocks;
  }
}
