/** The rules of loaded scenarios as they act: each with its place, its steps, and what identifies it for its counters. */
import type { StoredScenario } from "../store/scenarios.ts";
import type { CountedRule } from "./filters.ts";
import type { LoadedScenario } from "./loader.ts";
import type { ScenarioRule } from "./rule-schema.ts";
import { type PlacedStep, plainStep } from "./steps.ts";

/** A stored scenario, with its file as loaded. */
export type StoredAndLoaded = Omit<StoredScenario, "source"> & { readonly content: LoadedScenario };

/** A rule with its place and its steps; its moments count from when the scenario was loaded. */
export interface CompiledRule extends CountedRule {
  readonly rule: ScenarioRule;
  /** `file:line`. */
  readonly at: string;
  readonly steps: readonly PlacedStep[];
}

/** The rules of a scenario, in the order of its file. */
export function compiledRules({ content, loaded_at: since }: Pick<StoredAndLoaded, "content" | "loaded_at">) {
  const rules = compiled.get(content) ?? compile(content);
  compiled.set(content, rules);
  return rules.map((rule): CompiledRule => ({ ...rule, since }));
}

/** Compiled rules that all worlds of the process share: most have the same few scenarios. */
const compiled = new WeakMap<LoadedScenario, readonly Omit<CompiledRule, "since">[]>();

function compile({ content, ruleAt, stepAt }: LoadedScenario): Omit<CompiledRule, "since">[] {
  return content.rules.map((rule, index) => {
    const steps = (rule.then ?? []).map((step, number) => ({ at: stepAt(index, number), step: plainStep(step) }));
    const key = `chance ${content.scenario}/${index}`;
    return { scenario: content.scenario, index, key, at: ruleAt(index), rule, steps };
  });
}
