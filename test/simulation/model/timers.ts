/** What waits on the model's clock. */
import type { State, Timer } from "./state.ts";

/** At one instant the service's own default comes after all else (interface, section 5). */
const AFTER_ALL_ELSE = 1e12;
const defaults: readonly string[] = ["expiry", "gateway", "deadline"];

/** Puts a timer on the clock. */
export function schedule(state: State, timer: Omit<Timer, "order">): void {
  state.order++;
  const order = state.order + (defaults.includes(timer.kind) ? AFTER_ALL_ELSE : 0);
  state.timers.push({ ...timer, order });
}

/** Takes the timers of a kind off that a resource had. */
export function unschedule(state: State, kind: Timer["kind"], subject: string): void {
  state.timers = state.timers.filter((timer) => timer.kind !== kind || timer.subject !== subject);
}

/** The first in order; undefined where nothing waits. */
export function firstTimer({ timers }: State): Timer | undefined {
  return timers.reduce<Timer | undefined>(
    (first, timer) => (first && isBefore(first, timer) ? first : timer),
    undefined,
  );
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
