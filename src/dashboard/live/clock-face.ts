/** The world's clock as the page shows it between two looks at it: it flows here at the speed that it flows there. */
import { wallNow, whileSeen } from "../browser.ts";
import type { Clock, JournalEntry } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { dateText, instantOf } from "../words/instants.ts";
import { Pace } from "./pace.ts";
import { Signal } from "./signal.ts";

/** What the clock bar shows. */
export interface ClockReading {
  readonly clock: Clock;
  /** The virtual instant that was read, in milliseconds, and the machine's at which it was. */
  readonly virtualMs: number;
  readonly wallMs: number;
}

/** How often it is looked whether the time that flows has come to something. */
const PERIOD_MS = 1_000;

/** Read again when something touches the clock; null before it has been read. */
export class ClockFace extends Signal<ClockReading | null> {
  /** The virtual day, which goes without saying in its instants. */
  readonly today = new Signal("");
  readonly #control: Control;
  readonly #pace = new Pace(() => this.#read(), { rest: 0 });

  constructor(control: Control) {
    super(null);
    this.#control = control;
    this.listen(() => this.#tellDay());
  }

  /** The virtual instant now, in milliseconds; 0 before the clock has been read. */
  now(): number {
    if (!this.value) return 0;
    const { clock, virtualMs, wallMs } = this.value;
    return clock.mode === "frozen" ? virtualMs : virtualMs + (wallNow() - wallMs) * clock.speed;
  }

  show(clock: Clock): void {
    this.set({ clock, virtualMs: Date.parse(clock.now), wallMs: wallNow() });
  }

  /** Goes along with what happens while an advance is under way. */
  follow(entries: readonly JournalEntry[]): void {
    const last = entries.at(-1);
    if (!this.value || !last) return;
    const virtualMs = Date.parse(last.at);
    if (virtualMs > this.now()) this.set({ ...this.value, virtualMs, wallMs: wallNow() });
  }

  /** Goes along with the time that flows: a day may begin, and a timer pass that leaves no entry. @returns what ends it. */
  flow(): () => void {
    return whileSeen(PERIOD_MS, () => {
      this.#tellDay();
      const next = this.value?.clock.next_timer_at;
      if (next && Date.parse(next) < this.now()) void this.touch();
    });
  }

  touch(): Promise<void> {
    return this.#pace.ask();
  }

  #tellDay(): void {
    this.today.set(dateText(instantOf(this.now())));
  }

  async #read(): Promise<void> {
    const clock = await this.#control.get<Clock>("/clock").catch(() => null);
    if (clock) this.show(clock);
  }
}
