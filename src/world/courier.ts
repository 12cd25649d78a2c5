/** What the runner needs to know about work that goes over the network. */
import type { Timer } from "../store/timers.ts";

/** Records the result of a delivery, in an operation of its own. */
export type Landing = () => void;

/** Carries out the timers that need the network: webhook attempts. */
export interface Courier {
  readonly kind: string;
  /** The lane of a timer. Within a lane, timers go one after another, in order; lanes do not wait for each other. */
  lane(timer: Timer): string;
  /** Whether deliveries of a lane take real time; the results of others are recorded when they begin. */
  takesTime(lane: string): boolean;
  /**
   * Takes the timer off the clock and begins its delivery; null if nothing is left to wait for.
   * @param isLate whether it leaves later than it was due: it waited its turn in its lane, or the process could not run.
   */
  carry(timer: Timer, isLate: boolean): Promise<Landing> | null;
}
