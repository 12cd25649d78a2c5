import { isBefore, type Timer, type TimerPlace, type TimerStore, timerId } from "../store/timers.ts";

/** Lanes of deliveries: within a lane they go one after another, in order; lanes do not wait for each other. */
export class Lanes {
  /** Lanes with a delivery in the air, each with the timers that wait behind it. */
  readonly #queues = new Map<string, Timer[]>();
  readonly #waiting = new Set<string>();
  /** All timers up to this place wait in a lane, if any waits; null if that is not known. */
  #place: TimerPlace | null = null;

  /** The first timer on the clock that waits in no lane: all that wait come before it. */
  firstBeside(timers: TimerStore): Timer | undefined {
    const added = timers.takeFirstAdded();
    if (this.#waiting.size === 0 || !this.#place) return timers.next();
    if (added && isBefore(added, this.#place)) this.#place = { due: added.due, sequence: added.sequence - 1 };
    return timers.after(this.#place, 1)[0];
  }

  /** Looks at all timers again: some may have come back to the clock, undone, or out of a lane that is stuck. */
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
