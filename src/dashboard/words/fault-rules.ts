/** Fault rules, as they are read. */

/** A rule as `GET /faults` has it; what is not told of here stays as it is. */
export interface FaultRule {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly times?: number | undefined;
  /** `file:line` of the step that set it. */
  readonly at: string | null;
  readonly ends_at: string | null;
  readonly matched: number;
  readonly fired: number;
}

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
