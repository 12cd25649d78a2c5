import { isBefore, type Place, type Timer, timerId } from "../store/timers.ts";

/** Lanes of deliveries: within a lane they go one after another, in order; lanes do not wait for each other. */
export class Lanes {
  /** Lanes with a delivery in the air, each with the timers that wait behind it. */
  readonly #queues = new Map<string, Timer[]>();
  readonly #waiting = new Set<string>();
  #place: Place | null = null;

  /** All timers up to this place wait in a lane: the next to run is behind it. Null if that is not known, or none waits. */
  get place(): Place | null {
    return this.#waiting.size > 0 ? this.#place : null;
  }

  /** A timer was put on the clock: moves {@link place} back to right before it if it comes earlier. */
  lookAgainFrom(added: Place): void {
    if (this.place && isBefore(added, this.place)) this.#place = { due: added.due, sequence: added.sequence - 1 };
  }

  /** Forgets {@link place}: timers before it may have come back to the clock, undone, or out of a lane that is stuck. */
  lookAgain(): void {
    this.#place = null;
  }

  /** Takes a free lane. @returns false if the lane has a delivery in the air; the timer then waits in the lane. */
  take(lane: string, timer: Timer): boolean {
    const queue = this.#queues.get(lane);
    if (!queue) {
      this.#queues.set(lane, []);
      return true;
    }
    if (!this.#waiting.has(timerId(timer))) {
      queue.splice(queue.findLastIndex((other) => isBefore(other, timer)) + 1, 0, timer);
      this.#waiting.add(timerId(timer));
    }
    this.#place = timer;
    return false;
  }

  /** Removes and returns the next timer that waits in a lane. */
  next(lane: string): Timer | undefined {
    const timer = this.#queues.get(lane)?.shift();
    if (timer) this.#waiting.delete(timerId(timer));
    return timer;
  }

  /** Frees a lane; timers that wait in it will be found on the clock again. */
  free(lane: string): void {
    for (const timer of this.#queues.get(lane) ?? []) this.#waiting.delete(timerId(timer));
    this.#queues.delete(lane);
  }
}
