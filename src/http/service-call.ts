/** One call of `/v2`, from its bytes to its answer, in one operation: the checks of `D15` in their order. */
import { DomainError, errorCatalogue } from "../domain/errors.ts";
import { maskedQuery } from "../domain/masks.ts";
import { WrittenJson } from "../domain/written-json.ts";
import type { AnswerHeaders } from "../store/logged-answers.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import { answerHeaders } from "../world/answer-headers.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { countFailure, countRefusal, countSuccess } from "./abuse.ts";
import { FORM_TYPE, mediaTypeOf, parseForm } from "./body.ts";
import { checks, countInWindow, type ServiceCall } from "./checks.ts";
import type { Endpoint, EndpointCall } from "./endpoint.ts";
import { parseBody, writeJson, writeSuccess } from "./json.ts";
import type { Incoming, Outgoing } from "./messages.ts";
import { mistakeHint } from "./mistakes.ts";
import { keptHeaders, maskedAnswer, maskedBody, proveCredential } from "./proof.ts";
import { shownWindow } from "./rate-limit.ts";

/** The logged status of a call that was not executed and got no answer (fault `disconnect: before`). */
const NO_ANSWER = 0;

/**
 * Serves a call. It is logged whatever its outcome; if it is refused, nothing that its endpoint did is kept.
 * @param onFault told of a fault of ours, which the caller sees as `INTERNAL_ERROR`.
 */
export function serve(world: World, incoming: Incoming, onFault: (error: unknown) => void): Outgoing {
  return world.operate((operation) => carryThrough(operation, incoming, onFault));
}

/**
 * Like {@link serve}, sharing its commit with other calls of this turn of the event loop.
 * @returns the answer, and a promise that resolves when it may be given, since what it tells of has been committed.
 */
export function serveTogether(
  world: World,
  incoming: Incoming,
  onFault: (error: unknown) => void,
): { result: Outgoing; kept: Promise<void> } {
  return world.operateTogether((operation) => carryThrough(operation, incoming, onFault));
}

function carryThrough(operation: Operation, incoming: Incoming, onFault: (error: unknown) => void): Outgoing {
  const { world } = operation;
  const entry = world.reserveEntry();
  const requestId = `req_${world.random.base36Id("request", operation.now)}`;
  const call: ServiceCall = { operation: operation.because(entry), incoming, requestId, proof: {} };
  const outcome = countAbuse(call, carryOut(call, onFault));
  const told = toldBy(call, outcome);
  const outgoing = finish(call, outcome, told);
  log(operation, call, { outcome, told, outgoing, entry });
  return outgoing;
}

/** What an endpoint has done, and the `data` of its answer. */
interface Done {
  readonly endpoint: Endpoint;
  readonly data: object;
}

/** The outcome of a call; null where it was not executed and gets no answer. */
type Outcome = Done | DomainError | null;

function carryOut(call: ServiceCall, onFault: (error: unknown) => void): Outcome {
  const { operation, incoming } = call;
  try {
    for (const check of checks) check(call);
    if (call.fault?.kind === "disconnect" && call.fault.when === "before") return null;
    return operation.attempt(() => answer(call));
  } catch (error) {
    if (error instanceof DomainError) return error;
    if (isStorageFault(error)) throw error;
    onFault(error);
    const caller = call.credential ? `, ${call.credential.client_id}` : "";
    const where = `${incoming.method} ${incoming.path}, ${call.requestId}${caller}`;
    return new DomainError("INTERNAL_ERROR", undefined, {
      hint: `A fault of the sandbox at ${where}; its log tells more, please report it.`,
    });
  }
}

/**
 * Counts a refusal, and ends a row of failures at a success (`D16`, `D18`).
 * @returns the outcome that the caller is told.
 */
function countAbuse({ operation, incoming, credential, endpoint }: ServiceCall, outcome: Outcome): Outcome {
  if (outcome === null) return null;
  if (!(outcome instanceof DomainError)) {
    if (endpoint?.auth === "none") countSuccess(operation, incoming.ip);
    return outcome;
  }
  if (outcome.details.authenticationFailure) countFailure(operation, incoming.ip);
  const isRefusal = outcome.status >= 400 && outcome.status < 500;
  if (!credential || !isRefusal || outcome.details.uncounted) return outcome;
  return countRefusal(operation, credential.client_id, outcome);
}

function answer(call: ServiceCall): Done {
  const { operation, incoming, endpoint, credential } = call;
  if (!endpoint) throw new Error("A call without an endpoint passed its checks.");
  const body = parsedBody(endpoint, incoming);
  const query = new URLSearchParams(incoming.query);
  call.given = endpoint.method === "GET" ? Object.fromEntries(query) : body;
  const { form, headers } = incoming;
  const prove: EndpointCall["prove"] = (look) => proveCredential(call, look);
  return { endpoint, data: endpoint.handle({ operation, credential, query, body, form, headers, prove }) };
}

function parsedBody(endpoint: Endpoint, { headers, body }: Incoming): unknown {
  if (endpoint.media === "none") return undefined;
  const media = mediaTypeOf(headers);
  if (endpoint.media === "json_or_form") {
    if (media === FORM_TYPE) return parseForm(body.toString());
    return body.length === 0 ? {} : parseBody(body);
  }
  if (endpoint.media === "multipart") {
    if (media === "multipart/form-data") return undefined;
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "The content type must be multipart/form-data.");
  }
  if (media !== "application/json") throw new DomainError("UNSUPPORTED_MEDIA_TYPE");
  return parseBody(body);
}

