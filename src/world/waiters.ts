import type { Instant } from "./instants.ts";

interface Waiter {
  readonly instant: Instant;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Those who wait until nothing is left that was due, or in the air, at the instant that they asked at. */
export class Waiters {
  #waiting: Waiter[] = [];

  wait(instant: Instant): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ instant, resolve, reject });
    });
  }

  /** Answers those for whose instant all is done. */
  answer(isAllDone: (instant: Instant) => boolean): void {
    const isDone = ({ instant }: Waiter) => isAllDone(instant);
    const done = this.#waiting.filter(isDone);
    if (done.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !isDone(waiter));
    for (const { resolve } of done) resolve();
  }

  /** Tells all that it will not come to that. */
  fail(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
