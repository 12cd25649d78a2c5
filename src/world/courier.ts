/** Work that goes over the network, and what the runner has to do with it. */
import type { Timer } from "../store/timers.ts";

/** Writes down what came of a delivery, in an operation of its own. */
export type Landing = () => void;

/** The work of timers that go over the network: webhook attempts. */
export interface Courier {
  readonly kind: string;
  /** Timers of one lane go one after another, in order; lanes do not wait for each other. */
  lane(timer: Timer): string;
  /** Whether deliveries of a lane take real time; others are written down when they are begun. */
  takesTime(lane: string): boolean;
  /**
   * Takes the timer, which is on the clock, off it and begins; null when it is done at once.
   * @param hasWaited whether it waited its turn, so that it leaves later than it was due.
   */
  carry(timer: Timer, hasWaited: boolean): Promise<Landing> | null;
}
