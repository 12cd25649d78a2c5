/** The only outgoing network: one POST at a time to a receiver, with the time-outs of the specification. */
import { Agent } from "undici";
import { monotonicNow, wakeAfter } from "./runtime.ts";
import type { AttemptResult } from "./store/webhooks.ts";
import type { OutgoingRequest, Send } from "./webhooks/delivery.ts";

/** 5 s to connect (Webhook receiver timeouts), in real time. */
const CONNECT_TIMEOUT_MS = 5_000;

/** As much of an answer's body as is kept. */
const KEPT_BODY_BYTES = 64 * 1024;

const ERROR_KINDS: readonly (readonly [RegExp, string])[] = [
  [/^UND_ERR_CONNECT_TIMEOUT$|^ETIMEDOUT$/, "connect_timeout"],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, "timeout"],
  [/^ECONNREFUSED$/, "connection_refused"],
  [/^ENOTFOUND$|^EAI_/, "name_not_resolved"],
  [/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO/, "tls"],
  [/^ECONNRESET$|^EPIPE$|^UND_ERR_SOCKET$/, "connection_closed"],
  [/^HPE_|^UND_ERR_.*PARSE|^HTTPParserError$/, "not_http"],
];

/** How long a connection may take to come about, of a request's total time. */
export function connectTimeoutMs(timeoutMs: number): number {
  return Math.min(CONNECT_TIMEOUT_MS, timeoutMs);
}

/** A sender with its connections, kept alive between requests. */
export class Network {
  readonly #timeoutMs: number;
  readonly #verifying: Agent;
  readonly #trusting: Agent;

  /** @param timeoutMs the total time of a request, connect included: 10 s unless an option says otherwise. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    const connect = { timeout: connectTimeoutMs(timeoutMs) };
    this.#verifying = new Agent({ connect });
    this.#trusting = new Agent({ connect: { ...connect, rejectUnauthorized: false } });
  }

  readonly send: Send = async (request) => {
    const startedAt = monotonicNow();
    const controller = new AbortController();
    const stopTimer = wakeAfter(this.#timeoutMs, () => controller.abort());
    try {
      const answer = await this.#post(request, controller.signal);
      return { ...answer, duration_ms: monotonicNow() - startedAt };
    } catch (error) {
      const kind = controller.signal.aborted ? "timeout" : errorKind(error);
      return failure(kind, error, monotonicNow() - startedAt);
    } finally {
      stopTimer();
    }
  };

  /** Ends all connections; what is in the air fails. */
  async close(): Promise<void> {
    await Promise.all([this.#verifying.destroy(), this.#trusting.destroy()]);
  }

  async #post(request: OutgoingRequest, signal: AbortSignal): Promise<Omit<AttemptResult, "duration_ms">> {
    const url = new URL(request.destination);
    const agent = request.trustAll ? this.#trusting : this.#verifying;
    const response = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal,
    });
    const { body, truncated } = await readStart(response.body);
    return {
      outcome: response.statusCode >= 200 && response.statusCode < 300 ? "delivered" : "refused",
      status: response.statusCode,
      response_headers: plainHeaders(response.headers),
      response_body: body,
      response_truncated: truncated,
      error: null,
    };
  }
}

async function readStart(
  stream: AsyncIterable<Buffer> & { destroy(): void },
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > KEPT_BODY_BYTES) {
      stream.destroy();
      break;
    }
  }
  const body = Buffer.concat(chunks);
  return { body: body.subarray(0, KEPT_BODY_BYTES), truncated: length > KEPT_BODY_BYTES };
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}

function failure(kind: string, error: unknown, durationMs: number): AttemptResult {
  const message =
    error instanceof Error ? error.message || (error as { code?: string }).code || error.name : String(error);
  return {
    outcome: "failed",
    status: null,
    response_headers: {},
    response_body: Buffer.alloc(0),
    response_truncated: false,
    error: { kind, message },
    duration_ms: durationMs,
  };
}

function errorKind(error: unknown): string {
  const { code, name, cause, errors } = error as { code?: string; name?: string; cause?: unknown; errors?: unknown[] };
  const word = code ?? name ?? "";
  const known = ERROR_KINDS.find(([pattern]) => pattern.test(word))?.[1];
  if (known) return known;
  const inner = cause ?? errors?.[0];
  return inner ? errorKind(inner) : "network";
}
