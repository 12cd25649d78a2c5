/**
 * A merchant's webhook receiver: a real HTTP server that answers as it is told and keeps what it got. A webhook that
 * the OpenAPI document does not describe fails the test when the receiver is closed.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expectWebhookValid } from "./openapi.ts";

export interface ReceivedWebhook {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
  readonly body: any;
}

type Answer = number | ((request: ReceivedWebhook, response: ServerResponse, index: number) => void | Promise<void>);

export interface Receiver extends AsyncDisposable {
  /** Its address, with the path `/hook`. */
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Connections that were opened to it so far. */
  readonly connections: number;
  /** Resolves when this many webhooks have come. */
  arrived(count: number): Promise<void>;
  /** Answers with these statuses in turn, the last one for ever; or with a function of its own. */
  answerWith(...answers: Answer[]): void;
  close(): Promise<void>;
}

/** Starts a receiver on a free port; it answers 200 until told otherwise. */
export async function startReceiver(...answers: Answer[]): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let script: Answer[] = answers.length > 0 ? answers : [200];
  let connections = 0;
  let fault: unknown;
  const waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming);
    const index = received.push(request) - 1;
    fault ??= faultOf(request);
    for (const { count, resolve } of waiting) if (received.length >= count) resolve();
    const answer = script.length > 1 ? script.shift() : script[0];
    if (typeof answer === "function") await answer(request, response, index);
    else response.writeHead(answer ?? 200).end("ok");
  });
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (fault !== undefined) throw fault;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    get connections() {
      return connections;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    answerWith: (...next) => {
      script = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Starts a receiver that answers nothing before it is released.
 * @param then what it answers after the first webhook; the same, unless given.
 */
export async function startHeld(status = 200, ...then: Answer[]): Promise<Receiver & { release(): void }> {
  const released = Promise.withResolvers<void>();
  const held: Answer = async (_request, response) => {
    await released.promise;
    response.writeHead(status).end();
  };
  return Object.assign(await startReceiver(held, ...then), { release: released.resolve });
}

function faultOf({ headers, body }: ReceivedWebhook): unknown {
  if (headers["x-webhook-event"] === undefined) return undefined;
  try {
    return expectWebhookValid(body);
  } catch (error) {
    return error;
  }
}

async function read(incoming: IncomingMessage): Promise<ReceivedWebhook> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: incoming.headers as Record<string, string>,
    text,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
