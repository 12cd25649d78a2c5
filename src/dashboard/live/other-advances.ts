/** Advances of the clock by others: the journal shows when they were requested, settling shows when they are done. */
import { delay, wakeAfter } from "../browser.ts";
import type { JournalEntry } from "../wire/answers.ts";
import { type Control, ControlError } from "../wire/control.ts";
import type { Feed } from "./feed.ts";
import { Emitter, Signal } from "./signal.ts";

const ADVANCE = "POST /clock/advance";

/** An advance that is done within this time is not shown. */
const TOLD_AFTER_MS = 300;

/** How long a question about the end may wait for its answer, at first and at most, and the pause after it. */
const FIRST_PATIENCE_MS = 500;
const LONGEST_PATIENCE_MS = 4_000;
const PAUSE_MS = 1_000;

/** `ahead`: requested before the page's own, which waits for it, as advances run in the order of their requests. */
export type OtherAdvance = "none" | "under way" | "ahead";

/** Whether an advance of somebody else is under way. */
export class OtherAdvances extends Signal<OtherAdvance> {
  /** Emits when no advance is left: the last stretch of time may have passed without an entry. */
  readonly ended = new Emitter();
  readonly #control: Pick<Control, "postWithin">;
  /** The body of the page's own advance, until its journal entry comes. */
  #own: string | null = null;
  /** How the advance requested last relates to that of this page. */
  #latest: OtherAdvance = "none";
  /** Whether one was requested since the last call to settle. */
  #isMore = false;
  #isWatching = false;

  constructor(control: Pick<Control, "postWithin">, feed: Pick<Feed, "take">) {
    super("none");
    this.#control = control;
    feed.take((entries) => this.#look(entries));
  }

  /** Tells that the page requests an advance itself, or (null) that it was refused. */
  expect(body: object | null): void {
    this.#own = body && JSON.stringify(body);
  }

  /** Tells that the advance under way has been canceled. */
  forget(): void {
    this.#latest = "none";
    this.set("none");
  }

  #look(entries: readonly JournalEntry[]): void {
    for (const { kind, data } of entries) {
      if (kind !== "control" || data.call !== ADVANCE) continue;
      if (this.#own !== null && JSON.stringify(data.input) === this.#own) this.#own = null;
      else void this.#watch(this.#own === null ? "under way" : "ahead");
    }
  }

  /** Waits until the world settles, so that no advance is left; one call at a time, as tests may advance endlessly. */
  async #watch(what: OtherAdvance): Promise<void> {
    [this.#latest, this.#isMore] = [what, true];
    if (this.#isWatching) return;
    this.#isWatching = true;
    const callOff = wakeAfter(TOLD_AFTER_MS, () => this.set(this.#latest));
    try {
      for (; this.#isMore; await this.#settled()) this.#isMore = false;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
    } finally {
      callOff();
      this.#isWatching = false;
      this.set("none");
      this.ended.emit();
    }
  }

  /**
   * Resolves when nothing is under way. Asked in short questions: a browser has six connections to a sandbox for all of
   * its pages, and none would be left by which to cancel the advance.
   */
  async #settled(): Promise<void> {
    let patienceMs = FIRST_PATIENCE_MS;
    while (!(await this.#control.postWithin("/clock/settle", patienceMs))) {
      patienceMs = Math.min(2 * patienceMs, LONGEST_PATIENCE_MS);
      await delay(PAUSE_MS);
    }
  }
}
