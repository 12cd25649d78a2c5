/** Scenarios that tests write inline. */

import { loadScenario } from "../../src/scenarios/loader.ts";
import { type Problem, ScenarioError } from "../../src/scenarios/problems.ts";

type Step = Readonly<Record<string, unknown>>;

/** A rule on an occurrence with its steps; `more` has `where`, `skip`, `times` and the like. */
export function rule(on: string, steps: readonly Step[], more: object = {}) {
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  return { on, ...more, then: steps };
}

/** A rule on the clock, `{ every: … }` or `{ at: … }`, with its steps. */
export function clockRule(trigger: object, steps: readonly Step[]) {
  // biome-ignore lint/suspicious/noThenProperty: as above.
  return { ...trigger, then: steps };
}

/** A scenario document, as `POST /worlds` and `POST /scenarios` take it. */
export function scenario(name: string, ...rules: readonly object[]): Record<string, unknown> {
  return { scenario: name, rules };
}

/** What is wrong with a scenario file of this name; nothing where it can be loaded. */
export function problemsOf(source: string, name = "broken.yaml"): readonly Problem[] {
  try {
    loadScenario(source, name);
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
}

/** Pays every charge ten minutes after the start: many events at one instant. */
export const allAtOnce = scenario("all-at-once", rule("cashin.created", [{ at: "2026-01-01T12:10:00Z", pay: {} }]));

/** That instant, in seconds from the start. */
export const AT_ONCE_S = 600;
