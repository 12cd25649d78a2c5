/** When to go on with work that cannot go on at once. */
import { nextTurn, wakeAfter } from "../runtime.ts";

/** Calls back in a later turn of the event loop, or after a delay. */
export class Turns {
  readonly #goOn: () => void;
  #isAsked = false;
  #stopWaking: () => void = () => {};

  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  /** Whether a turn was requested that has not come yet. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Requests a turn, unless one is requested already. @param turns after how many turns of the event loop. */
  ask(turns?: number): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    nextTurn(() => {
      this.#isAsked = false;
      this.#goOn();
    }, turns);
  }

  /** Calls back after a delay in real time, in place of any earlier one. @param delayMs null for never. */
  sleep(delayMs: number | null): void {
    this.#stopWaking();
    if (delayMs !== null) this.#stopWaking = wakeAfter(Math.ceil(delayMs), this.#goOn);
  }
}
