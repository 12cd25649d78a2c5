/** The only source of time in a world: frozen, or running at a speed against the machine's clock. */
import { wallNow } from "../runtime.ts";
import type { MetaStore } from "../store/meta.ts";
import { isStorageFault } from "../store/storage-fault.ts";
import { type Instant, LAST_INSTANT } from "./instants.ts";

/** Whether time flows by itself, or by advances alone. */
export type ClockMode = "running" | "frozen";

/** What is kept of a clock: it showed `instant` when the machine's clock showed `wall`. */
export interface ClockState {
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

/**
 * A world's clock. What it shows never goes back, whatever the machine's clock does, but with an operation that is
 * undone; while an advance runs it shows what that has reached.
 */
export class Clock {
  readonly #meta: MetaStore;
  #state: ClockState;
  /** No reading goes below what has happened already, whatever the machine's clock does. */
  #reached: Instant;
  /** While an advance runs, time is what the advance has reached. */
  #held = false;

  constructor(meta: MetaStore, lastEntryAt: Instant) {
    const state = meta.get<ClockState>(KEY);
    if (!state) throw new Error("This world has no clock.");
    this.#meta = meta;
    this.#state = state;
    this.#reached = Math.max(lastEntryAt, state.instant);
    // The process died in the middle of an advance, or the machine's clock was set back: time flows on from there.
    if (state.mode === "running" && this.#flown() < this.#reached) this.#goOnFrom(this.#reached);
  }

  /** Writes the clock of a world that is being made. */
  static create(meta: MetaStore, mode: ClockMode, speed: number, start: Instant): void {
    meta.set(KEY, { mode, speed, instant: start, wall: wallNow() } satisfies ClockState);
  }

  /**
   * Lets the clock of a copy go on from what it showed when it was copied, however long ago that was.
   * @param wall the machine's own instant at which it goes on.
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

  /** The instant it shows. A running clock that catches up after a restart counts the time it was down. */
  now(): Instant {
    if (this.#state.mode === "running" && !this.#held) {
      const flown = this.#flown();
      if (flown < this.#reached) this.#countFromHere();
      else this.#reached = Math.min(flown, LAST_INSTANT);
    }
    return this.#reached;
  }

  /** Real milliseconds until an instant comes by itself; null when it never does. */
  realMsUntil(instant: Instant): number | null {
    if (this.#state.mode === "frozen" || this.#held || instant > LAST_INSTANT) return null;
    return Math.max(0, (instant - this.now()) / this.#state.speed);
  }

  /** Stops the flow of time for an advance. */
  hold(): void {
    this.now();
    this.#held = true;
  }

  /** Ends {@link hold} where the store takes nothing more: what an advance came to is kept with the next change. */
  letFlow(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#countFromHere();
  }

  /** Lets time flow again from where the advance came to. Inside a transaction: the clock is kept. */
  release(): void {
    this.#keep({ ...this.#state, instant: this.#reached });
    this.#held = false;
  }

  /** Moves on to an instant; never back. */
  reach(instant: Instant): void {
    this.#reached = Math.max(this.#reached, instant);
  }

  /** Changes mode and speed from the present instant on. Inside a transaction. */
  change(mode: ClockMode, speed: number): void {
    this.#keep({ mode, speed, instant: this.now() });
  }

  /** Writes down what it shows, for a copy of the world to go on from. Inside a transaction. */
  fix(): void {
    this.#keep({ ...this.#state, instant: this.now() });
  }

  /** How it goes and what it has come to, to go back to when an operation is undone. */
  get mark(): ClockMark {
    return { state: this.#state, reached: this.#reached };
  }

  rewind({ state, reached }: ClockMark): void {
    this.#state = state;
    this.#reached = reached;
  }

  /** The machine's clock was set back, or an advance has ended: time flows on from what it shows. */
  #countFromHere(): void {
    this.#state = { ...this.#state, instant: this.#reached, wall: wallNow() };
  }

  /** Where the machine's clock has taken it since it was kept. */
  #flown(): Instant {
    return this.#state.instant + Math.floor((wallNow() - this.#state.wall) * this.#state.speed);
  }

  /** On a disk that takes nothing more it is not kept: it follows again from what is. */
  #goOnFrom(instant: Instant): void {
    try {
      this.#keep({ ...this.#state, instant });
    } catch (error) {
      if (!isStorageFault(error)) throw error;
    }
  }

  #keep(state: Omit<ClockState, "wall">): void {
    this.#state = { ...state, wall: wallNow() };
    this.#meta.set(KEY, this.#state);
  }
}
