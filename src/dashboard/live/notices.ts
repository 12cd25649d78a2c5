import { wakeAfter } from "../browser.ts";
import { ControlError } from "../wire/control.ts";
import { Signal } from "./signal.ts";

interface Notice {
  readonly id: number;
  /** `wait`: it was done, and there is something to see to. */
  readonly tone: "good" | "wait" | "bad";
  readonly text: string;
}

const SHOWN_MS = { good: 5_000, wait: 12_000, bad: 12_000 } as const;

/** What the page says about what it did: shown for a while, and read aloud. */
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
   * Does something, and says what came of it.
   * @param words null where that shows by itself; a refusal is said all the same.
   * @returns what it gave; undefined where it was refused.
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
