/** Rules on the clock: `every` (a cron pattern) and `at` (an instant). */
import type { Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { nextRun } from "./cron.ts";
import { type CountedRule, countMatch, momentOf } from "./filters.ts";
import type { LoadedScenario } from "./loader.ts";
import type { ScenarioRule } from "./rule-schema.ts";
import { actionOf, isWorldAction } from "./step-actions.ts";
import { type PlacedStep, scheduleStep } from "./steps.ts";

/** Timer of a rule on the clock. */
export const TICK_TIMER = "scenario.tick";

/** A rule with its place and its steps; its moments count from when the scenario was loaded. */
export interface CompiledRule extends CountedRule {
  readonly rule: ScenarioRule;
  /** `file:line`. */
  readonly at: string;
  readonly steps: readonly PlacedStep[];
}

/** The journal data of a rule that acts. @param on what set it off: a kind of occurrence, or its time. */
export function firingOf({ scenario, rule: { name } }: CompiledRule, on: string | null) {
  return name === undefined ? { scenario, on } : { scenario, on, name };
}

/** The subject of the timers of a rule. */
export function tickSubject(scenario: string, index: number): string {
  return `${scenario}/${index}`;
}

/** Schedules the `every` and `at` rules of a scenario. */
export function scheduleTicks(operation: Operation, { content, ruleAt }: LoadedScenario): void {
  content.rules.forEach((rule, index) => {
    const subject = tickSubject(content.scenario, index);
    const placed = operation.because(operation.cause, ruleAt(index));
    if (rule.every !== undefined) scheduleNext(placed, subject, rule, operation.now);
    const due = rule.at === undefined ? null : momentOf(rule.at, operation.now);
    if (due !== null && due >= operation.now) placed.schedule({ due, kind: TICK_TIMER, subject });
  });
}

/** Removes the timers of a scenario's `every` and `at` rules. */
export function removeTicks({ world }: Operation, { content }: LoadedScenario): void {
  content.rules.forEach((_rule, index) => {
    world.timers.removeOf(tickSubject(content.scenario, index), TICK_TIMER);
  });
}

/** Begins the steps of a rule whose time has come, and schedules its next time. */
export function tick(operation: Operation, compiled: CompiledRule): void {
  const { scenario, index, rule, at, steps, since } = compiled;
  const subject = tickSubject(scenario, index);
  const named = operation.because(operation.cause, at);
  if (countMatch(operation, rule, compiled)) {
    const entry = named.record("rule.fired", null, firingOf(compiled, rule.every ?? rule.at ?? null));
    scheduleStep(operation.because(entry), subject, { scenario, type: "world", steps });
  }
  const { scenarios } = operation.world;
  const isSpent = rule.times !== undefined && scenarios.counters(scenario, index).fired >= rule.times;
  if (rule.every !== undefined && !isSpent) scheduleNext(named, subject, rule, since);
}

/** Schedules the next time of an `every` rule, unless the rule's window has ended by then. */
function scheduleNext(operation: Operation, subject: string, rule: ScenarioRule, since: Instant): void {
  const { every = "", timezone = "UTC", until } = rule;
  const due = nextRun(every, timezone, operation.now);
  const ends = until === undefined ? null : momentOf(until, since);
  if (due === null || (ends !== null && due >= ends)) return;
  const payload = isUneventful(rule) ? { uneventful: true } : {};
  operation.schedule({ due, kind: TICK_TIMER, subject, recurring: true, payload });
}

/** Whether a rule has no steps that act on resources, so that it cannot cause an event. */
function isUneventful({ then: steps = [] }: ScenarioRule): boolean {
  return steps.every((step) => isWorldAction(actionOf(step)));
}
