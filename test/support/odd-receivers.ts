/** Receivers that a well-behaved HTTP server cannot play: closed, broken TLS, no HTTP at all. */
import { readFileSync } from "node:fs";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { startReceiver } from "./receiver.ts";

export interface OddReceiver extends AsyncDisposable {
  readonly url: string;
  /** HTTP requests that got through to it. */
  readonly requests: number;
}

/** Key and certificate of a receiver that nobody has vouched for. */
const selfSigned = readFileSync(new URL("self-signed.pem", import.meta.url));

/** An https receiver that answers 200, with a certificate of its own making. */
export async function startSelfSigned(): Promise<OddReceiver> {
  let requests = 0;
  const server = createHttpsServer({ key: selfSigned, cert: selfSigned }, (incoming, response) => {
    requests++;
    incoming.resume().on("end", () => response.writeHead(200).end("ok"));
  });
  return listening(server, "https", () => requests);
}

/** A TCP server that does as it likes with what connects to it. */
export async function startRaw(onConnection: (socket: Socket) => void): Promise<OddReceiver> {
  return listening(createServer(onConnection), "http", () => 0);
}

/** An address of this machine at which nothing listens. */
export async function unreachableUrl(): Promise<string> {
  await using receiver = await startReceiver();
  return receiver.url;
}

async function listening(server: Server, protocol: string, requests: () => number): Promise<OddReceiver> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // A client that gives up is no concern of the receiver.
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    get requests() {
      return requests();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
