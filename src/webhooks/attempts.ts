/** Attempts to deliver a webhook: opened before they are sent, recorded when they have ended. */
import type { AttemptFields } from "../domain/attempt-fields.ts";
import { INBOX } from "../domain/destinations.ts";
import { maskedHeader } from "../domain/masks.ts";
import { ATTEMPT_TIMER, nextAttemptAt, RATE_WINDOW_MS, THROTTLE_DELAY_MS } from "../domain/webhook-schedule.ts";
import { defaultDestination } from "../service/destinations.ts";
import type { AttemptResult } from "../store/attempts.ts";
import type { Timer } from "../store/timers.ts";
import { PROBE, type Webhook } from "../store/webhooks.ts";
import { unixSeconds } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import type { OutgoingRequest } from "./delivery.ts";

/** Constant name of the sender, version 2.0 (Delivery, Headers). */
const USER_AGENT = "Payments-Webhooks/2.0";

/** An attempt that is open, and its request. */
export interface PreparedAttempt {
  readonly webhook: Webhook;
  readonly position: number;
  /**
   * Its place on the retry schedule, from 1. A further copy has the number of the attempt that it copies; an attempt by
   * hand is counted after all that were made.
   */
  readonly number: number;
  readonly manual: boolean;
  /** A further copy of a webhook (fault `duplicate`): sent once, and never retried. */
  readonly duplicate: boolean;
  /** The journal entry that led to it. */
  readonly cause: number | null;
  readonly at: number;
  readonly request: OutgoingRequest;
}

/** The payload of an attempt's timer: what a fault rule does to the attempt. */
interface AttemptPayload {
  readonly source?: string | null;
  readonly duplicate?: boolean;
}

/** The result of every delivery to the inbox. */
export const INBOX_ANSWER: AttemptResult = {
  outcome: "delivered",
  status: 200,
  response_headers: {},
  response_body: Buffer.alloc(0),
  response_truncated: false,
  error: null,
  duration_ms: 0,
};

/**
 * Removes the timer and opens its attempt, unless the outbound rate puts it off; a delivery to the inbox is recorded at
 * once.
 * @returns null if there is nothing to send.
 */
export function prepareDue(operation: Operation, timer: Timer): PreparedAttempt | null {
  const { world } = operation;
  world.timers.remove(timer.due, timer.sequence);
  const webhook = world.webhooks.get(timer.subject);
  if (!webhook?.destination) return null;
  const payload = timer.payload as AttemptPayload;
  const back = putBackOf(operation, webhook, timer);
  if (back) return putBack(operation, webhook, payload, back);
  const isFirst = webhook.first_attempt_at === null;
  const made = isFirst ? 0 : world.attempts.count(webhook.webhook_id, "scheduled");
  const number = payload.duplicate ? Math.max(made, 1) : made + 1;
  const attempt = open(operation, webhook, webhook.destination, { number, manual: false, timer, ...payload });
  if (webhook.destination !== INBOX) return attempt;
  recordAttempt(operation, attempt, INBOX_ANSWER);
  return null;
}

/**
 * Opens an attempt by hand, outside the schedule and the outbound rate.
 * @param how for probes: the wrong address that it is sent from, and whether it is a further copy.
 * @returns null if there is no destination.
 */
export function prepareByHand(
  operation: Operation,
  webhook: Webhook,
  how: AttemptPayload = {},
): PreparedAttempt | null {
  const { world } = operation;
  const destination = destinationByHand(world, webhook);
  if (!destination) return null;
  if (destination !== webhook.destination) world.webhooks.setDestination(webhook.webhook_id, destination);
  const number = world.attempts.count(webhook.webhook_id, "all") + 1;
  return open(operation, webhook, destination, { number, manual: true, timer: null, ...how });
}

/**
 * The destination of an attempt by hand. A webhook that was created without one goes to the present default (`D65`)
 * until it is delivered, even if another destination was tried in vain, which may have been a mistake.
 */
