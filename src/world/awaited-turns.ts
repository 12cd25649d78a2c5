/** How far an advance to an event goes once only recurring timers are left. */
import type { TimerStore, Turn } from "../store/timers.ts";
import type { Instant } from "./instants.ts";

/**
 * One more turn of each recurring timer that may cause the event. A turn that a rule lets go by, because of its `skip`,
 * `chance` or `from`, is not the one: that comes later.
 */
export class AwaitedTurns {
  readonly #timers: TimerStore;
  /** By subject, the instant of its turn. */
  readonly #dues = new Map<string, Instant>();
  /** The subjects whose turn of that instant goes by. */
  readonly #passing = new Set<string>();

  constructor(timers: TimerStore) {
    this.#timers = timers;
    for (const turn of timers.turns()) this.#note(turn);
  }

  /** The instant by which they have all come, as far as is known now; null if there are none. */
  get until(): Instant | null {
    if (this.#passing.size > 0) this.#follow();
    return this.#dues.size > 0 ? Math.max(...this.#dues.values()) : null;
  }

  #note({ subject, due, isPassing }: Turn): void {
    this.#dues.set(subject, due);
    if (isPassing) this.#passing.add(subject);
    else this.#passing.delete(subject);
  }

  /** Takes the next turn in place of each that has gone by. */
  #follow(): void {
    const turns = new Map(this.#timers.turns().map((turn) => [turn.subject, turn]));
    for (const subject of [...this.#passing]) {
      const turn = turns.get(subject);
      if (turn) this.#note(turn);
      else this.#forget(subject);
    }
  }

  /** Its rule has no further turn. */
  #forget(subject: string): void {
    this.#dues.delete(subject);
    this.#passing.delete(subject);
  }
}
