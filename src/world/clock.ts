/** The only source of time in a world: frozen, or running at some speed relative to the machine's clock. */
import type { ClockMode } from "../domain/clock-modes.ts";
import { wallNow } from "../runtime.ts";
import type { MetaStore } from "../store/meta.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import { type Instant, LAST_INSTANT } from "./instants.ts";

/** The stored state of a clock: it showed `instant` when the machine's clock showed `wall`. */
interface ClockState {
  readonly mode: ClockMode;
  readonly speed: number;
  readonly instant: Instant;
  readonly wall: number;
}

interface ClockMark {
  readonly state: ClockState;
  readonly reached: Instant;
}

const KEY = "clock";

/** How long, in real time, a process may take to get to something before that counts as late. */
const LATE_MS = 1_000;

/**
 * A world's clock. It never goes back, even if the machine's clock does, except when an operation is undone. While an
 * advance runs, it shows the instant that the advance has reached.
 */
export class Clock {
  readonly #meta: MetaStore;
  #state: ClockState;
  /** The latest instant reached: no reading goes below it, even if the machine's clock is set back. */
  #reached: Instant;
  /** Set while an advance runs: time is then the instant that the advance has reached. */
  #held = false;
  /** The reading of the machine's clock that holds for what is done now, see {@link atOneReading}. */
  #reading: number | null = null;

  constructor(meta: MetaStore, lastEntryAt: Instant) {
    const state = meta.get<ClockState>(KEY);
    if (!state) throw new Error("This world has no clock.");
    this.#meta = meta;
    this.#state = state;
    this.#reached = Math.max(lastEntryAt, state.instant);
    // The process died during an advance, or the machine's clock was set back: time flows on from what was reached.
    if (state.mode === "running" && this.#flown(wallNow()) < this.#reached) this.#goOnFrom(this.#reached);
  }

  /** Stores the clock of a new world. */
  static create(meta: MetaStore, mode: ClockMode, speed: number, start: Instant): void {
    meta.set(KEY, { mode, speed, instant: start, wall: wallNow() } satisfies ClockState);
  }

  /**
   * Lets the clock of a copied world go on from the instant stored with it, however long ago that was.
   * @param wall the machine's time at which it goes on.
   */
  static resume(meta: MetaStore, wall: number): void {
    const state = meta.get<ClockState>(KEY);
    if (state) meta.set(KEY, { ...state, wall });
  }

  get mode(): ClockMode {
    return this.#state.mode;
  }

  get speed(): number {
    return this.#state.speed;
  }

  /** The instant it shows. After a restart, a running clock includes the time that the process was down. */
  now(): Instant {
    if (this.#state.mode === "running" && !this.#held) {
      const flown = this.#flown(this.#wall());
      if (flown < this.#reached) this.#countFromHere();
      else this.#reached = Math.min(flown, LAST_INSTANT);
    }
    return this.#reached;
  }

  /**
   * Does work that is all at the same present, however long it takes: else, if the process were stopped or slept in the
   * midst of it, what was found to be due by one instant would be followed by something long after it.
   */
  atOneReading<Result>(work: () => Result): Result {
    if (this.#reading !== null) return work();
    this.#reading = wallNow();
    try {
      return work();
    } finally {
      this.#reading = null;
    }
  }

  /** Real milliseconds until an instant comes by itself, from this very moment; null if it never does. */
  realMsUntil(instant: Instant): number | null {
    if (this.#state.mode === "frozen" || this.#held || instant > LAST_INSTANT) return null;
    const now = Math.max(this.#flown(wallNow()), this.#reached);
    return Math.max(0, (instant - now) / this.#state.speed);
  }

  /** Whether an instant came by itself so long ago that what was due then is late. */
  isLongPast(instant: Instant): boolean {
    if (this.#state.mode === "frozen" || this.#held) return false;
    return (this.now() - instant) / this.#state.speed > LATE_MS;
  }

  /** Stops the flow of time for an advance. */
  hold(): void {
    this.now();
    this.#held = true;
  }

  /** Ends {@link hold} without writing, because the store is full: the next change stores what the advance reached. */
  letFlow(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#readAnew();
    this.#countFromHere();
  }

  /** Lets time flow again from the instant that the advance reached. Stores the clock, so call it in a transaction. */
  release(): void {
    this.#readAnew();
    this.#keep({ ...this.#state, instant: this.#reached });
    this.#held = false;
  }

  /** Moves on to an instant; never back. */
  reach(instant: Instant): void {
    this.#reached = Math.max(this.#reached, instant);
  }

  /** Changes mode and speed from the present instant on. Call it in an operation. */
  change(mode: ClockMode, speed: number): void {
    this.#keep({ mode, speed, instant: this.now() });
  }

  /** Stores the instant it shows, for a copy of the world to go on from. Call it in a transaction. */
  fix(): void {
    this.atOneReading(() => this.#keep({ ...this.#state, instant: this.now() }));
  }

  /** Its state and the instant reached, to {@link rewind} to when an operation is undone. */
  get mark(): ClockMark {
    return { state: this.#state, reached: this.#reached };
  }

  rewind({ state, reached }: ClockMark): void {
    this.#state = state;
    this.#reached = reached;
  }

  /** The machine's clock was set back, or an advance has ended: time flows on from what it shows. */
  #countFromHere(): void {
    this.#state = { ...this.#state, instant: this.#reached, wall: this.#wall() };
  }

  #wall(): number {
    return this.#reading ?? wallNow();
  }

  /** Time flows again from here: what an advance took of real time is not to pass after it. */
  #readAnew(): void {
    if (this.#reading !== null) this.#reading = wallNow();
  }

  /** The instant that the speed gives at a time of the machine's clock, counted from when `#state` was set. */
  #flown(wall: number): Instant {
    return this.#state.instant + Math.floor((wall - this.#state.wall) * this.#state.speed);
  }

  /** Goes on from an instant. On a full disk that is not stored: the next start derives it again. */
  #goOnFrom(instant: Instant): void {
    try {
      this.#keep({ ...this.#state, instant });
    } catch (error) {
      if (!isStorageFault(error)) throw error;
    }
  }

  #keep(state: Omit<ClockState, "wall">): void {
    this.#state = { ...state, wall: this.#wall() };
    this.#meta.set(KEY, this.#state);
  }
}
