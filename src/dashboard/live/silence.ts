/** A sandbox that hangs refuses nothing: that it answers shows by what it answers, and is asked where it says nothing. */
import { wakeAfter, whileSeen } from "../browser.ts";
import { Signal } from "./signal.ts";

/** How often it is asked, and how long it may take: by then anything that lives has answered a question so small. */
const PERIOD_MS = 5_000;
const PATIENCE_MS = 5_000;

/** Whether what was asked last has not been answered for a while. */
export class Silence extends Signal<boolean> {
  readonly #ask: () => Promise<unknown>;
  #isAsking = false;

  /** @param ask asks something small. */
  constructor(ask: () => Promise<unknown>) {
    super(false);
    this.#ask = ask;
  }

  /** Asks again and again, one question at a time, while somebody looks at the page. @returns what ends it. */
  watch(): () => void {
    return whileSeen(PERIOD_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const callOff = wakeAfter(PATIENCE_MS, () => this.set(true));
    // A refusal is an answer, and that nothing is there the stream tells.
    await this.#ask().catch(() => {});
    callOff();
    this.#isAsking = false;
    this.set(false);
  }
}
