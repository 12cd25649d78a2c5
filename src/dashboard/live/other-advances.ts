/** Advances of the clock that others have asked for: the journal tells when they were, and settling when they are done. */
import { wakeAfter } from "../browser.ts";
import type { JournalEntry } from "../wire/answers.ts";
import { type Control, ControlError } from "../wire/control.ts";
import type { Feed } from "./feed.ts";
import { Signal } from "./signal.ts";

const ADVANCE = "POST /clock/advance";

/** One that is done by then is not told of. */
const TOLD_AFTER_MS = 300;

/** `ahead`: it was asked for before the page's own, which waits for it. Advances have their turns as they were asked for. */
export type OtherAdvance = "none" | "under way" | "ahead";

/** What is known of them. */
export class OtherAdvances extends Signal<OtherAdvance> {
  readonly #control: Pick<Control, "post">;
  /** What the page's own advance has asked for, until its entry comes. */
  #own: string | null = null;
  /** What the one asked for last is to this page. */
  #latest: OtherAdvance = "none";
  /** Whether one was asked for since the world was last asked to settle. */
  #isMore = false;
  #isWatching = false;

  constructor(control: Pick<Control, "post">, feed: Pick<Feed, "take">) {
    super("none");
    this.#control = control;
    feed.take((entries) => this.#look(entries));
  }

  /** Says that the page asks for an advance itself, or that it was refused. */
  expect(body: object | null): void {
    this.#own = body && JSON.stringify(body);
  }

  /** Says that the one under way has been called off. */
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

  /** The world settles once no advance is left. It is asked once at a time: a run of tests may advance without end. */
  async #watch(what: OtherAdvance): Promise<void> {
    [this.#latest, this.#isMore] = [what, true];
    if (this.#isWatching) return;
    this.#isWatching = true;
    const callOff = wakeAfter(TOLD_AFTER_MS, () => this.set(this.#latest));
    try {
      for (; this.#isMore; await this.#control.post("/clock/settle")) this.#isMore = false;
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
    } finally {
      callOff();
      this.#isWatching = false;
      this.set("none");
    }
  }
}
