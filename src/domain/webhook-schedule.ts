/** When attempts are due: the retry table of the specification, on the world's clock. */
import type { Settings } from "./settings.ts";

/** TABLE: the wait before each attempt, in milliseconds; the first one is immediate (Delivery, Retries). */
export const ATTEMPT_DELAYS_MS = [0, 1_000, 5_000, 30_000, 120_000, 600_000] as const;

/** An attempt over the rate is put off by this long (Delivery, Outbound rate). */
export const THROTTLE_DELAY_MS = 120_000;

/** The window in which the rate is counted. */
export const RATE_WINDOW_MS = 60_000;

/** Webhooks held back to be shuffled leave after this time if too few come, so that none is lost. */
export const LONGEST_HOLD_MS = 60_000;

/** Timer of an attempt that is due. */
export const ATTEMPT_TIMER = "webhook.attempt";

/**
 * The instant of the next attempt after `made` attempts; null if all have been made.
 * @param base whether the wait counts from the previous attempt or from the first one (`D60`).
 */
export function nextAttemptAt(
  made: number,
  attempts: { firstAt: number; lastAt: number },
  base: Settings["retry_base"],
): number | null {
  const delayMs = ATTEMPT_DELAYS_MS[made];
  if (delayMs === undefined) return null;
  return base === "first" ? Math.max(attempts.firstAt + delayMs, attempts.lastAt) : attempts.lastAt + delayMs;
}
