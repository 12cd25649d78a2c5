/**
 * Delivery of the outbox: prepare in a transaction, send outside any, record in a transaction. An attempt whose
 * process died with the request in the air is made again after the restart: at least once, never lost.
 */
import { INBOX } from "../domain/destinations.ts";
import { defaultDestination } from "../service/accounts.ts";
import type { AttemptResult, Webhook } from "../store/webhooks.ts";
import type { Timer } from "../store/timers.ts";
import { unixSeconds } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { Courier } from "../world/runner.ts";
import type { World } from "../world/world.ts";
import { ATTEMPT_TIMER, nextAttemptAt, RATE_WINDOW_MS, THROTTLE_DELAY_MS } from "./schedule.ts";

/** One request to a receiver. */
export interface OutgoingRequest {
  readonly destination: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether any certificate will do (`webhook_targets: any`). */
  readonly trustAll: boolean;
}

/** Sends a request; never throws: what goes wrong is part of the result. */
export type Send = (request: OutgoingRequest) => Promise<AttemptResult>;

/** Constant name of the sender, version 2.0 (Delivery, Headers). */
export const USER_AGENT = "Payments-Webhooks/2.0";

interface PreparedAttempt {
  readonly webhook: Webhook;
  readonly position: number;
  readonly number: number;
  readonly manual: boolean;
  readonly at: number;
  readonly request: OutgoingRequest;
}

export class Delivery implements Courier {
  readonly kind = ATTEMPT_TIMER;
  readonly #world: World;
  readonly #send: Send;
  #abandoned = false;

  constructor(world: World, send: Send) {
    this.#world = world;
    this.#send = send;
  }

  /** The world goes away: what is in the air is not recorded any more. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Puts attempts that were in the air when the process died back on the clock. */
  recover(): void {
    this.#world.operate((operation) => {
      for (const open of operation.world.webhooks.takeOpenAttempts()) {
        const webhook = operation.world.webhooks.get(open.webhook_id);
        if (open.due === null || open.sequence === null || !webhook) continue;
        const [due, sequence, cause] = [open.due, open.sequence, webhook.entry];
        const timer = { due, sequence, kind: ATTEMPT_TIMER, subject: open.webhook_id, cause, rule: null };
        operation.world.timers.insert({ ...timer, recurring: false, payload: {} });
      }
    });
  }

  /** Attempts to one destination keep their order. */
  lane(timer: Timer): string {
    return this.#world.webhooks.get(timer.subject)?.destination ?? "";
  }

  carry(timer: Timer): Promise<void> | null {
    const attempt = this.#world.operate((operation) => prepareDue(operation, timer), timer.due, timer.cause);
    if (!attempt) return null;
    return this.#send(attempt.request).then((result) => {
      if (this.#abandoned) return;
      this.#world.operate((operation) => record(operation, attempt, result), undefined, attempt.webhook.entry);
    });
  }

  /**
   * Makes exactly one attempt now, outside schedule and rate; the webhook keeps its id and bytes (`D62`).
   * @returns its result, null where there is nowhere to send it.
   */
  async redeliver(webhook: Webhook): Promise<AttemptResult | null> {
    const attempt = this.#world.operate((operation) => prepareByHand(operation, webhook));
    if (!attempt) return null;
    const result = attempt.request.destination === INBOX ? KEPT : await this.#send(attempt.request);
    if (this.#abandoned) return result;
    this.#world.operate((operation) => record(operation, attempt, result), undefined, webhook.entry);
    return result;
  }
}

/** What the inbox answers. */
const KEPT: AttemptResult = {
  outcome: "delivered",
  status: 200,
  response_headers: {},
  response_body: Buffer.alloc(0),
  response_truncated: false,
  error: null,
  duration_ms: 0,
};

/** Takes the timer, and opens the attempt unless the rate forbids it; the inbox is served at once. */
function prepareDue(operation: Operation, timer: Timer): PreparedAttempt | null {
  const { world } = operation;
  // While it waited its turn, a re-delivery by hand may have taken it off.
  if (!world.timers.remove(timer.due, timer.sequence)) return null;
  const webhook = world.webhooks.get(timer.subject);
  if (!webhook?.destination) return null;
  if (overRate(operation, webhook)) return putBack(operation, webhook);
  const number = world.webhooks.scheduledAttempts(webhook.webhook_id) + 1;
  const attempt = open(operation, webhook, webhook.destination, { number, manual: false, timer });
  if (webhook.destination !== INBOX) return attempt;
  record(operation, attempt, KEPT);
  return null;
}

