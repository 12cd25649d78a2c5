/** A reader of server-sent events that can send headers, which the browser's own cannot. */

/** One event: its data as it came. */
export interface StreamedEvent {
  readonly id: string;
  readonly data: string;
}

/** Yields the events of a stream until it ends. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** JSON may hold other signs that end a line of text. */
function eventOf(block: string): StreamedEvent | null {
  let id = "";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") id = value;
    if (field === "data") data.push(value);
  }
  return data.length > 0 ? { id, data: data.join("\n") } : null;
}
