/** Fault rules, as they are read and as they are put on again: `PUT /faults` replaces all, and begins their counters anew. */
import { durationMsOf, instantOf } from "./instants.ts";

/** A rule as `GET /faults` has it; what is not told of here stays as it is. */
export interface FaultRule {
  readonly [field: string]: unknown;
  readonly times?: number | undefined;
  readonly skip?: number | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** `file:line` of the step that set it. */
  readonly at?: string | null;
  readonly ends_at?: string | null;
  readonly matched?: number;
  readonly fired?: number;
}

/** What the answer of `GET /faults` adds to a rule, and `PUT` does not take. */
const ADDED = ["at", "ends_at", "matched", "fired"];

/** The rule as it was put on. */
export function plainRule(rule: FaultRule): FaultRule {
  const isSaid = ([name, value]: [string, unknown]) =>
    !ADDED.includes(name) && value !== undefined && value !== null && JSON.stringify(value) !== "{}";
  return Object.fromEntries(Object.entries(rule).filter(isSaid));
}

/** All but one of these rules; those are alike that say the same and end at the same time. */
export function without(rules: readonly FaultRule[], rule: FaultRule): readonly FaultRule[] {
  const said = (one: FaultRule) => JSON.stringify([plainRule(one), one.ends_at]);
  const index = rules.findIndex((other) => said(other) === said(rule));
  return rules.filter((_, place) => place !== index);
}

/** Whether it has struck as often as it may. */
export function isSpent({ times, fired = 0 }: FaultRule): boolean {
  return times !== undefined && fired >= times;
}

/** Whether moments of it count from when it was put on. */
export function isRelative({ from, until }: FaultRule): boolean {
  return [from, until].some((moment) => moment?.startsWith("+"));
}

/**
 * The rule as it is put on beside others: what it has let go by and struck stays so, and it begins and ends when it was
 * to. One that can strike no more is left out.
 * @param sinceMs when it was put on; null where that is not known: then its moments stay as they are.
 */
export function putAgain(rule: FaultRule, nowMs: number, sinceMs: number | null): FaultRule[] {
  const { times, skip = 0, ends_at, matched = 0, fired = 0 } = rule;
  const leftMs = ends_at ? Math.ceil(Date.parse(ends_at) - nowMs) : null;
  if (isSpent(rule) || (leftMs !== null && leftMs <= 0)) return [];
  const [from, until] = [rule.from, rule.until].map((moment) => instantMeant(moment, sinceMs));
  const again: FaultRule = {
    ...plainRule(rule),
    times: times && times - fired,
    skip: Math.max(0, skip - matched) || undefined,
    from,
    until,
    ...(leftMs !== null && { for: `${leftMs}ms` }),
  };
  return [plainRule(again)];
}

/** The instant that a moment such as `+10m` means; one that is known to be none, or from an unknown time on, as it is. */
function instantMeant(moment: string | undefined, sinceMs: number | null): string | undefined {
  const afterMs = moment?.startsWith("+") ? durationMsOf(moment.slice(1)) : null;
  return afterMs === null || sinceMs === null ? moment : instantOf(sinceMs + afterMs);
}
