/** Reads server-sent events. */

/** One event; several lines of data are one text. */
export interface StreamedEvent {
  readonly id: string | null;
  readonly data: string;
}

/** The events of a response as they come, until it ends. @returns the last comment, null if there was none. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, string | null> {
  const decoder = new TextDecoder();
  let rest = "";
  let comment: string | null = null;
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = eventIn(block);
      if (event) yield event;
      else if (block.startsWith(":")) comment = block;
    }
  }
  return comment;
}

/** Splits at line feeds alone: JSON may contain other characters that count as line ends. */
function eventIn(block: string): StreamedEvent | null {
  const fields = block.split("\n").map((line) => /^([a-z]+): ?(.*)$/s.exec(line) ?? []);
  const valuesOf = (name: string) => fields.filter(([, field]) => field === name).map(([, , value = ""]) => value);
  const data = valuesOf("data");
  return data.length === 0 ? null : { id: valuesOf("id").at(-1) ?? null, data: data.join("\n") };
}
