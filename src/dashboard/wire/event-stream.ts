/** A reader of the journal's stream: the browser's own for server-sent events cannot send headers. */
import { readBlocks, type StreamBlock } from "../../domain/journal-stream.ts";

/** Yields the blocks of a stream until it ends. */
export async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamBlock, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const read = readBlocks(rest + value);
      rest = read.rest;
      yield* read.blocks;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
