/**
 * A reader of server-sent events, as a browser's `EventSource` is one: those of the client and the dashboard leave out
 * the name of an event, which tests look at.
 */

interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data freely.
  readonly data: any;
}

interface EventStream extends AsyncDisposable {
  readonly status: number;
  readonly contentType: string | null;
  /** The next events, as they come. */
  take(count: number): Promise<StreamedEvent[]>;
  /** Resolves when the server ends the stream, with what came until then. */
  rest(): Promise<StreamedEvent[]>;
}

/** Opens `{base}/_sandbox{path}`; resolves as soon as the server has accepted. */
export async function openStream(
  { baseUrl }: { readonly baseUrl: string },
  path = "/journal/stream",
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const connection = new AbortController();
  const response = await fetch(`${baseUrl}/_sandbox${path}`, { headers, signal: connection.signal });
  const events = eventsOf(response.body ?? new ReadableStream<Uint8Array>());
  const take = async (count: number) => {
    const taken: StreamedEvent[] = [];
    while (taken.length < count) {
      const next = await events.next();
      if (next.done) break;
      taken.push(next.value);
    }
    return taken;
  };
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    take,
    rest: () => take(Number.POSITIVE_INFINITY),
    async [Symbol.asyncDispose]() {
      connection.abort();
    },
  };
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parse(block);
      if (event) yield event;
    }
  }
}

/** An event, undefined for a comment that only keeps the connection open. */
function parse(block: string): StreamedEvent | undefined {
  const lines = block.split("\n").map((line) => line.split(/: ?(.*)/s));
  const field = (name: string) =>
    lines
      .filter(([key]) => key === name)
      .map(([, value = ""]) => value)
      .join("\n");
  const data = field("data");
  return data === "" ? undefined : { id: field("id"), event: field("event"), data: JSON.parse(data) };
}
