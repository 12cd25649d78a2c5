/** A reader of server-sent events that can send headers, which the browser's own cannot. */

/** One event: its data as it came. */
export interface StreamedEvent {
  readonly id: string;
  readonly data: string;
}

/** Yields the events of a stream until it ends. @param onComment is given the comments between them. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  onComment: (text: string) => void = () => {},
): AsyncGenerator<StreamedEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        for (const comment of commentsOf(block)) onComment(comment);
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function commentsOf(block: string): string[] {
  return block.split(/\r?\n/).filter((line) => line.startsWith(":"));
}

/** Splits at line feeds alone: JSON may contain other characters that count as line ends. */
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
