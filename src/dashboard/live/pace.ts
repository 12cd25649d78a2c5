/** Work that is asked for more often than it can be done: one at a time, and once more after the last asking. */
import { delay } from "../browser.ts";

/** Between two times that it is done. */
const PAUSE_MS = 120;

export class Pace {
  readonly #work: () => Promise<void>;
  readonly #pauseMs: number;
  #asked = false;
  #running: Promise<void> | null = null;

  constructor(work: () => Promise<void>, pauseMs = PAUSE_MS) {
    this.#work = work;
    this.#pauseMs = pauseMs;
  }

  /** Resolves when the work has been done since this call. */
  ask(): Promise<void> {
    this.#asked = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#asked) {
        this.#asked = false;
        await this.#work();
        if (this.#asked) await delay(this.#pauseMs);
      }
    } finally {
      this.#running = null;
    }
  }
}
