/** One operation: one instant, one transaction, one cause. All of its work takes effect, or none. */
import type { EventKind } from "../domain/events.ts";
import type { Posting } from "../domain/ledger.ts";
import { required } from "../domain/required.ts";
import type { InputKind } from "../store/inputs.ts";
import type { Timer } from "../store/timers.ts";
import type { Instant } from "./instants.ts";
import type { World } from "./world.ts";

/** Something that happened to a resource, for followers such as scenarios. */
export interface Occurrence {
  /** `cashin.created`, an event kind, `webhook.delivered` … */
  readonly kind: string;
  /** The resource that steps of a scenario act on. */
  readonly subject: { readonly type: string; readonly id: string };
  /** The fields that `where` can look at. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An event of the service to be sent to the merchant. */
export interface ServiceEvent {
  readonly kind: EventKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly subject: { readonly type: string; readonly id: string };
  /** `transaction_id` of the envelope. */
  readonly envelopeId: string;
  readonly username: string;
  readonly clientId: string;
  /** The resource's own destination, which takes precedence over the credential's. */
  readonly postbackUrl: string | null;
}

/** A timer to schedule: like {@link Timer}, without what the operation knows by itself. */
interface Schedule {
  readonly due: Instant;
  readonly kind: string;
  readonly subject: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly recurring?: boolean;
  /** The service's own default at this instant: it runs after the steps of scenarios (interface, section 5). */
  readonly isDefault?: boolean;
}

/** Sequences of defaults start here, so that (instant, sequence) alone puts them last at their instant. */
const DEFAULT_BAND = 2 ** 44;

/** Passed to all code that changes a world, which writes under this operation's instant and cause. */
export class Operation {
  readonly world: World;
  readonly now: Instant;
  /** Its number among all operations of the world, from 1. */
  readonly ordinal: number;
  readonly cause: number | null;
  /** `file:line` of the scenario rule that acts; null if none does. */
  readonly rule: string | null;
  /** The cause that the operation began with. */
  readonly origin: number | null;

  constructor(
    world: World,
    now: Instant,
    ordinal: number,
    cause: number | null,
    rule: string | null,
    origin: number | null = cause,
  ) {
    this.world = world;
    this.now = now;
    this.ordinal = ordinal;
    this.cause = cause;
    this.rule = rule;
    this.origin = origin;
  }

  /** The same operation with another journal entry as the cause of what follows. */
  because(cause: number | null, rule: string | null = this.rule): Operation {
    return new Operation(this.world, this.now, this.ordinal, cause, rule, this.origin);
  }

  /** Writes a journal entry caused by this operation's cause. @returns its sequence. */
  record(kind: string, subject: string | null, data: Readonly<Record<string, unknown>>): number {
    const sequence = this.world.reserveEntry();
    this.write(sequence, kind, subject, data);
    return sequence;
  }

  /** Writes an entry whose sequence was reserved earlier, before the entries that it caused. */
  write(sequence: number, kind: string, subject: string | null, data: Readonly<Record<string, unknown>>): void {
    this.world.writeEntry({ sequence, at: this.now, kind, subject, cause: this.cause, rule: this.rule, data });
  }

  /** Stores the outside input of this operation, so that a replay can repeat it. */
  keepInput(kind: InputKind, data: unknown): void {
    this.world.inputs.insert({ ordinal: this.ordinal, kind, at: this.now, data: JSON.stringify(data) });
  }

  /** Puts a timer on the clock. */
  schedule({ due, kind, subject, payload = {}, recurring = false, isDefault = false }: Schedule): Timer {
    const sequence = this.world.random.next("timer") + (isDefault ? DEFAULT_BAND : 0);
    const timer = { due, sequence, kind, subject, cause: this.cause, rule: this.rule, recurring, payload };
    this.world.timers.insert(timer);
    return timer;
  }

  /** Posts to the ledger on behalf of a resource. */
  post(subject: string, postings: readonly Posting[]): void {
    const cause = required(this.cause, "The cause of a posting");
    for (const posting of postings) this.world.ledger.post(cause, this.now, subject, posting);
  }

  /** Tells the followers what happened. */
  occur(occurrence: Occurrence): void {
    for (const listener of this.world.followers.occurrences) listener(this, occurrence);
  }

  /** Hands an event to the outbox. */
  emit(event: ServiceEvent): void {
    for (const listener of this.world.followers.events) listener(this, event);
  }

  /** Runs work that may be refused: if it throws, what it wrote is undone, and the operation can go on. */
  attempt<Result>(work: () => Result): Result {
    return this.world.attempt(work);
  }
}
