import type { Timer } from "../store/timers.ts";
import type { Instant } from "./instants.ts";
import { timersBut } from "./timer-work.ts";
import type { World } from "./world.ts";

/**
 * What waits though it is due: timers that came due on a running clock while the process could not run, since it was
 * stopped or asleep, or had too much to do; and timers that deliveries in the air hold up.
 */
export class Backlog {
  readonly #world: World;
  readonly #deliveries: string;
  /** What is due by then is late; one instant, so that a very fast clock does not add to it for ever. */
  #by: Instant | null = null;

  /** @param deliveries the kind of timer that is a delivery. */
  constructor(world: World, deliveries: string) {
    this.#world = world;
    this.#deliveries = deliveries;
  }

  /**
   * Runs the late timers, each at its own instant, before anything is sent or recorded at the present one, which would
   * leave only that to them. Deliveries are not among them: what is sent late is sent now.
   * @param first the first timer that the flow of time brings, if any.
   * @param options.isPressing whether something waits to be recorded at the present: all that is due is then late.
   * @param options.most how many to run at most.
   * @param run runs a timer; false if it cannot be run now.
   * @returns whether none of them is left.
   */
  workOff(
    first: Timer | undefined,
    { isPressing, most }: { isPressing: boolean; most: number },
    run: (timer: Timer) => boolean,
  ): boolean {
    const { clock } = this.#world;
    if (!first || first.due > clock.now()) this.#by = null;
    else if (isPressing || clock.isLongPast(first.due)) this.#by ??= clock.now();
    if (!first || this.#by === null) return true;
    let left = most;
    for (const timer of timersBut(this.#world, this.#deliveries, { by: this.#by, most, from: first })) {
      if (!run(timer)) return false;
      left--;
    }
    if (left === 0) return false;
    this.#by = null;
    return true;
  }

  /** The first timer that is no delivery. */
  first(): Timer | undefined {
    return this.#world.timers.firstBut(this.#deliveries);
  }

  /** The timers that deliveries in the air hold up, in order, except those about the subjects of these deliveries. */
  heldUp(by: Instant, most: number): Generator<Timer> {
    const except = this.#world.attempts.openSubjects();
    return timersBut(this.#world, this.#deliveries, { by, most, except });
  }
}
