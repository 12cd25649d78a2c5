/** One call of `/v2`, from its bytes to its answer, in one operation: the checks of `D15` in their order. */
import { DomainError, errorCatalogue } from "../domain/errors.ts";
import type { Credential } from "../store/accounts.ts";
import { credentialOfToken } from "../service/tokens.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { type Endpoint, type EndpointAnswer, endpoints, OTHER_PATHS_PER_MINUTE } from "./endpoints.ts";
import { parseBody, writeJson } from "./json.ts";
import type { Incoming, Outgoing } from "./messages.ts";
import { countRequest, type RateWindow, refuseExceeded } from "./rate-limit.ts";

/** Largest body but of the dispute reply (`D21`). */
export const MAX_BODY_BYTES = 1024 * 1024;

/** What becomes known of a call on its way through the checks. */
interface ServiceCall {
  readonly operation: Operation;
  readonly incoming: Incoming;
  readonly requestId: string;
  endpoint?: Endpoint;
  credential?: Credential;
  window?: RateWindow;
}

/** TABLE: the checks, in the order that is part of the contract (`D15`). */
const checks: readonly ((call: ServiceCall) => void)[] = [findEndpoint, checkSize, checkToken, checkReview, checkRate];

/** Endpoints that an account under review may still use (`D17`). */
const OPEN_UNDER_REVIEW = ["/v2/account/info/profile"];

/**
 * Serves a call. Whatever comes of it, it is logged; what it was refused for has changed nothing else.
 * @param onFault told of a fault of ours, which the caller sees as `INTERNAL_ERROR`.
 */
export function serve(world: World, incoming: Incoming, onFault: (error: unknown) => void): Outgoing {
  return world.operate((operation) => {
    const entry = world.reserveEntry();
    const requestId = `req_${world.random.base36Id("request", operation.now, 24)}`;
    const call: ServiceCall = { operation: operation.because(entry), incoming, requestId };
    const outcome = carryOut(call, onFault);
    const outgoing = finish(call, outcome);
    log(operation, call, outgoing, outcome, entry);
    return outgoing;
  });
}

function carryOut(call: ServiceCall, onFault: (error: unknown) => void): EndpointAnswer | DomainError {
  const { operation, incoming, credential } = call;
  try {
    for (const check of checks) check(call);
    return operation.attempt(() => answer(call));
  } catch (error) {
    if (error instanceof DomainError) return error;
    if ((error as { code?: string }).code === "SQLITE_FULL") throw error;
    onFault(error);
    const where = `${incoming.method} ${incoming.path}, ${call.requestId}${credential ? `, ${credential.client_id}` : ""}`;
    return new DomainError("INTERNAL_ERROR", undefined, {
      hint: `A fault of the sandbox at ${where}; its log tells more, please report it.`,
    });
  }
}

function findEndpoint(call: ServiceCall): void {
  const { path, method } = call.incoming;
  const rows = endpoints.filter((row) => row.path === path);
  const row = rows.find((candidate) => candidate.method === method) ?? rows[0];
  if (!row) throw new DomainError("NOT_FOUND");
  call.endpoint = row;
  if (row.method !== method) throw new DomainError("METHOD_NOT_ALLOWED", undefined, { allow: row.method });
}

function checkSize({ incoming }: ServiceCall): void {
  if (incoming.bodyTooLarge) throw new DomainError("PAYLOAD_TOO_LARGE");
}

function checkToken(call: ServiceCall): void {
  if (call.endpoint?.auth === "none") return;
  const token = /^Bearer +([^\s]+)$/i.exec(call.incoming.headers.authorization ?? "")?.[1];
  const { world, now } = call.operation;
  const credential = token ? credentialOfToken(world, token, now) : undefined;
  if (!credential) throw new DomainError("UNAUTHORIZED");
  call.credential = credential;
}

function checkReview(call: ServiceCall): void {
  const { credential, endpoint, operation } = call;
  if (!credential || OPEN_UNDER_REVIEW.includes(endpoint?.path ?? "")) return;
  const account = operation.world.accounts.get(credential.username);
  if (account?.status === "under_review") throw new DomainError("SECURITY_BLOCKED");
}