function destinationByHand(world: World, { status, destination, client_id }: Webhook): string | null {
  if (destination !== null && status !== "undeliverable") return destination;
  return defaultDestination(world, client_id) ?? destination;
}

/** An attempt that was opened before, by its position. */
export function attemptAt(world: World, position: number): PreparedAttempt | null {
  const attempt = world.attempts.get(position);
  const webhook = attempt && world.webhooks.get(attempt.webhook_id);
  if (!attempt || !webhook) return null;
  const { number, manual, duplicate, source, cause, at, destination, request_headers: headers } = attempt;
  return prepared(world, webhook, { position, number, manual, duplicate, source, cause, at, destination, headers });
}

/** Records how an attempt ended and, if it failed, puts the next one on the clock. */
export function recordAttempt(operation: Operation, attempt: PreparedAttempt, answered: AttemptResult): void {
  const { webhook, manual, duplicate } = attempt;
  const { webhooks, attempts, inbox, timers } = operation.world;
  const result = judged(attempt, answered);
  attempts.close(attempt.position, { ...result, response_headers: maskedHeaders(result.response_headers) });
  if (attempt.request.destination === INBOX) {
    inbox.insert(operation.now, webhook.webhook_id, attempt.request.headers, webhook.body);
  }
  const ended = { attempt, result };
  const kind = result.outcome === "delivered" ? "webhook.delivered" : "webhook.failed";
  const entry = operation.record(kind, webhook.subject, journalDataOf(fieldsOf(ended)));
  if (!isProbe(attempt)) notifyScenarios(operation.because(entry), kind, ended);
  if (duplicate) return;
  if (result.outcome === "delivered") {
    if (manual) timers.removeOf(webhook.webhook_id, ATTEMPT_TIMER);
    webhooks.setStatus(webhook.webhook_id, "delivered", null, manual ? null : attempt.at);
  } else if (!manual) {
    scheduleNext(operation.because(entry), ended);
  }
}

/** An attempt from a wrong address counts as refused even if the receiver accepts it, since it should not. */
function judged({ request }: PreparedAttempt, result: AttemptResult): AttemptResult {
  const forged = request.sourceAddress !== undefined && result.outcome === "delivered";
  return forged ? { ...result, outcome: "refused" } : result;
}

/** Response headers with secrets masked: a session cookie is as secret as a caller's credentials. */
function maskedHeaders(headers: AttemptResult["response_headers"]): AttemptResult["response_headers"] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, given]) => {
      const masked = (value: string) => maskedHeader(name, value);
      return [name, typeof given === "string" ? masked(given) : given.map(masked)];
    }),
  );
}

/** Whether an attempt is a probe: scenarios are not told of these. */
function isProbe({ webhook, manual, duplicate, request }: PreparedAttempt): boolean {
  return webhook.subject_type === PROBE || (manual && (duplicate || request.sourceAddress !== undefined));
}

function open(
  operation: Operation,
  webhook: Webhook,
  destination: string,
  how: { number: number; manual: boolean; timer: Timer | null } & AttemptPayload,
): PreparedAttempt {
  const { world, now } = operation;
  const { number, manual, timer, source = null, duplicate = false } = how;
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "X-Webhook-Event": webhook.event,
    "X-Webhook-Id": webhook.webhook_id,
    "X-Webhook-Timestamp": String(unixSeconds(now)),
    "X-Sandbox": "1",
  };
  const position = world.attempts.open({
    webhook_id: webhook.webhook_id,
    number,
    manual,
    timer,
    source,
    duplicate,
    cause: operation.cause,
    client_id: webhook.client_id,
    at: now,
    destination,
    request_headers: headers,
  });
  const own = { number, manual, duplicate, source, cause: operation.cause, destination };
  return prepared(world, webhook, { ...own, position, at: now, headers });
}

