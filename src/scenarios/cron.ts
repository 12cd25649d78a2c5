/** Recurring instants: cron patterns, by croner, on the world's clock and in any time zone. */
import { Cron } from "croner";
import type { Instant } from "../world/instants.ts";

/** Why a pattern is none, as the end of a sentence that begins with it; null when it is one. */
export function patternFault(pattern: string): string | null {
  try {
    new Cron(pattern, { paused: true });
    return null;
  } catch (error) {
    const reason = (error as Error).message.replace(/^CronPattern: /, "").replace(/\.$/, "");
    return `must be a cron pattern such as "0 9 * * MON-FRI": ${reason}`;
  }
}

/** Whether the platform knows a time zone such as `America/Sao_Paulo`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The first instant after `after` that a pattern names; null where none is left. */
export function nextRun(pattern: string, timezone: string, after: Instant): Instant | null {
  const next = new Cron(pattern, { paused: true, timezone }).nextRun(new Date(after));
  return next?.getTime() ?? null;
}
