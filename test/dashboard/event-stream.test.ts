/** The readers of the journal's stream: the dashboard's and the client's. */
import { expect, test } from "vitest";
import { blocksOf as blocksOfClient } from "../../src/client/event-stream.ts";
import { blocksOf } from "../../src/dashboard/wire/event-stream.ts";
import { IS_OVER, PULSE, type StreamBlock } from "../../src/domain/journal-stream.ts";

const readers = { dashboard: blocksOf, client: blocksOfClient };

test.each(Object.entries(readers))(
  "the %s reads comments, and data with any signs, wherever they are cut",
  async (_, blocksOfIt) => {
    const data = JSON.stringify({ description: "one\u2028two\u2029three" });
    const read: StreamBlock[] = [];
    for await (const block of blocksOfIt(byteByByte(`id: 7\ndata: ${data}\n\n${PULSE}${IS_OVER}\n\nid: 8\nda`)))
      read.push(block);
    expect(read).toEqual([
      { data, comment: null },
      { data: null, comment: ":" },
      { data: null, comment: IS_OVER },
    ]);
  },
);

function byteByByte(text: string): ReadableStream<Uint8Array> {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  for (const byte of new TextEncoder().encode(text)) void writer.write(Uint8Array.of(byte));
  void writer.close();
  return stream.readable;
}
