/** Carries out what the lifecycle tables say: status, postings, journal and events, in one operation. */
import type { EventKind } from "../domain/events.ts";
import { eventDefinitions } from "../domain/events.ts";
import { fillPostings, type Parties, type Posting, type TransitionCurrencies } from "../domain/ledger.ts";
import type { LifecycleName, StateOf, TriggerOf } from "../domain/lifecycles.ts";
import { resolveTransition } from "../domain/machine.ts";
import type { MinorUnits } from "../domain/money.ts";
import type { Occurrence, Operation, ServiceEvent } from "../world/operation.ts";

/** An event of a resource, without its kind and subject. */
export type Announcement = Omit<ServiceEvent, "kind" | "subject">;

/** A trigger on a resource, with everything that its row of the lifecycle table may need. */
export interface TransitionRequest<Name extends LifecycleName, Resource> {
  readonly lifecycle: Name;
  readonly id: string;
  /** null: the trigger creates the resource. */
  readonly state: StateOf<Name> | null;
  readonly trigger: TriggerOf<Name>;
  readonly currencies: TransitionCurrencies;
  readonly parties: Parties;
  /** The figures that the posting templates name, in minor units. */
  readonly figures: Readonly<Record<string, MinorUnits>>;
  /** Writes the resource with the status that the table gives. */
  readonly write: (status: StateOf<Name>) => Resource;
  /** Whether an event of the row is sent (`D32`); if left out, all are. */
  readonly sends?: (kind: EventKind) => boolean;
  /** The event's data and destination, once per recipient; called after the money has moved. */
  readonly events: (kind: EventKind, resource: Resource) => readonly Announcement[];
  /** The occurrence that only scenarios see, such as `cashin.created`, with the fields that `where` may test. */
  readonly occurrence?: (resource: Resource) => { kind: string; fields: Record<string, unknown> };
  /** Runs after the events; what it does is caused by the transition. */
  readonly follow?: (caused: Operation, resource: Resource) => void;
}

/**
 * Applies a trigger.
 * @returns the resource as written.
 * @throws {InvalidTransition} when its state does not allow the trigger; nothing has been written then.
 */
export function applyTransition<Name extends LifecycleName, Resource>(
  operation: Operation,
  request: TransitionRequest<Name, Resource>,
): Resource {
  const { lifecycle, id, state, trigger, currencies, parties } = request;
  const row = resolveTransition(lifecycle, state, trigger);
  const postings = fillPostings(row.postings, currencies, request.figures, parties);
  const shown = postings.map((posting) => shownPosting(operation, posting));
  const data = { resource: lifecycle, from: state, trigger, to: row.to, postings: shown };
  const caused = operation.because(operation.record("transition", id, data));
  const resource = request.write(row.to);
  caused.post(id, postings);
  announceTransition(caused, request, resource, row.events);
  request.follow?.(caused, resource);
  return resource;
}

function announceTransition<Resource>(
  operation: Operation,
  request: Omit<TransitionRequest<LifecycleName, Resource>, "write" | "trigger" | "state">,
  resource: Resource,
  events: readonly EventKind[],
): void {
  const subject = { type: request.lifecycle, id: request.id };
  const own = request.occurrence?.(resource);
  if (own) operation.occur({ ...own, subject });
  for (const kind of events) {
    if (request.sends && !request.sends(kind)) continue;
    for (const event of request.events(kind, resource)) announce(operation, kind, subject, event);
  }
}

/** Sends an event about a resource, and lets scenarios see it. */
export function announce(
  operation: Operation,
  kind: EventKind,
  subject: Occurrence["subject"],
  event: Announcement,
): void {
  // Parsing checks what we send and puts the fields in the order of the specification.
  const data = eventDefinitions[kind].data.parse(event.data);
  operation.emit({ ...event, kind, subject, data });
  operation.occur({ kind, subject, fields: { ...data, username: event.username } });
}

function shownPosting(operation: Operation, posting: Posting) {
  return { ...posting, amount: operation.world.currencies.format(posting.amount, posting.currency) };
}
