/**
 * Delivery of the outbox: prepare in a transaction, send outside of one, record in a transaction. If the process dies
 * while a request is in the air, the attempt is made again after the restart: delivery is at least once.
 */
import { INBOX } from "../domain/destinations.ts";
import type { Settings } from "../domain/settings.ts";
import { ATTEMPT_TIMER } from "../domain/webhook-schedule.ts";
import { type AttemptResult, unanswered } from "../store/attempts.ts";
import type { Timer } from "../store/timers.ts";
import type { Courier, Landing } from "../world/courier.ts";
import type { Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { INBOX_ANSWER, type PreparedAttempt, prepareDue, recordAttempt } from "./attempts.ts";

/** One request to a receiver. */
export interface OutgoingRequest {
  readonly destination: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Where webhooks may go; with `any`, any certificate is accepted (`D63`). */
  readonly targets: Settings["webhook_targets"];
  /** The address that it is sent from instead of the configured one (fault `source`). */
  readonly sourceAddress?: string;
}

/** What becomes of an attempt by hand whose answer nobody waits for any more. */
const WHY = "The sandbox was stopped, or this world was copied from it, before an answer came.";
const INTERRUPTED = unanswered({ kind: "interrupted", message: WHY }, 0);

/** Sends a request; never throws: errors are part of the result. */
export type Send = (request: OutgoingRequest) => Promise<AttemptResult>;

/** The courier of a world's runner: it delivers webhooks. */
export class Delivery implements Courier {
  readonly kind = ATTEMPT_TIMER;
  readonly #world: World;
  readonly #send: Send | null;
  #abandoned = false;
  /** Callbacks that give up the attempts of {@link flyByHand}. */
  readonly #givingUp = new Set<() => void>();

  /** @param send null in a replay, which sends nothing. */
  constructor(world: World, send: Send | null) {
    this.#world = world;
    this.#send = send;
  }

  /** The world goes away: results of attempts in the air are no longer recorded. */
  abandon(): void {
    this.#abandoned = true;
    for (const giveUp of this.#givingUp) giveUp();
  }

  /** Puts attempts that were in the air when the process died back on the clock; those by hand are not made again. */
  recover(): void {
    if (!this.#world.attempts.hasOpen()) return;
    this.#world.operate((operation) => {
      operation.keepInput("restart", {});
      const { attempts, timers } = operation.world;
      for (const { webhook_id, timer, source, duplicate, cause } of attempts.takeOpen()) {
        const attempt = { kind: ATTEMPT_TIMER, subject: webhook_id, payload: { source, duplicate } };
        timers.insert({ ...timer, ...attempt, cause, rule: null, recurring: false });
      }
      for (const position of attempts.openByHand()) attempts.close(position, INTERRUPTED);
    });
  }

  /** Attempts to one destination keep their order. */
  lane(timer: Timer): string {
    return this.#world.webhooks.get(timer.subject)?.destination ?? "";
  }

  takesTime(lane: string): boolean {
    return lane !== INBOX;
  }

  carry(timer: Timer, isLate: boolean): Promise<Landing> | null {
    const { attempt, kept } = this.dispatch(timer, isLate ? this.#world.clock.now() : timer.due);
    return attempt && kept.then(() => this.fly(attempt));
  }

  /**
   * Takes the timer off the clock and opens its attempt; null if nothing is to be sent. Send it only after `kept`
   * resolves: otherwise a webhook could go out for something that was undone.
   * @param at when it is sent: later than it was due if it waited while time flowed.
   */
  dispatch(timer: Timer, at: Instant): { attempt: PreparedAttempt | null; kept: Promise<void> } {
    const prepare = (operation: Operation) => {
      operation.keepInput("dispatch", { due: timer.due, sequence: timer.sequence });
      return prepareDue(operation, timer);
    };
    const { result: attempt, kept } = this.#world.operateTogether(prepare, at, timer.cause);
    return { attempt, kept };
  }

  /** Sends an open attempt. @returns a function that records how it ended; never resolves in a replay. */
  async fly(attempt: PreparedAttempt): Promise<Landing> {
    if (!this.#send) return new Promise(() => {});
    const result = attempt.request.destination === INBOX ? INBOX_ANSWER : await this.#send(attempt.request);
    return () => this.land(attempt, result);
  }

  /** Like {@link fly}, for a caller that waits for the result: resolves as soon as the world goes away. */
  flyByHand(attempt: PreparedAttempt): Promise<Landing> {
    if (this.#abandoned) return Promise.resolve(() => {});
    return new Promise((resolve, reject) => {
      const giveUp = () => resolve(() => {});
      this.#givingUp.add(giveUp);
      const end = () => this.#givingUp.delete(giveUp);
      this.fly(attempt).then(resolve, reject).finally(end);
    });
  }

  /** Records how an attempt ended, unless the world has gone away. */
  land(attempt: PreparedAttempt, result: AttemptResult): void {
    if (this.#abandoned) return;
    const write = (operation: Operation) => {
      operation.keepInput("landing", { attempt: attempt.position });
      recordAttempt(operation, attempt, result);
    };
    this.#world.operateTogether(write, undefined, attempt.cause);
  }
}
