import type { Instant } from "./instants.ts";

interface Waiter {
  readonly instant: Instant;
  readonly resolve: (isDone: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Callers that wait until nothing due by the instant of their call is left or in the air. */
export class Waiters {
  #waiting: Waiter[] = [];

  /** @returns whether it was done; false if it was given up. */
  wait(instant: Instant): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ instant, resolve, reject });
    });
  }

  /** Resolves those whose instant has nothing left to do. */
  answer(isAllDone: (instant: Instant) => boolean): void {
    const isDone = ({ instant }: Waiter) => isAllDone(instant);
    const done = this.#waiting.filter(isDone);
    if (done.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !isDone(waiter));
    for (const { resolve } of done) resolve(true);
  }

  /** Tells all that what they wait for does not come. */
  giveUp(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(false);
  }

  /** Rejects all of them. */
  fail(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
