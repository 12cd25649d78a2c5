import { delay, wallNow } from "../browser.ts";

/** The least pause between two runs of the work. */
const PAUSE_MS = 120;

/** The pause is also this many times as long as the work took, up to a bound, to spare the sandbox expensive calls. */
const REST = 4;
const LONGEST_REST_MS = 3_000;

/** Work requested more often than it can be done: it runs one at a time, and once more after the last request. */
export class Pace {
  readonly #work: () => Promise<void>;
  readonly #pauseMs: number;
  readonly #rest: number;
  #asked = false;
  #running: Promise<void> | null = null;

  constructor(work: () => Promise<void>, { pauseMs = PAUSE_MS, rest = REST } = {}) {
    this.#work = work;
    this.#pauseMs = pauseMs;
    this.#rest = rest;
  }

  /** Resolves when the work has been done at least once since this call. */
  ask(): Promise<void> {
    this.#asked = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#asked) {
        this.#asked = false;
        const begunMs = wallNow();
        await this.#work();
        if (this.#asked) await this.#pause(wallNow() - begunMs);
      }
    } finally {
      this.#running = null;
    }
  }

  #pause(tookMs: number): Promise<void> {
    return delay(Math.max(this.#pauseMs, Math.min(this.#rest * tookMs, LONGEST_REST_MS)));
  }
}