function prepared(
  world: World,
  webhook: Webhook,
  attempt: Omit<PreparedAttempt, "webhook" | "request"> & {
    source: string | null;
    destination: string;
    headers: Readonly<Record<string, string>>;
  },
): PreparedAttempt {
  const { source, destination, headers, ...own } = attempt;
  const targets = world.settings.webhook_targets;
  const from = source === null ? {} : { sourceAddress: source };
  return { ...own, webhook, request: { destination, headers, body: webhook.body, targets, ...from } };
}

/** When a throttled webhook is due again, and the webhook that it waits behind, if that is the only reason. */
interface PutBack {
  readonly due: number;
  readonly behind?: string;
}

/** When a timer's webhook is due again if it is throttled (`D61`); null if the rate allows it and it is its turn. */
function putBackOf({ world, now }: Operation, webhook: Webhook, timer: Timer): PutBack | null {
  const { webhooks, attempts, settings } = world;
  const made = attempts.since(webhook.client_id, now - RATE_WINDOW_MS);
  if (made >= settings.webhook_rate) return { due: now + THROTTLE_DELAY_MS };
  if (webhook.status !== "throttled" || (timer.payload as AttemptPayload).duplicate) return null;
  const other = webhooks.putBackBefore(webhook, timer);
  return other ? { due: Math.max(now, other.next_attempt_at), behind: other.webhook_id } : null;
}

function putBack(operation: Operation, webhook: Webhook, payload: AttemptPayload, { due, behind }: PutBack): null {
  const told = { webhook_id: webhook.webhook_id, ...(behind === undefined ? {} : { behind }) };
  const entry = operation.record("webhook.throttled", webhook.subject, told);
  operation.because(entry).schedule({ due, kind: ATTEMPT_TIMER, subject: webhook.webhook_id, payload: { ...payload } });
  if (!payload.duplicate) operation.world.webhooks.putBack(webhook.webhook_id, due, entry);
  return null;
}

/** An attempt that has ended. */
interface Ended {
  readonly attempt: PreparedAttempt;
  readonly result: AttemptResult;
}

function scheduleNext(operation: Operation, ended: Ended): void {
  const { webhook, number, at } = ended.attempt;
  const { webhooks, settings } = operation.world;
  // A re-delivery by hand may have succeeded while this attempt was in the air.
  if (webhooks.get(webhook.webhook_id)?.status === "delivered") return;
  const due = nextAttemptAt(number, { firstAt: webhook.first_attempt_at ?? at, lastAt: at }, settings.retry_base);
  if (due === null) {
    webhooks.setStatus(webhook.webhook_id, "exhausted", null, at);
    const { webhook_id, event, subject } = webhook;
    const entry = operation.record("webhook.exhausted", subject, { webhook_id, event, attempt: number });
    notifyScenarios(operation.because(entry), "webhook.exhausted", ended);
    return;
  }
  operation.schedule({ due, kind: ATTEMPT_TIMER, subject: webhook.webhook_id });
  webhooks.setStatus(webhook.webhook_id, "pending", due, at);
}

/** Tells the scenarios how an attempt ended. */
function notifyScenarios(operation: Operation, kind: string, ended: Ended): void {
  const { subject: id, subject_type: type } = ended.attempt.webhook;
  operation.occur({ kind, subject: { type, id }, fields: { ...fieldsOf(ended) } });
}

function fieldsOf({ attempt, result }: Ended): AttemptFields {
  const { webhook, number, manual, duplicate, request } = attempt;
  const { webhook_id, event, transaction_id, username } = webhook;
  return {
    webhook_id,
    event,
    attempt: number,
    manual,
    duplicate,
    source: request.sourceAddress ?? null,
    status: result.status,
    error: result.error?.kind ?? null,
    transaction_id,
    username,
  };
}

/** The journal's data of an attempt, which leaves out what is false or null of most. */
function journalDataOf({ webhook_id, event, attempt, manual, duplicate, source, status, error }: AttemptFields) {
  const rare = { ...(duplicate ? { duplicate } : {}), ...(source === null ? {} : { source }) };
  return { webhook_id, event, attempt, manual, ...rare, status, error };
}