function finish(call: ServiceCall, outcome: Outcome, told: AnswerHeaders): Outgoing {
  const { fault } = call;
  const outgoing = answered(call, outcome, told);
  if (fault?.kind === "latency") return { ...outgoing, delayMs: fault.durationMs };
  if (fault?.kind === "disconnect") return { ...outgoing, lost: true };
  if (fault?.kind === "malformed") {
    return { ...outgoing, body: outgoing.body.slice(0, outgoing.body.length / 2), malformed: true };
  }
  return outgoing;
}

/** The content of an answer's headers. */
function toldBy(call: ServiceCall, outcome: Outcome): AnswerHeaders {
  const window = shownWindow(call.window ?? countInWindow(call));
  return { ...window, world: call.operation.world.id, more: rareHeaders(call, outcome) };
}

function rareHeaders(call: ServiceCall, outcome: Outcome): Record<string, string> {
  const headers: Record<string, string> = {};
  if (outcome === null) return headers;
  const hint = hintOf(call, outcome);
  if (hint) headers["X-Sandbox-Hint"] = hint;
  if (!(outcome instanceof DomainError)) {
    if (outcome.endpoint.envelope === "oauth") headers["Cache-Control"] = "no-store";
    return headers;
  }
  const { retryAfterSeconds, allow, authenticate } = outcome.details;
  if (authenticate) headers["WWW-Authenticate"] = authenticate;
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  if (allow) headers.Allow = allow;
  return headers;
}

function answered(call: ServiceCall, outcome: Outcome, told: AnswerHeaders): Outgoing {
  const { operation, requestId } = call;
  const headers = answerHeaders({ request_id: requestId, at: operation.now, answer_headers: told });
  if (outcome === null) return { status: NO_ANSWER, headers, body: "" };
  if (outcome instanceof DomainError) return { status: outcome.status, headers, body: failureBody(outcome) };
  const { endpoint, data } = outcome;
  const shared = data instanceof WrittenJson ? data : undefined;
  return { status: endpoint.status ?? 200, headers, body: writeSuccess(data, besideData(outcome, call)), shared };
}

/** The fields that follow `data` in a success, by the envelope that the endpoint's row names. */
function besideData({ endpoint: { envelope }, data }: Done, { operation, requestId }: ServiceCall): object {
  if (envelope === "bare") return {};
  const own = { request_id: requestId, timestamp: formatInstant(operation.now) };
  return envelope === "oauth" ? { ...own, ...data } : own;
}

/** The `X-Sandbox-Hint` of an answer (R4), empty for none. Headers carry ASCII, while a rule may have any name. */
function hintOf(call: ServiceCall, outcome: Done | DomainError): string {
  const { fault, operation } = call;
  const isRefused = outcome instanceof DomainError;
  const own = isRefused ? outcome.details.hint : operation.world.hint;
  const mistake = isRefused && own ? null : mistakeHint(call, outcome);
  if (!fault && !own && !mistake) return "";
  const hints = [fault?.hint, own, mistake].filter((hint) => typeof hint === "string");
  return hints.join(" ").replace(/[^\x20-\x7e]/g, "?");
}

/** The failure body: just success and error, to the letter (`D29`). */
export function failureBody(error: DomainError): string {
  const { code, message, group } = error;
  const { retryable } = errorCatalogue[code];
  return writeJson({ success: false, error: { code, message, group, retryable } });
}

/** What is kept of how a call ended, under the number of its journal entry. */
interface Ended {
  readonly outcome: Outcome;
  readonly told: AnswerHeaders;
  readonly outgoing: Outgoing;
  readonly entry: number;
}

function log(operation: Operation, call: ServiceCall, { outcome, told, outgoing, entry }: Ended): void {
  const { incoming, requestId } = call;
  const errorCode = outcome instanceof DomainError ? outcome.code : null;
  const { method, path } = incoming;
  operation.write(entry, "request", requestId, {
    method,
    path,
    client_id: call.credential?.client_id ?? null,
    status: outgoing.status,
    error: errorCode,
    ...(outgoing.lost ? { lost: true } : {}),
    ...(outgoing.malformed ? { malformed: true } : {}),
  });
  operation.world.requests.insert({
    request_id: requestId,
    ordinal: operation.ordinal,
    entry,
    at: operation.now,
    client_id: call.credential?.client_id ?? null,
    ip: incoming.ip,
    method,
    path,
    query: maskedQuery(incoming.query),
    headers: keptHeaders(incoming.headers),
    body: maskedBody(incoming.body, call.endpoint),
    too_large: incoming.bodyTooLarge,
    status: outgoing.status,
    error_code: errorCode,
    answer_headers: told,
    response_body: maskedAnswer(outgoing.body, call.endpoint),
    shared: outgoing.shared,
    wall_at: incoming.wallAt,
    sent_after: incoming.sentAfter ?? null,
    in_company: incoming.inCompany ?? false,
    proof: call.proof,
    duration_ms: outgoing.delayMs ?? 0,
  });
}
