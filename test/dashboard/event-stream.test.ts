/** The dashboard's own reader of server-sent events. */
import { expect, test } from "vitest";
import { eventsOf } from "../../src/dashboard/wire/event-stream.ts";

test("an event is read whatever signs its data has, those that end a line elsewhere too", async () => {
  const data = JSON.stringify({ description: "one\u2028two\u2029three" });
  const { body } = new Response(`id: 7\ndata: ${data}\n\n`);
  const read = [];
  for await (const event of eventsOf(body as ReadableStream<Uint8Array>)) read.push(event);
  expect(read).toEqual([{ id: "7", data }]);
});
