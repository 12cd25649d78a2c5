/** Fault rules, as they are read. */
import type { FaultRule } from "../wire/answers.ts";

/** Fields that the control interface adds to a rule. */
const ADDED = ["id", "at", "ends_at", "matched", "fired"];

/** The rule as it was set. */
export function plainRule(rule: FaultRule): Readonly<Record<string, unknown>> {
  const isSaid = ([name, value]: [string, unknown]) => !ADDED.includes(name) && JSON.stringify(value) !== "{}";
  return Object.fromEntries(Object.entries(rule).filter(isSaid));
}

/** Whether it has injected its fault as often as it may. */
export function isSpent({ times, fired }: FaultRule): boolean {
  return times !== undefined && fired >= times;
}
