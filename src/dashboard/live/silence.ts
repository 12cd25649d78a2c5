/** Detects a sandbox that hangs, which refuses no call: it is asked periodically whether it answers. */
import { wakeAfter, whileSeen } from "../browser.ts";
import { Signal } from "./signal.ts";

/** How often it is asked, and how long it may take to answer so small a question. */
const PERIOD_MS = 5_000;
const PATIENCE_MS = 5_000;

/** Whether the last question has been unanswered for too long. */
export class Silence extends Signal<boolean> {
  readonly #ask: () => Promise<unknown>;
  #isAsking = false;

  /** @param ask makes a small request. */
  constructor(ask: () => Promise<unknown>) {
    super(false);
    this.#ask = ask;
  }

  /** Asks periodically, one question at a time, while the page is visible. @returns a function that ends it. */
  watch(): () => void {
    return whileSeen(PERIOD_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const callOff = wakeAfter(PATIENCE_MS, () => this.set(true));
    // A refusal is an answer; that nothing listens is reported by the stream.
    await this.#ask().catch(() => {});
    callOff();
    this.#isAsking = false;
    this.set(false);
  }
}
