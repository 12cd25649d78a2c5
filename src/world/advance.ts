/** One advance of the clock: what it aims at, how far it has come, and what it came to. */
import type { JournalEntry } from "../store/journal.ts";
import { formatInstant, type Instant, LAST_INSTANT } from "./instants.ts";
import type { World } from "./world.ts";

/** What an advance aims at. A duration counts from where the advance begins, which is later where others queue before. */
export type AdvanceTarget =
  | { readonly kind: "by"; readonly durationMs: number }
  | { readonly kind: "to"; readonly instant: Instant }
  /** Through the next timer, and what is delivered at that instant. */
  | { readonly kind: "next" }
  /** Until nothing waits but recurring timers. */
  | { readonly kind: "idle" }
  /**
   * Through the next event of a kind, and what is delivered at that instant. To idle where it never comes: it may come
   * of a recurring timer, so each of those that are left has one more turn, but those that bring no event about.
   */
  | { readonly kind: "event"; readonly event: string };

/** How an advance goes about it. */
export interface AdvanceOptions {
  /** So many timers are run at most. */
  readonly maxTimers?: number | undefined;
  /** What is done as its turn comes; where that throws, there is no advance. */
  readonly first?: () => void;
}

/** What an advance came to. */
export interface AdvanceResult {
  readonly from: Instant;
  readonly to: Instant;
  /** Whether it came to its target: false when there was none, it was called off or `max_timers` were run before. */
  readonly reached: boolean;
  /** Timers that ran, delivery attempts too. */
  readonly timers: number;
  /** The journal's last entry before it began. */
  readonly lastEntry: number;
}

/** An instant lies in the past when the advance to it begins: those before it in the queue went further. */
export class PastInstant extends Error {
  override readonly name = "PastInstant";
  readonly instant: Instant;
  readonly now: Instant;

  constructor(instant: Instant, now: Instant) {
    super(`The clock shows ${formatInstant(now)}, which is past ${formatInstant(instant)}.`);
    this.instant = instant;
    this.now = now;
  }
}

/** An advance from its asking to its answer: `Runner` moves the clock for it, one timer at a time. */
export class Advance {
  readonly #world: World;
  readonly #target: AdvanceTarget;
  readonly #maxTimers: number;
  readonly #first: () => void;
  readonly #finish: (result: AdvanceResult) => void;
  /** Tells whoever asked that it cannot go on. */
  readonly fail: (error: unknown) => void;
  #begun = false;
  #canceled = false;
  #from: Instant;
  #goal: Instant;
  #lastEntry = 0;
  #timers = 0;
  #met = false;
  /** The last instant of the further turns of recurring timers; null before they are given. */
  #lastTurn: Instant | null = null;
  readonly #look = (entries: readonly JournalEntry[]) => this.#lookFor(entries);

  constructor(
    world: World,
    target: AdvanceTarget,
    { maxTimers = Number.POSITIVE_INFINITY, first = () => {} }: AdvanceOptions,
    promise: { finish: (result: AdvanceResult) => void; fail: (error: unknown) => void },
  ) {
    this.#world = world;
    this.#target = target;
    this.#maxTimers = maxTimers;
    this.#first = first;
    this.#finish = promise.finish;
    this.fail = promise.fail;
    this.#from = world.clock.now();
    this.#goal = this.#from;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Whether what is due where a clock stands is to be done first: it begins with the same however long that takes. */
  get isHeldUp(): boolean {
    const { clock, timers } = this.#world;
    return !this.isOver && clock.mode === "frozen" && timers.isDueBy(clock.now());
  }

  /** Whether no further timer may be run: it was called off, or has run as many as it may. */
  get isOver(): boolean {
    return this.#canceled || this.#timers >= this.#maxTimers;
  }

  /**
   * Holds the clock.
   * @param next the instant of the next timer, if any.
   * @throws {PastInstant} where the instant that it aims at has passed.
   */
  begin(next: Instant | undefined): void {
    const now = this.#world.clock.now();
    if (this.#target.kind === "to" && this.#target.instant < now) throw new PastInstant(this.#target.instant, now);
    if (!this.#canceled) this.#first();
    this.#world.clock.hold();
    this.#begun = true;
    this.#start();
    this.#goal = this.#firstGoal(next);
    if (this.#target.kind === "event") this.#world.entryListeners.add(this.#look);
  }

  /** What it has come to counts from here. */
  #start(): void {
    this.#from = this.#world.clock.now();
    this.#lastEntry = this.#world.journal.last().sequence;
  }

  /** The instant up to which timers are to be run now; null for none. */
  get goal(): Instant | null {
    if (this.isOver) return null;
    return this.#isIdle() ? this.#furtherTurns() : this.#goal;
  }

  countTimer(): void {
    this.#timers++;
  }

  cancel(): void {
    this.#canceled = true;
  }

  /** Moves the clock to the goal where it came to it, lets time flow again, and answers. */
  end(): void {
    const complete = this.#isComplete();
    const toInstant = this.#target.kind === "to" || this.#target.kind === "by";
    if (complete && toInstant) this.#world.clock.reach(this.#goal);
    const to = this.#world.clock.now();
    this.#world.database.transaction(() => this.#world.clock.release());
    this.stop();
    this.#answer(to, complete && this.#hasCome());
  }

  /** Answers with what it has come to, since it will not go on: to nothing, where it has not begun. */
  breakOff(): void {
    if (!this.#begun) this.#start();
    this.stop();
    this.#answer(this.#world.clock.now(), false);
  }

  /** Has its turn where time does not go on. */
  standStill(): void {
    this.#first();
    this.breakOff();
  }

  /** Looks at the journal no more. */
  stop(): void {
    this.#world.entryListeners.delete(this.#look);
  }

  #answer(to: Instant, reached: boolean): void {
    this.#finish({ from: this.#from, to, reached, timers: this.#timers, lastEntry: this.#lastEntry });
  }

  #firstGoal(next: Instant | undefined): Instant {
    const now = this.#world.clock.now();
    if (this.#target.kind === "to") return this.#target.instant;
    if (this.#target.kind === "by") return Math.min(now + this.#target.durationMs, LAST_INSTANT);
    return this.#target.kind === "next" ? Math.min(next ?? now, LAST_INSTANT) : LAST_INSTANT;
  }

  /** Nothing is left that was to be run before the goal. */
  #isComplete(): boolean {
    if (this.#canceled) return false;
    if (this.#timers < this.#maxTimers || this.#isIdle()) return true;
    return !this.#world.timers.isDueBy(this.#goal);
  }

  #isIdle(): boolean {
    const waitsForAll = this.#target.kind === "idle" || (this.#target.kind === "event" && !this.#met);
    return waitsForAll && !this.#world.timers.hasOneShot();
  }

  #furtherTurns(): Instant | null {
    if (this.#target.kind !== "event") return null;
    this.#lastTurn ??= this.#world.timers.latestRecurring();
    return this.#lastTurn;
  }

  /** Whether there was what it aims at; an instant always comes. */
  #hasCome(): boolean {
    const { kind } = this.#target;
    if (kind === "event") return this.#met;
    return kind === "next" ? this.#timers > 0 : kind !== "idle" || this.#isIdle();
  }

  #lookFor(entries: readonly JournalEntry[]): void {
    if (this.#target.kind !== "event") return;
    const { event } = this.#target;
    const found = entries.find(({ kind, data }) => kind === "webhook.created" && data.event === event);
    if (!found || this.#met) return;
    this.#met = true;
    this.#goal = found.at;
  }
}
