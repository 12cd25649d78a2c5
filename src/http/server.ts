/** The listening socket. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { canonicalAddress } from "../domain/caller-addresses.ts";
import { serverAddress, withPort } from "../domain/web-address.ts";
import { wakeAfter } from "../runtime.ts";
import { CallsUnderWay } from "./calls-under-way.ts";
import { ListenError } from "./listen-error.ts";
import { answerUnaddressed, refuseUnreadable } from "./unreadable.ts";

/** A server that listens. */
interface Listening {
  /** `http://127.0.0.1:4400`. */
  readonly baseUrl: string;
  /** Takes no new connections and lets calls that have arrived end; live streams are not waited for. */
  drain(): Promise<void>;
  /** Carries out no further call, even on an open connection. */
  refuse(): void;
  /** Ends every connection that is left. */
  close(): Promise<void>;
}

/** What a caller may use of the process; times are in real time. */
export interface ConnectionLimits {
  /** All headers of a request together; 431 beyond that. */
  readonly maxHeaderBytes: number;
  /** Time within which a caller must have sent all headers; then 408. */
  readonly headersTimeoutMs: number;
  /** Time within which it must have sent its body too; then 408. The wait for the answer does not count. */
  readonly requestTimeoutMs: number;
  /** How long a connection without a call is kept; told in `Keep-Alive`. */
  readonly keepAliveMs: number;
  /** How often callers that take too long are looked for. */
  readonly checkEveryMs: number;
  /** Connections at a time; further ones are closed at once. */
  readonly maxConnections: number;
}

/**
 * TABLE: the limits of a sandbox. The time suffices for a bundle of 400 MiB from a disk or over a slow network.
 * Connections are kept longer than proxies and client pools keep them, which is a minute or two: a caller that sends on
 * a connection while it is being closed gets ECONNRESET, or 502, for a call that nobody has seen.
 */
const LIMITS: ConnectionLimits = {
  maxHeaderBytes: 16 * 1024,
  headersTimeoutMs: 30_000,
  requestTimeoutMs: 300_000,
  keepAliveMs: 300_000,
  checkEveryMs: 30_000,
  maxConnections: 4_096,
};

/** Where to listen; port 0 takes a free one. */
interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Told of every connection that is opened. */
  readonly onConnection: (socket: Socket) => void;
  /** Told of errors while it listens. */
  readonly onFault: (error: unknown) => void;
  /** Limits that differ from those of a sandbox. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** What gives the answers to calls. */
export type Answering = Hono["fetch"];

/**
 * Listens.
 * @param answer is called for no call before a later turn of the event loop.
 * @throws {ListenError}
 */
export function listen(
  answer: Answering,
  { host, port, onConnection, onFault, limits = {} }: ListenOptions,
): Promise<Listening> {
  const applied = { ...LIMITS, ...limits };
  const options = {
    maxHeaderSize: applied.maxHeaderBytes,
    headersTimeout: applied.headersTimeoutMs,
    requestTimeout: applied.requestTimeoutMs,
    keepAliveTimeout: applied.keepAliveMs,
    connectionsCheckingInterval: applied.checkEveryMs,
    // Node's own refusal of a request without Host has no body, and none of the headers that every answer has.
    requireHostHeader: false,
  };
  const calls = new CallsUnderWay();
  const serve = getRequestListener(answer, { overrideGlobalObjects: false, errorHandler: answerUnaddressed });
  const server = createServer(options, (request, response) => {
    nameHost(request);
    if (calls.begin(request, response)) void serve(request, response);
  });
  server.maxConnections = applied.maxConnections;
  server.on("connection", (socket) => {
    learnAddress(socket);
    onConnection(socket);
  });
  refuseUnreadable(server);
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(new ListenError(reason(error, host, port)));
    server.on("error", refuse);
    server.listen(port, host, () => {
      // Later errors concern a connection that could not be accepted; the others go on.
      server.off("error", refuse).on("error", onFault);
      const baseUrl = addressOf(server, host);
      const drain = () => calls.drain(server);
      resolve({ baseUrl, drain, refuse: () => calls.refuse(), close: () => close(server, calls) });
    });
  });
}

/** Asks for the caller's address while there is one: after a reset, Node gives only one that it was asked for before. */
function learnAddress({ remoteAddress }: Socket): void {
  void remoteAddress;
}

/** Addresses where HTTP/1.0 without Host is answered: the service, and health, which some proxies ask for. */
const UNDER_ANY_NAME = /^(?:\/worlds\/[^/]+)?\/v2(?:\/|$)|^(?:\/worlds\/[^/]+)?\/_sandbox\/health$/;

/** An IPv6 address in a `Host`. */
const BRACKETED = /^\[[\da-f:.]+\](?::\d+)?$/i;

/**
 * HTTP/1.0 has no Host: the address that was called stands for it. An IPv6 address gets its canonical form, the only one
 * that the adapter takes for a host.
 */
function nameHost({ httpVersion, url = "", headers, rawHeaders, socket }: IncomingMessage): void {
  const { host } = headers;
  if (host !== undefined) {
    if (BRACKETED.test(host) && URL.canParse(`http://${host}`)) headers.host = new URL(`http://${host}`).host;
    return;
  }
  if (httpVersion !== "1.0" || !UNDER_ANY_NAME.test(url)) return;
  const { localAddress = "", localPort = "" } = socket;
  headers.host = withPort(canonicalAddress(localAddress), localPort);
  rawHeaders.push("Host", headers.host);
}

/** How long calls under way may delay a stop in all: container runtimes kill a process after 10 s. */
const GRACE_MS = 8_000;

/** Resolves when a stop no longer waits for what is under way, after `graceMs` of real time. */
export function grace(graceMs = GRACE_MS): Promise<void> {
  return new Promise((resolve) => wakeAfter(graceMs, resolve));
}

async function close(server: Server, calls: CallsUnderWay): Promise<void> {
  server.close();
  await calls.endStreams();
  server.closeAllConnections();
}

function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return serverAddress(host, port);
}

function reason(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === "EADDRINUSE")
    return `Port ${port} on ${host} is taken; choose another port (--port on the command line), or 0 for a free one.`;
  if (error.code === "EACCES") return `Port ${port} on ${host} needs rights that this user does not have.`;
  return `Cannot listen on ${host}:${port}: ${error.message}.`;
}
