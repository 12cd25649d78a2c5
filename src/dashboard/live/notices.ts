import { wakeAfter } from "../browser.ts";
import { ControlError } from "../wire/control.ts";
import { Signal } from "./signal.ts";

interface Notice {
  readonly id: number;
  /** `wait`: it was done, but something needs attention. */
  readonly tone: "good" | "wait" | "bad";
  readonly text: string;
}

const SHOWN_MS = { good: 5_000, wait: 12_000, bad: 12_000 } as const;

/** Messages of the page about what it did: shown for a while, and read aloud by screen readers. */
export class Notices extends Signal<readonly Notice[]> {
  #count = 0;

  constructor() {
    super([]);
  }

  say(text: string, tone: Notice["tone"] = "good"): void {
    const notice = { id: ++this.#count, tone, text };
    this.set([...this.value.slice(-3), notice]);
    wakeAfter(SHOWN_MS[tone], () => this.dismiss(notice.id));
  }

  dismiss(id: number): void {
    this.set(this.value.filter((notice) => notice.id !== id));
  }

  /**
   * Waits for some work, and reports its outcome.
   * @param words null if success shows by itself; a refusal is reported all the same.
   * @returns the result; undefined if it was refused.
   */
  async report<Result>(
    work: Promise<Result>,
    words: string | null | ((result: Result) => string),
  ): Promise<Result | undefined> {
    try {
      const result = await work;
      if (words !== null) this.say(typeof words === "string" ? words : words(result));
      return result;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.say(error.message, "bad");
      return undefined;
    }
  }
}
