import { isBefore, type Place, type Timer, timerId } from "../store/timers.ts";

/** Lanes of deliveries: those of one lane go one after another, in order; lanes do not wait for each other. */
export class Lanes {
  /** Lanes with a delivery in the air, and what waits behind it. */
  readonly #queues = new Map<string, Timer[]>();
  readonly #waiting = new Set<string>();
  #place: Place | null = null;

  /** What is up to this place waits in a lane, to look for others behind it; null where none waits. */
  get place(): Place | null {
    return this.#waiting.size > 0 ? this.#place : null;
  }

  /** Something was put on the clock: where that is before what waits, it is still to be looked at. */
  lookAgainFrom(added: Place): void {
    if (this.place && isBefore(added, this.place)) this.#place = { due: added.due, sequence: added.sequence - 1 };
  }

  /** Takes a free lane. @returns false where a delivery is in the air in it; then the timer waits behind. */
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

  /** The next that waits in a lane, which leaves it. */
  next(lane: string): Timer | undefined {
    const timer = this.#queues.get(lane)?.shift();
    if (timer) this.#waiting.delete(timerId(timer));
    return timer;
  }

  /** Frees a lane; what waits in it is left to be found on the clock again. */
  free(lane: string): void {
    for (const timer of this.#queues.get(lane) ?? []) this.#waiting.delete(timerId(timer));
    this.#queues.delete(lane);
  }
}
