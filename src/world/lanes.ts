/** Lanes of deliveries: those of one lane go one after another, in order; lanes do not wait for each other. */
import type { Timer } from "../store/timers.ts";

export class Lanes {
  /** Lanes with a delivery in the air, and what waits behind it. */
  readonly #queues = new Map<string, Timer[]>();
  #waiting = 0;
  #last: Timer | null = null;

  /** The last timer that waits in a lane, to look for others behind it; null where none waits. */
  get lastWaiting(): Timer | null {
    return this.#waiting > 0 ? this.#last : null;
  }

  /** Takes a free lane. @returns false where a delivery is in the air in it; then the timer waits behind. */
  take(lane: string, timer: Timer): boolean {
    const queue = this.#queues.get(lane);
    if (!queue) {
      this.#queues.set(lane, []);
      return true;
    }
    queue.push(timer);
    this.#waiting++;
    this.#last = timer;
    return false;
  }

  /** The next that waits in a lane, which leaves it. */
  next(lane: string): Timer | undefined {
    const timer = this.#queues.get(lane)?.shift();
    if (timer) this.#waiting--;
    return timer;
  }

  /** Frees a lane; what waits in it is left to be found on the clock again. */
  free(lane: string): void {
    this.#waiting -= this.#queues.get(lane)?.length ?? 0;
    this.#queues.delete(lane);
  }
}