function checkRate(call: ServiceCall): void {
  call.window = count(call);
  refuseExceeded(call.operation, call.window);
}

function answer(call: ServiceCall): EndpointAnswer {
  const { operation, incoming, endpoint, credential } = call;
  if (!endpoint) throw new Error("A call without an endpoint passed its checks.");
  const body = endpoint.media === "none" ? undefined : readBody(endpoint, incoming);
  const query = new URLSearchParams(incoming.query);
  return endpoint.handle({ operation, credential, query, body, headers: incoming.headers });
}

function readBody(endpoint: Endpoint, { headers, body }: Incoming): unknown {
  const media = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (endpoint.media === "json_or_form") {
    if (media === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(body.toString()));
    return body.length === 0 ? {} : parseBody(body);
  }
  if (media !== "application/json") throw new DomainError("UNSUPPORTED_MEDIA_TYPE");
  return parseBody(body);
}

/** The credential's window, or the address's for a call refused before its credential was known (`D15`). */
function count({ operation, incoming, endpoint, credential }: ServiceCall): RateWindow {
  const scope = credential ? `credential:${credential.client_id}` : `ip:${incoming.ip}`;
  return countRequest(operation, scope, endpoint?.path ?? "other", endpoint?.perMinute ?? OTHER_PATHS_PER_MINUTE);
}

function finish(call: ServiceCall, outcome: EndpointAnswer | DomainError): Outgoing {
  const { operation, requestId } = call;
  const window = call.window ?? count(call);
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "X-RateLimit-Limit": String(window.limit),
    "X-RateLimit-Remaining": String(window.remaining),
    "X-RateLimit-Reset": String(Math.ceil(window.resetsAt / 1000)),
    "X-Request-Id": requestId,
    "X-Sandbox-World": operation.world.id,
    "X-Sandbox-Time": formatInstant(operation.now),
  };
  if (!(outcome instanceof DomainError)) {
    const timestamp = formatInstant(operation.now);
    const body = { success: true, data: outcome.data, request_id: requestId, timestamp, ...outcome.extra };
    return { status: outcome.status, headers, body: writeJson(body) };
  }
  const { retryAfterSeconds, allow, hint } = outcome.details;
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  if (allow) headers.Allow = allow;
  if (hint) headers["X-Sandbox-Hint"] = hint;
  return { status: outcome.status, headers, body: failureBody(outcome) };
}

/** The failure body: just success and error, to the letter (`D29`). */
export function failureBody(error: DomainError): string {
  const { group, retryable } = errorCatalogue[error.code];
  return writeJson({ success: false, error: { code: error.code, message: error.message, group, retryable } });
}

const SECRET_HEADERS = ["authorization", "x-signature", "cookie", "proxy-authorization"];

function log(
  operation: Operation,
  call: ServiceCall,
  outgoing: Outgoing,
  outcome: EndpointAnswer | DomainError,
  entry: number,
): void {
  const { incoming, requestId } = call;
  const errorCode = outcome instanceof DomainError ? outcome.code : null;
  const { method, path } = incoming;
  operation.write(entry, "request", requestId, {
    method,
    path,
    client_id: call.credential?.client_id ?? null,
    status: outgoing.status,
    error: errorCode,
  });
  operation.world.requests.insert({
    request_id: requestId,
    entry,
    at: operation.now,
    client_id: call.credential?.client_id ?? null,
    ip: incoming.ip,
    method,
    path,
    query: incoming.query,
    headers: masked(incoming.headers),
    body: incoming.body,
    status: outgoing.status,
    error_code: errorCode,
    response_headers: outgoing.headers,
    response_body: Buffer.from(outgoing.body),
    wall_at: incoming.wallAt,
  });
}

function masked(headers: Readonly<Record<string, string>>): Record<string, string> {
  const hide = ([name, value]: [string, string]) => [name, SECRET_HEADERS.includes(name) ? "***" : value];
  return Object.fromEntries(Object.entries(headers).map((entry) => hide(entry)));
}
