/** Events become webhooks: bytes frozen, destination chosen, first attempt on the clock, in the event's transaction. */
import { eventDefinitions } from "../domain/events.ts";
import { defaultDestination } from "../service/accounts.ts";
import { formatWithOffset } from "../world/instants.ts";
import type { Operation, ServiceEvent } from "../world/operation.ts";
import { ATTEMPT_TIMER } from "./schedule.ts";

/** Puts an event into the outbox. Without a destination it is kept as `undeliverable` (`D65`). */
export function enqueue(operation: Operation, event: ServiceEvent): void {
  const { world, now } = operation;
  const webhookId = `evt_${world.random.base36Id("webhook", now, 24)}`;
  const destination = event.postbackUrl ?? defaultDestination(world, event.clientId);
  const entry = operation.record("webhook.created", event.subject.id, {
    webhook_id: webhookId,
    event: event.kind,
    data: event.data,
    deliverable: destination !== null,
  });
  world.webhooks.insert({
    webhook_id: webhookId,
    entry,
    event: event.kind,
    subject_type: event.subject.type,
    subject: event.subject.id,
    transaction_id: event.envelopeId,
    username: event.username,
    client_id: event.clientId,
    destination,
    body: Buffer.from(JSON.stringify(envelope(event, now))),
    status: destination === null ? "undeliverable" : "pending",
    created_at: now,
    first_attempt_at: null,
    next_attempt_at: destination === null ? null : now,
  });
  if (destination === null) return;
  operation.because(entry).schedule({ due: now, kind: ATTEMPT_TIMER, subject: webhookId });
}

/** The V2 envelope; `wallet_deposit` goes without (`D66`). */
function envelope(event: ServiceEvent, now: number): object {
  if (!eventDefinitions[event.kind].enveloped) return event.data;
  return { event: event.kind, timestamp: formatWithOffset(now), transaction_id: event.envelopeId, data: event.data };
}
