/** Rate windows: fixed, 60 s long from their first request, on the world's clock (`D19`). */
import { DomainError } from "../domain/errors.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";

const WINDOW_MS = 60_000;

/** What the rate headers of an answer show. */
export interface RateWindow {
  readonly limit: number;
  readonly remaining: number;
  /** The instant at which the counter is full again. */
  readonly resetsAt: number;
  readonly exceeded: boolean;
}

/** A window in which nothing has been counted yet. */
export function fullWindow(limit: number, now: number): RateWindow {
  return { limit, remaining: limit, resetsAt: now + WINDOW_MS, exceeded: false };
}

/** A window as headers show it. */
export function shownWindow({ limit, remaining, resetsAt }: RateWindow) {
  return { limit, remaining, resetsAtSeconds: Math.ceil(resetsAt / 1000) };
}

/** Counts a request in the window of a scope (a credential or an address) and endpoint. */
export function countRequest(operation: Operation, scope: string, endpoint: string, limit: number): RateWindow {
  const { world, now } = operation;
  if (world.settings.protections === "off") return fullWindow(limit, now);
  const { started_at: startedAt, used } = world.protections.moveRateWindow(scope, endpoint, (window) => {
    const isOpen = window !== null && now < window.started_at + WINDOW_MS;
    return isOpen ? { ...window, used: window.used + 1 } : { started_at: now, used: 1 };
  });
  return { limit, remaining: Math.max(0, limit - used), resetsAt: startedAt + WINDOW_MS, exceeded: used > limit };
}

/** @throws {DomainError} `RATE_LIMIT_EXCEEDED` when the window is used up and the world enforces its protections. */
export function refuseExceeded({ world, now }: Operation, window: RateWindow): void {
  if (!window.exceeded || world.settings.protections !== "enforce") return;
  const retryAfterSeconds = Math.ceil((window.resetsAt - now) / 1000);
  const [begun, ends] = [window.resetsAt - WINDOW_MS, window.resetsAt].map(formatInstant);
  const clock =
    world.clock.mode === "frozen" ? " The clock of this world is frozen: it ends when that is advanced." : "";
  const hint = `The window of ${window.limit} requests that began at ${begun} ends at ${ends}.${clock}`;
  const message = `Too many requests; wait ${retryAfterSeconds} s.`;
  throw new DomainError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds, hint });
}
