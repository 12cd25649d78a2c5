/** One advance of the clock: its target, its progress and its result. */
import type { JournalEntry } from "../store/journal.ts";
import { AwaitedTurns } from "./awaited-turns.ts";
import { formatInstant, type Instant, LAST_INSTANT } from "./instants.ts";
import type { World } from "./world.ts";

/** The target of an advance. A duration counts from the instant the advance begins, after those queued before it. */
export type AdvanceTarget =
  | { readonly kind: "by"; readonly durationMs: number }
  | { readonly kind: "to"; readonly instant: Instant }
  /** To the next timer, including everything delivered at that instant. */
  | { readonly kind: "next" }
  /** Until only recurring timers are left. */
  | { readonly kind: "idle" }
  /**
   * To the next event of a kind, including everything delivered at that instant; to idle if the event never comes. A
   * recurring timer may cause it, so each one left gets one more turn: see `AwaitedTurns`.
   */
  | { readonly kind: "event"; readonly event: string };

/** Options of an advance. */
export interface AdvanceOptions {
  /** The most timers it runs; no limit unless given. */
  readonly maxTimers?: number | undefined;
  /** Called after each timer, with how many have run. */
  readonly onTimer?: (timers: number) => void;
  /** Called when its turn comes, before it begins; if this throws, the advance fails without beginning. */
  readonly first?: () => void;
}

/** The result of an advance. */
export interface AdvanceResult {
  readonly from: Instant;
  readonly to: Instant;
  /** Whether it reached its target: false if there was none, it was canceled, or `max_timers` ran out first. */
  readonly reached: boolean;
  /** Timers that ran, including delivery attempts. */
  readonly timers: number;
  /** Sequences of the journal's last entry before it began, and of the last one when it ended. */
  readonly entries: { readonly before: number; readonly last: number };
}

/** The target instant is already past when the advance begins, such as after advances queued before it. */
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

/** An advance from request to answer: `Runner` moves the clock for it, one timer at a time. */
export class Advance {
  readonly #world: World;
  readonly #target: AdvanceTarget;
  readonly #maxTimers: number;
  readonly #onTimer: (timers: number) => void;
  readonly #first: () => void;
  readonly #finish: (result: AdvanceResult) => void;
  readonly #reject: (error: unknown) => void;
  #begun = false;
  #canceled = false;
  #from: Instant;
  #goal: Instant;
  #entryBefore = 0;
  #timers = 0;
  #met = false;
  /** What still runs once nothing but recurring timers is left; null before that. */
  #turns: AwaitedTurns | null = null;
  readonly #look = (entries: readonly JournalEntry[]) => this.#lookFor(entries);

  constructor(
    world: World,
    target: AdvanceTarget,
    { maxTimers = Number.POSITIVE_INFINITY, onTimer = () => {}, first = () => {} }: AdvanceOptions,
    promise: { finish: (result: AdvanceResult) => void; fail: (error: unknown) => void },
  ) {
    this.#world = world;
    this.#target = target;
    this.#maxTimers = maxTimers;
    this.#onTimer = onTimer;
    this.#first = first;
    this.#finish = promise.finish;
    this.#reject = promise.fail;
    this.#from = world.clock.now();
    this.#goal = this.#from;
  }

  get begun(): boolean {
    return this.#begun;
  }

  get isCanceled(): boolean {
    return this.#canceled;
  }

  /** Whether a frozen clock still has due work to run first, so that the advance begins from the same state always. */
  get isHeldUp(): boolean {
    const { clock, timers } = this.#world;
    return clock.mode === "frozen" && timers.isDueBy(clock.now());
  }

  /** Whether it may run no further timer: it was canceled, or has run its `maxTimers`. */
  get isOver(): boolean {
    return this.#canceled || this.#timers >= this.#maxTimers;
  }

  /** It is the next to begin: if time flows until it can, an event that it goes to may come before. */
  comeFirst(): void {
    if (this.#world.clock.mode === "running") this.#listen();
  }

  /**
   * Begins the advance and holds the clock.
   * @param next the instant of the next timer, if any.
   * @throws {PastInstant} if the target instant has passed.
   */
  begin(next: Instant | undefined): void {
    const now = this.#world.clock.now();
    if (this.#target.kind === "to" && this.#target.instant < now) throw new PastInstant(this.#target.instant, now);
    this.#first();
    this.#world.clock.hold();
    this.#begun = true;
    this.#start();
    this.#goal = this.#firstGoal(next);
    this.#listen();
  }

  #listen(): void {
    if (this.#target.kind === "event") this.#world.entryListeners.add(this.#look);
  }

  /** Marks the instant and the journal entry from which the result counts. */
  #start(): void {
    this.#from = this.#world.clock.now();
    this.#entryBefore = this.#world.journal.last().sequence;
  }

  /** The instant up to which timers are to run now; null if none may run. */
  get goal(): Instant | null {
    if (this.isOver) return null;
    return this.#isIdle() ? this.#furtherTurns() : this.#goal;
  }

  countTimer(): void {
    this.#timers++;
    this.#onTimer(this.#timers);
  }

  cancel(): void {
    this.#canceled = true;
  }

  /** Moves the clock to a target instant if it got there, lets time flow again, and answers. */
  end(): void {
    const complete = this.#isComplete();
    const toInstant = this.#target.kind === "to" || this.#target.kind === "by";
    if (complete && toInstant) this.#world.clock.reach(this.#goal);
    const to = this.#world.clock.now();
    this.#world.database.transaction(() => this.#world.clock.release());
    this.#stop();
    this.#answer(to, complete && this.#hasCome());
  }

  /** Answers with its progress so far, since it will not go on; if it has not begun, it has run nothing. */
  breakOff(): void {
    if (!this.#begun) this.#start();
    this.#stop();
    this.#answer(this.#begun ? this.#world.clock.now() : this.#from, false);
  }

  /** Rejects the caller's promise: the advance cannot go on. */
  fail(error: unknown): void {
    this.#stop();
    this.#reject(error);
  }

  /** Takes its turn on a closed runner, where time does not go on. */
  standStill(): void {
    this.#first();
    this.breakOff();
  }

  /** Stops listening to the journal. */
  #stop(): void {
    this.#world.entryListeners.delete(this.#look);
  }

  #answer(to: Instant, reached: boolean): void {
    const entries = { before: this.#entryBefore, last: this.#world.journal.last().sequence };
    this.#finish({ from: this.#from, to, reached, timers: this.#timers, entries });
  }

  #firstGoal(next: Instant | undefined): Instant {
    const now = this.#world.clock.now();
    if (this.#met) return now;
    if (this.#target.kind === "to") return this.#target.instant;
    if (this.#target.kind === "by") return Math.min(now + this.#target.durationMs, LAST_INSTANT);
    return this.#target.kind === "next" ? Math.min(next ?? now, LAST_INSTANT) : LAST_INSTANT;
  }

  /** Whether nothing is left to run before the goal. */
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
    this.#turns ??= new AwaitedTurns(this.#world.timers);
    return this.#turns.until;
  }

  /** Whether the target occurred; a target instant always does. */
  #hasCome(): boolean {
    const { kind } = this.#target;
    if (kind === "event") return this.#met;
    return kind === "next" ? this.#timers > 0 : kind !== "idle" || this.#isIdle();
  }

  #lookFor(entries: readonly JournalEntry[]): void {
    if (this.#target.kind !== "event") return;
    const { event } = this.#target;
    const found = entries.find(({ kind, data }) => kind === "webhook.created" && data.event === event);
    if (!found) return;
    this.#met = true;
    this.#goal = found.at;
  }
}