function prepareByHand(operation: Operation, webhook: Webhook): PreparedAttempt | null {
  const { world } = operation;
  const destination = webhook.destination ?? defaultDestination(world, webhook.client_id);
  if (!destination) return null;
  if (!webhook.destination) world.webhooks.setDestination(webhook.webhook_id, destination);
  const number = world.webhooks.attemptsOf(webhook.webhook_id).length + 1;
  return open(operation, webhook, destination, { number, manual: true, timer: null });
}

function open(
  operation: Operation,
  webhook: Webhook,
  destination: string,
  how: { number: number; manual: boolean; timer: Timer | null },
): PreparedAttempt {
  const { world, now } = operation;
  const headers = {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "X-Webhook-Event": webhook.event,
    "X-Webhook-Id": webhook.webhook_id,
    "X-Webhook-Timestamp": String(unixSeconds(now)),
    "X-Sandbox": "1",
  };
  const position = world.webhooks.openAttempt({
    webhook_id: webhook.webhook_id,
    ...how,
    client_id: webhook.client_id,
    at: now,
    destination,
    request_headers: headers,
  });
  if (!how.manual) world.webhooks.setFirstAttempt(webhook.webhook_id, now);
  const trustAll = world.settings.webhook_targets === "any";
  const { number, manual } = how;
  return {
    webhook,
    position,
    number,
    manual,
    at: now,
    request: { destination, headers, body: webhook.body, trustAll },
  };
}

function overRate(operation: Operation, webhook: Webhook): boolean {
  const since = operation.now - RATE_WINDOW_MS;
  const { webhooks, settings } = operation.world;
  return webhooks.attemptsSince(webhook.client_id, since) >= settings.webhook_rate;
}

function putBack(operation: Operation, webhook: Webhook): null {
  const due = operation.now + THROTTLE_DELAY_MS;
  const entry = operation.record("webhook.throttled", webhook.subject, { webhook_id: webhook.webhook_id });
  operation.because(entry).schedule({ due, kind: ATTEMPT_TIMER, subject: webhook.webhook_id });
  operation.world.webhooks.setStatus(webhook.webhook_id, "throttled", due);
  return null;
}

/** Writes down how an attempt ended and, where it failed, puts the next one on the clock. */
function record(operation: Operation, attempt: PreparedAttempt, result: AttemptResult): void {
  const { webhook, number } = attempt;
  const { webhooks } = operation.world;
  webhooks.closeAttempt(attempt.position, result);
  if (attempt.request.destination === INBOX) {
    webhooks.putInInbox(operation.now, webhook.webhook_id, attempt.request.headers, webhook.body);
  }
  const data = { webhook_id: webhook.webhook_id, event: webhook.event, attempt: number, manual: attempt.manual };
  const kind = result.outcome === "delivered" ? "webhook.delivered" : "webhook.failed";
  const entry = tell(operation, kind, webhook, { ...data, status: result.status, error: result.error?.kind ?? null });
  if (result.outcome === "delivered") {
    operation.world.timers.removeOf(webhook.webhook_id, ATTEMPT_TIMER);
    webhooks.setStatus(webhook.webhook_id, "delivered", null);
  } else if (!attempt.manual) {
    scheduleNext(operation.because(entry), attempt);
  }
}

function scheduleNext(operation: Operation, attempt: PreparedAttempt): void {
  const { webhook, number, at } = attempt;
  const { webhooks, settings } = operation.world;
  // A re-delivery by hand may have succeeded while this attempt was in the air.
  if (webhooks.get(webhook.webhook_id)?.status === "delivered") return;
  const due = nextAttemptAt(number, { firstAt: webhook.first_attempt_at ?? at, lastAt: at }, settings.retry_base);
  if (due === null) {
    webhooks.setStatus(webhook.webhook_id, "exhausted", null);
    tell(operation, "webhook.exhausted", webhook, {
      webhook_id: webhook.webhook_id,
      event: webhook.event,
      attempt: number,
    });
    return;
  }
  operation.schedule({ due, kind: ATTEMPT_TIMER, subject: webhook.webhook_id });
  webhooks.setStatus(webhook.webhook_id, "pending", due);
}

function tell(operation: Operation, kind: string, webhook: Webhook, data: Record<string, unknown>): number {
  const entry = operation.record(kind, webhook.subject, data);
  operation.because(entry).occur({
    kind,
    subject: { type: webhook.subject_type, id: webhook.subject },
    fields: { ...data, transaction_id: webhook.transaction_id, username: webhook.username },
  });
  return entry;
}
