/** The only outgoing network: POSTs to webhook receivers, with the time-outs of the specification. */
import type { Socket } from "node:net";
// The default import: in a Node without `getCACertificates`, a named import would fail before that Node is refused.
import tls, { type SecureContext } from "node:tls";
import type { Agent, buildConnector } from "undici";
import type { AttemptOutcome } from "../domain/attempt-outcomes.ts";
import { monotonicNow } from "../runtime.ts";
import { unanswered } from "../store/attempts.ts";
import type { OutgoingRequest, Send } from "../webhooks/delivery.ts";
import { attemptError } from "./attempt-errors.ts";
import { type Answer, exchange } from "./exchange.ts";
import { KeptConnections } from "./kept-connections.ts";
import {
  isSameAddress,
  isUsualSource,
  onlySource,
  type Route,
  routesTo,
  type SourceAddresses,
} from "./source-addresses.ts";

/** 5 s to connect (Webhook receiver timeouts), in real time. */
const CONNECT_TIMEOUT_MS = 5_000;

/** How much of an answer's body is kept. */
const KEPT_BODY_BYTES = 64 * 1024;

/** How long connecting may take, given the total time of a request. */
export function connectTimeoutMs(timeoutMs: number): number {
  return Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
}

type Connector = buildConnector.connector;

type Library = typeof import("undici");

/** Loaded with the first request: it is as large as everything else together, and a server starts without it. */
let library: Library | undefined;

/** The authorities that Node and the machine trust; read with the first https request. */
let trust: SecureContext | undefined;

/** Sends webhooks, and keeps connections alive between requests. */
export class Network {
  readonly #limits: { readonly timeoutMs: number; readonly connectTimeoutMs: number };
  readonly #sources: SourceAddresses;
  /** Made when first needed: one for each combination of keep-alive, protocol, trust and source address. */
  readonly #agents = new Map<string, Agent>();
  readonly #connections = new KeptConnections();
  #closed = false;

  /**
   * @param timeoutMs the total time of a request, connect included: 10 s unless an option says otherwise.
   * @param sources the source addresses of requests that name none of their own (`D64`). Of a host's addresses, those
   * of a family with a source are tried in turn; a host without any such address is reached from the machine's own.
   */
  constructor(timeoutMs: number, sources: SourceAddresses) {
    this.#limits = { timeoutMs, connectTimeoutMs: connectTimeoutMs(timeoutMs) };
    this.#sources = sources;
  }

  readonly send: Send = async (request) => {
    let startedAt = monotonicNow();
    try {
      const { origin, protocol, pathname, search } = new URL(request.destination);
      const keeps = await this.#connections.mayBeKept(origin);
      const agent = await this.#agentOf(request, protocol, keeps);
      // Loading and waiting do not count against the receiver's time.
      startedAt = monotonicNow();
      const post = { origin, path: pathname + search, method: "POST", reset: !keeps } as const;
      const options = { ...post, headers: request.headers, body: request.body };
      const answer = await exchange(agent, options, KEPT_BODY_BYTES, this.#limits);
      if (answer.error === null) this.#connections.noteAnswer(origin);
      return {
        outcome: outcomeOf(answer),
        status: answer.status,
        response_headers: answer.headers,
        response_body: answer.body,
        response_truncated: answer.truncated,
        error: answer.error && attemptError(answer.error, request, true),
        duration_ms: monotonicNow() - startedAt,
      };
    } catch (error) {
      return unanswered(attemptError(error, request), monotonicNow() - startedAt);
    }
  };

  /** Ends all connections; requests in flight fail. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  async #agentOf({ targets, sourceAddress }: OutgoingRequest, protocol: string, keeps: boolean): Promise<Agent> {
    library ??= await import("undici");
    if (this.#closed) throw new Error("The network is closed.");
    const trustAll = targets === "any";
    const name = `${keeps ? "keeping" : "closing"} ${protocol} ${trustAll ? "trusting" : "verifying"} ${sourceAddress ?? ""}`;
    const known = this.#agents.get(name);
    if (known) return known;
    const tls = protocol === "https:" && !trustAll ? { secureContext: trusted() } : { rejectUnauthorized: !trustAll };
    const own = library.buildConnector({ timeout: this.#limits.connectTimeoutMs, ...tls });
    const agent = this.#makeAgent(library, own, sourceAddress);
    if (keeps) agent.on("disconnect", ({ origin }, _targets, error) => this.#connections.noteEnd(origin, error));
    this.#agents.set(name, agent);
    return agent;
  }

  #makeAgent({ Agent }: Library, own: Connector, sourceAddress: string | undefined): Agent {
    if (sourceAddress !== undefined) {
      // A probe from a wrong address must not fall back to the right one.
      const refuse: Connector = ({ hostname }, callback) => callback(noWay(sourceAddress, hostname), null);
      const isWrong = !isUsualSource(sourceAddress, this.#sources);
      const connect: Connector = isWrong ? own : (_options, callback) => callback(noWrongAddress(sourceAddress), null);
      return new Agent({ ...ANSWERS, connect: resolving(connectFrom(onlySource(sourceAddress), connect, refuse)) });
    }
    const { ipv4, ipv6 } = this.#sources;
    const anyway = ipv4 === null && ipv6 === null;
    return new Agent({ ...ANSWERS, connect: resolving(anyway ? own : connectFrom(this.#sources, own, own)) });
  }
}

/**
 * A receiver behind gateways may answer with more headers than a caller may send; any 2xx counts (WH-15). The time-out
 * is that of {@link exchange}: the library's own, of five minutes, would cut off requests that are allowed longer.
 */
const ANSWERS = { maxHeaderSize: 256 * 1024, headersTimeout: 0, bodyTimeout: 0 } as const;

function outcomeOf({ status, error }: Answer): AttemptOutcome {
  if (error !== null) return "failed";
  return status >= 200 && status < 300 ? "delivered" : "refused";
}

function trusted(): SecureContext {
  trust ??= tls.createSecureContext({ ca: [...tls.getCACertificates("default"), ...tls.getCACertificates("system")] });
  return trust;
}

/** If the machine cannot resolve `localhost.` or a name below `localhost`, it means the machine itself (RFC 6761). */
function resolving(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error === null) callback(null, socket);
      else if (/(^|\.)localhost\.?$/.test(options.hostname) && isUnresolved(error)) {
        connect({ ...options, hostname: "localhost" }, callback);
      } else callback(error, null);
    });
}

