/** Receivers that are not at the usual address or not of the usual kind: closed, with TLS, no HTTP at all. */
import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { startReceiver } from "./receiver.ts";

/** The file of the authority that vouches for the certificates of `certificates`. */
export const authority = fileURLToPath(new URL("certificates/authority.pem", import.meta.url));

export interface OddReceiver extends AsyncDisposable {
  readonly url: string;
  /** HTTP requests that got through to it. */
  readonly requests: number;
  /** The addresses that they came from. */
  readonly sources: readonly string[];
}

/** An https receiver that answers 200, with a certificate that nobody has vouched for. */
export function startSelfSigned(): Promise<OddReceiver> {
  return startSecure("self-signed.pem");
}

/** An https receiver that answers 200, with the key and the certificate of a file in this folder. */
export async function startSecure(file: string): Promise<OddReceiver> {
  const pem = readFileSync(new URL(file, import.meta.url));
  const server = createHttpsServer({ key: pem, cert: pem }, (incoming, response) => {
    incoming.resume().on("end", () => response.writeHead(200).end("ok"));
  });
  return listening(server, "https");
}

/** An http receiver at an address of this machine; it answers with the statuses in turn, the last one for ever. */
export async function startAt(host: string, ...statuses: number[]): Promise<OddReceiver> {
  const server = createHttpServer((incoming, response) => {
    const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200;
    incoming.resume().on("end", () => response.writeHead(status).end());
  });
  return listening(server, "http", host);
}

/** A TCP server that does as it likes with what connects to it. */
export async function startRaw(onConnection: (socket: Socket) => void): Promise<OddReceiver> {
  return listening(createServer(onConnection), "http");
}

/** An address of this machine at which nothing listens. */
export async function unreachableUrl(): Promise<string> {
  await using receiver = await startReceiver();
  return receiver.url;
}

async function listening(server: Server, protocol: string, host = "127.0.0.1"): Promise<OddReceiver> {
  const sockets = new Set<Socket>();
  const sources: string[] = [];
  server.on("request", ({ socket }: IncomingMessage) => sources.push(socket.remoteAddress ?? ""));
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // A client that gives up is no concern of the receiver.
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `${protocol}://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/hook`,
    get requests() {
      return sources.length;
    },
    sources,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
