/** Rules on the clock: `every` (a cron pattern) and `at` (an instant). */

import type { RecurringPayload } from "../store/timers.ts";
import type { Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import type { CompiledRule } from "./compiled-rules.ts";
import { nextRun } from "./cron.ts";
import { countMatch, momentOf, shareOf, willAct } from "./filters.ts";
import type { LoadedScenario } from "./loader.ts";
import type { ScenarioRule } from "./rule-schema.ts";
import { actionOf, isWorldAction } from "./step-actions.ts";
import { scheduleStep } from "./steps.ts";

/** Timer of a rule on the clock. */
export const TICK_TIMER = "scenario.tick";

/** The journal data of a rule that acts. @param on what set it off: a kind of occurrence, or its time. */
export function firingOf({ scenario, rule: { name } }: CompiledRule, on: string | null) {
  return name === undefined ? { scenario, on } : { scenario, on, name };
}

/** The subject of the timers of a rule. */
export function tickSubject(scenario: string, index: number): string {
  return `${scenario}/${index}`;
}

/** Schedules the `every` and `at` rules of a scenario, given all its rules. */
export function scheduleTicks(operation: Operation, rules: readonly CompiledRule[]): void {
  for (const compiled of rules) {
    const { scenario, index, rule, at } = compiled;
    const placed = operation.because(operation.cause, at);
    if (rule.every !== undefined) scheduleNext(placed, compiled);
    const due = rule.at === undefined ? null : momentOf(rule.at, operation.now);
    if (due === null || due < operation.now) continue;
    placed.schedule({ due, kind: TICK_TIMER, subject: tickSubject(scenario, index) });
  }
}

/** Removes the timers of a scenario's `every` and `at` rules. */
export function removeTicks({ world }: Operation, { content }: LoadedScenario): void {
  content.rules.forEach((_rule, index) => {
    world.timers.removeOf(tickSubject(content.scenario, index), TICK_TIMER);
  });
}

/** Begins the steps of a rule whose time has come, and schedules its next time. */
export function tick(operation: Operation, compiled: CompiledRule): void {
  const { scenario, index, rule, at, steps } = compiled;
  const subject = tickSubject(scenario, index);
  const named = operation.because(operation.cause, at);
  if (countMatch(operation, rule, compiled)) {
    const entry = named.record("rule.fired", null, firingOf(compiled, rule.every ?? rule.at ?? null));
    scheduleStep(operation.because(entry), subject, { scenario, type: "world", steps });
  }
  const { scenarios } = operation.world;
  const isSpent = rule.times !== undefined && scenarios.counters(scenario, index).fired >= rule.times;
  if (rule.every !== undefined && !isSpent) scheduleNext(named, compiled);
}

/** Schedules the next time of an `every` rule, unless the rule's window has ended by then. */
function scheduleNext(operation: Operation, compiled: CompiledRule): void {
  const { scenario, index, rule, since } = compiled;
  const { every = "", timezone = "UTC", until } = rule;
  const due = nextRun(every, timezone, operation.now);
  const ends = until === undefined ? null : momentOf(until, since);
  if (due === null || (ends !== null && due >= ends)) return;
  const payload = turnOf(operation.world, compiled, due);
  operation.schedule({ due, kind: TICK_TIMER, subject: tickSubject(scenario, index), recurring: true, payload });
}

/** What is known beforehand of a turn: whether it cannot cause an event, or is one that the rule lets go by. */
function turnOf(world: World, compiled: CompiledRule, due: Instant): RecurringPayload {
  if (isUneventful(compiled.rule)) return { uneventful: true };
  return willAct(world, compiled.rule, compiled, due) ? {} : { passing: true };
}

/** Whether a rule cannot cause an event: it never acts, or has no steps that act on resources. */
function isUneventful({ then: steps = [], chance }: ScenarioRule): boolean {
  return (chance !== undefined && shareOf(chance) === 0) || steps.every((step) => isWorldAction(actionOf(step)));
}