function isUnresolved({ code = "" }: NodeJS.ErrnoException): boolean {
  return code === "ENOTFOUND" || code.startsWith("EAI_");
}

/**
 * Connects from the source addresses. If a host has several addresses, one that cannot be connected to gives way to the
 * next; one that takes too long uses up the time of all.
 * @param otherwise connects to a host that has no address of the sources' families.
 */
function connectFrom(sources: SourceAddresses, connect: Connector, otherwise: Connector): Connector {
  return (options, callback) => {
    routesTo(options.hostname, sources)
      .then(([first, ...others]) => {
        if (first) connectInTurn(connect, options, [first, ...others], callback);
        else otherwise(options, callback);
      })
      .catch((error) => callback(error, null));
  };
}

function connectInTurn(
  connect: Connector,
  options: buildConnector.Options,
  [route, next, ...others]: readonly [Route, ...Route[]],
  callback: buildConnector.Callback,
): void {
  // The socket is handed on synchronously: an event on it in between would be missed.
  connect({ ...options, ...route }, (error, socket) => {
    if (error === null) handOn(socket, route, callback);
    else if (next && (error as NodeJS.ErrnoException).syscall === "connect") {
      connectInTurn(connect, options, [next, ...others], callback);
    } else callback(withSourceBlamed(error, route), null);
  });
}

/**
 * Hands a connection on if it leaves from the route's address. Linux also binds addresses that nothing can be sent from,
 * such as 0.0.0.0 and 255.255.255.255, and puts another in their place when it connects.
 */
function handOn(socket: Socket, { localAddress }: Route, callback: buildConnector.Callback): void {
  if (isSameAddress(socket.localAddress ?? localAddress, localAddress)) callback(null, socket);
  else {
    socket.destroy();
    callback(notOfOneMachine(localAddress), null);
  }
}

/** A request cannot be sent from its source address. */
class SourceNotAvailable extends Error {
  readonly code = "SOURCE_NOT_AVAILABLE";
}

function noWay(localAddress: string, hostname: string): SourceNotAvailable {
  return new SourceNotAvailable(`No way leads from the source address ${localAddress} to ${hostname}.`);
}

function notOfOneMachine(localAddress: string): SourceNotAvailable {
  return new SourceNotAvailable(`The source address ${localAddress} is not the address of one machine.`);
}

function noWrongAddress(address: string): SourceNotAvailable {
  return new SourceNotAvailable(`Webhooks come from ${address} anyway: it is no wrong address.`);
}

/** Reports an error that the source address causes as {@link SourceNotAvailable}. */
function withSourceBlamed(error: Error, { hostname, localAddress }: Route): Error {
  const { syscall, code = "" } = error as NodeJS.ErrnoException;
  if (syscall === "bind") return new SourceNotAvailable(`The source address ${localAddress} is not of this machine.`);
  // The errors of Linux and macOS for a loopback source address and a destination beyond the machine.
  return ["EINVAL", "EADDRNOTAVAIL"].includes(code) ? noWay(localAddress, hostname) : error;
}
