/** A loaded scenario as the control interface shows it: its rules, and the present verdicts on its expectations. */
import type { World } from "../world/world.ts";
import type { CompiledRule, StoredAndLoaded } from "./compiled-rules.ts";
import { expectationWords } from "./expectation-words.ts";
import { type Judgement, judge } from "./expectations.ts";
import type { Problem } from "./problems.ts";
import { withoutName } from "./script-schema.ts";
import { plainStep } from "./steps.ts";
import { nameIn, referencesIn } from "./variables.ts";
import type { Verdict } from "./verdicts.ts";

/** An expectation of a loaded scenario, as it stands. */
export interface StandingExpectation extends Judgement {
  readonly at: string;
  readonly text: string;
  /** Present only if it refers to saved answers: only runs play the merchant's script. */
  readonly needs_run?: true;
}

/** A scenario with its rules and the present verdicts on its expectations. @param problems of a later version of it. */
export function describedScenario(world: World, stored: StoredAndLoaded, problems: readonly Problem[]) {
  const { name, file, loaded_at: since, loaded_after: afterEntry } = stored;
  const { content, placeOf } = stored.content;
  const circumstances = { world, variables: {}, since, afterEntry, final: false };
  const expectations = (content.expect ?? []).map(
    (expected, index): StandingExpectation => ({
      at: placeOf("expect", index),
      text: expectationWords(expected),
      ...(scripted(withoutName(expected)) ?? judge(expected, circumstances)),
    }),
  );
  return {
    name,
    description: content.description ?? null,
    file,
    status: statusOf(expectations.filter(({ needs_run }) => !needs_run)),
    problems,
    rules: describedRules(world, stored),
    expectations,
  };
}

/** The rules of a scenario, with how often each matched and fired. */
export function describedRules(world: World, { name, content: loaded }: StoredAndLoaded) {
  return loaded.content.rules.map((rule, index) => ({
    name: rule.name ?? null,
    at: loaded.ruleAt(index),
    where: rule.where,
    steps: (rule.then ?? []).map(plainStep),
    ...triggerOf(rule),
    ...world.scenarios.counters(name, index),
  }));
}

/** A pending verdict on an expectation that refers to saved answers; else null. */
function scripted(expected: unknown): Pick<StandingExpectation, "verdict" | "detail" | "needs_run"> | null {
  const [reference] = referencesIn(expected);
  if (reference === undefined) return null;
  const name = nameIn(reference);
  const detail = `\${${reference}}: nothing is saved as "${name}" here; the merchant's script plays in "payments-sandbox run" alone`;
  return { verdict: "pending", detail, needs_run: true };
}

/** The status of a scenario; one without expectations never passes, and goes on running. */
function statusOf(expectations: readonly { verdict: Verdict }[]): "running" | "passed" | "failed" {
  if (expectations.some(({ verdict }) => verdict === "fail")) return "failed";
  const all = expectations.length > 0 && expectations.every(({ verdict }) => verdict === "pass");
  return all ? "passed" : "running";
}

type Rule = CompiledRule["rule"];

/** What sets off a rule, each of which may be absent. */
type Trigger = Pick<Rule, "on" | "every" | "request" | "delivery"> & { due?: Rule["at"] };

/** What sets off a rule. Its `at` is named `due` here, as `at` is the place of the rule in its file. */
function triggerOf({ on, every, at: due, request, delivery }: Rule): Trigger {
  return { on, every, due, request, delivery };
}
