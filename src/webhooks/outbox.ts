/**
 * Turns events into webhooks within the event's transaction: fixes the bytes, chooses the destination, and puts the
 * first attempt on the clock.
 */
import { eventDefinitions, legacyEventNames } from "../domain/events.ts";
import { ATTEMPT_TIMER } from "../domain/webhook-schedule.ts";
import type { WebhookStatus } from "../domain/webhook-statuses.ts";
import { defaultDestination } from "../service/destinations.ts";
import { formatWithOffset, LAST_INSTANT } from "../world/instants.ts";
import type { DeliveryFault } from "../world/interception.ts";
import type { Operation, ServiceEvent } from "../world/operation.ts";
import { hold } from "./holding.ts";

/** Puts an event into the outbox, and again under its legacy name if it has one and the world's settings want that. */
export function enqueue(operation: Operation, event: ServiceEvent): void {
  enqueueAs(operation, event, event.kind);
  const legacyName = operation.world.settings.legacy_refund_events ? legacyEventNames[event.kind] : undefined;
  if (legacyName) enqueueAs(operation, event, legacyName);
}

/** Puts an event into the outbox under a name; without a destination, it is stored as `undeliverable` (`D65`). */
function enqueueAs(operation: Operation, event: ServiceEvent, name: string): void {
  const { world, now } = operation;
  const webhookId = `evt_${world.random.base36Id("webhook", now)}`;
  const { envelopeId: transaction_id, username, clientId: client_id, data } = event;
  const destination = event.postbackUrl ?? defaultDestination(world, client_id);
  const entry = operation.record("webhook.created", event.subject.id, {
    webhook_id: webhookId,
    event: name,
    data,
    deliverable: destination !== null,
  });
  const caused = operation.because(entry);
  const strikable = { webhook_id: webhookId, event: name, transaction_id, username, client_id, data };
  const struck = destination === null ? null : world.interceptors.delivery(caused, strikable);
  const status = statusOf(destination, struck?.fault);
  world.webhooks.insert({
    webhook_id: webhookId,
    entry,
    event: name,
    subject_type: event.subject.type,
    subject: event.subject.id,
    transaction_id,
    username,
    client_id,
    destination,
    body: Buffer.from(JSON.stringify(envelope(event, name, now))),
    status,
    created_at: now,
    first_attempt_at: null,
    next_attempt_at: status === "pending" ? now : null,
  });
  if (status === "pending") send(struck ? operation.because(struck.entry) : caused, webhookId, struck?.fault);
}

function statusOf(destination: string | null, fault: DeliveryFault | undefined): WebhookStatus {
  if (destination === null) return "undeliverable";
  return fault?.kind === "drop" ? "dropped" : "pending";
}

/** Puts the first attempt on the clock, or does with it what a fault rule says. */
function send(operation: Operation, webhookId: string, fault: DeliveryFault | undefined): void {
  const { world, now } = operation;
  const attempt = { due: now, kind: ATTEMPT_TIMER, subject: webhookId };
  if (fault?.kind === "shuffle") hold(operation, fault.group, fault.count, webhookId);
  else if (fault?.kind === "delay") {
    const due = Math.min(now + fault.durationMs, LAST_INSTANT);
    operation.schedule({ ...attempt, due });
    world.webhooks.setStatus(webhookId, "pending", due);
  } else {
    operation.schedule({ ...attempt, payload: fault?.kind === "source" ? { source: fault.address } : {} });
    const copies = fault?.kind === "duplicate" ? fault.copies : 0;
    for (let copy = 0; copy < copies; copy++) operation.schedule({ ...attempt, payload: { duplicate: true } });
  }
}

/** The V2 envelope; `wallet_deposit` has none (`D66`). */
export function envelope(event: Pick<ServiceEvent, "kind" | "data" | "envelopeId">, name: string, now: number): object {
  if (!eventDefinitions[event.kind].enveloped) return event.data;
  return { event: name, timestamp: formatWithOffset(now), transaction_id: event.envelopeId, data: event.data };
}
