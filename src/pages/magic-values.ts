/** The magic values as a table, made from the scenario's file: for `docs/scenarios.md` and for the README. */
import { shipped } from "../host/scenario-library.ts";
import { MAGIC_VALUES } from "../scenarios/engine.ts";
import { conditionsWords } from "../scenarios/expectation-words.ts";
import { type LoadedScenario, loadScenario } from "../scenarios/loader.ts";
import type { ScenarioRule, ScenarioStep } from "../scenarios/rule-schema.ts";
import { actionOf } from "../scenarios/step-actions.ts";
import { code, table, withBetween } from "./markdown.ts";

const BEGIN = "<!-- magic values: begin; npm run docs writes what follows -->";
const END = "<!-- magic values: end -->";

type Conditions = Readonly<Record<string, unknown>>;

/** The README with its table replaced. @throws {Error} if it has no place for one. */
export function withMagicValues(readme: string): string {
  const { text, file } = shipped(MAGIC_VALUES);
  return withBetween(readme, BEGIN, END, magicTable(loadScenario(text, file)));
}

/** A row for each rule with a condition on the external id, with the steps that decide a dispute which it opens. */
export function magicTable({ content }: LoadedScenario): string {
  const rows = content.rules.flatMap((rule) => {
    const { external_id: pattern, ...others } = rule.where as Conditions;
    if (typeof pattern !== "string") return [];
    return [[code(pattern), subjectOf(rule, others), rule.name ?? "", stepsOf(rule, content.rules)]];
  });
  return table([code("external_id"), "of", "what happens", "steps"], rows);
}

/** TABLE: what the external id of a rule belongs to, by how the rule's trigger begins. */
const nouns: Readonly<Record<string, string>> = {
  cashin: "a charge",
  cashout: "a cash-out",
  conversion: "a conversion",
};

function subjectOf({ on = "" }: ScenarioRule, others: Conditions): string {
  const noun = nouns[on.split(".")[0] ?? ""] ?? on;
  const conditions = conditionsWords(others);
  return conditions ? `${noun}, ${conditions}` : noun;
}

function stepsOf({ then = [] }: ScenarioRule, rules: readonly ScenarioRule[]): string {
  return then.flatMap((step) => [step, ...decisionOf(step, rules)].map(stepWords)).join(", ");
}

/**
 * The steps that decide the dispute which a step opens. A dispute has no external id: its rule knows it by the reason.
 */
function decisionOf(step: ScenarioStep, rules: readonly ScenarioRule[]): readonly ScenarioStep[] {
  const { reason } = ((step as Conditions).dispute ?? {}) as Conditions;
  const isDecided = ({ on, where }: ScenarioRule) =>
    on === "chargeback.opened" && (where as Conditions | undefined)?.reason === reason;
  return reason === undefined ? [] : (rules.find(isDecided)?.then ?? []);
}

/** `after 5s pay`, `at expiry expire`. */
function stepWords(step: ScenarioStep): string {
  const { after, at } = step;
  const moment = after ? `after ${after} ` : at ? `at ${at} ` : "";
  return `${moment}${code(actionOf(step as Record<string, unknown>))}`;
}
