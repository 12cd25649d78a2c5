/** When work goes on that cannot go on at once. */
import { nextTurn, wakeAfter } from "../runtime.ts";

/** Goes on in a later turn of the process, or after a while. */
export class Turns {
  readonly #goOn: () => void;
  #isAsked = false;
  #stopWaking: () => void = () => {};

  constructor(goOn: () => void) {
    this.#goOn = goOn;
  }

  /** Whether a turn was asked for that has not come yet. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  /** Asks for a turn, unless one is asked for already. @param turns after how many turns of the process it comes. */
  ask(turns?: number): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    nextTurn(() => {
      this.#isAsked = false;
      this.#goOn();
    }, turns);
  }

  /** Goes on after so long in real time, and at none of the times that were said before. @param delayMs null for never. */
  sleep(delayMs: number | null): void {
    this.#stopWaking();
    if (delayMs !== null) this.#stopWaking = wakeAfter(Math.ceil(delayMs), this.#goOn);
  }
}
