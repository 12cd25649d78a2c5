/** The world's clock as the page shows it between two readings: it runs on here at the world's speed. */
import { wallNow, whileSeen } from "../browser.ts";
import type { Clock, JournalEntry } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { dateText, instantOf } from "../words/instants.ts";
import { Pace } from "./pace.ts";
import { Signal } from "./signal.ts";

/** What the clock bar shows. */
interface ClockReading {
  readonly clock: Clock;
  /** The virtual instant that was read, in milliseconds, and the wall clock's instant at that moment. */
  readonly virtualMs: number;
  readonly wallMs: number;
}

/** How often a running clock is checked for a new day or a timer that has come due. */
const PERIOD_MS = 1_000;

/** Where the clock of every world ends. */
const END_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** The clock's last reading, repeated when something touches the clock; null before the first. */
export class ClockFace extends Signal<ClockReading | null> {
  /** The current virtual day, which instants on the page leave out. */
  readonly today = new Signal("");
  readonly #control: Control;
  readonly #pace = new Pace(() => this.#read(), { rest: 0 });
  /** The instant of the last entry since the reading under way was asked for: its answer may be from before that. */
  #followedMs = 0;

  constructor(control: Control) {
    super(null);
    this.#control = control;
    this.listen(() => this.#tellDay());
  }

  /** The virtual instant now, in milliseconds; 0 before the clock has been read. */
  now(): number {
    if (!this.value) return 0;
    const { clock, virtualMs, wallMs } = this.value;
    return clock.mode === "frozen" ? virtualMs : Math.min(virtualMs + (wallNow() - wallMs) * clock.speed, END_MS);
  }

  show(clock: Clock, virtualMs = Date.parse(clock.now)): void {
    this.set({ clock, virtualMs, wallMs: wallNow() });
  }

  /** Follows the instants of journal entries while an advance is under way. */
  follow(entries: readonly JournalEntry[]): void {
    const last = entries.at(-1);
    if (!this.value || !last) return;
    const virtualMs = Date.parse(last.at);
    this.#followedMs = virtualMs;
    if (virtualMs > this.now()) this.set({ ...this.value, virtualMs, wallMs: wallNow() });
  }

  /** Follows running time: a day may begin, or a timer pass that leaves no entry. @returns a function that ends it. */
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
    this.#followedMs = 0;
    const clock = await this.#control.get<Clock>("/clock").catch(() => null);
    if (clock) this.show(clock, Math.max(Date.parse(clock.now), this.#followedMs));
  }
}
