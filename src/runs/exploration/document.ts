/** A plan as a scenario: it lies beneath the one that is explored, so that a bundle has it and a hand can use it. */
import { stringify } from "yaml";
import { formatDuration } from "../../domain/durations.ts";
import type { ScenarioSource } from "../../host/creation.ts";
import { type Change, changeWords, type Plan, targetKey } from "./changes.ts";

/**
 * The scenario of a plan. Lost answers are no rules but tell of the network: its description alone names them.
 * @param name such as `exploration-7`.
 */
export function documentOf(plan: Plan, name: string): ScenarioSource {
  const description = plan.map((change) => `${ordinalOf(change)} ${changeWords(change)}`).join("; ");
  // A rule that has struck hides the webhook from those below it: with the last webhook first, none has to know.
  const rules = [...plan].sort((left, right) => right.target.nth - left.target.nth).flatMap(ruleOf);
  return { file: `${name}.yaml`, text: stringify({ scenario: name, description, rules }) };
}

/** Whether rules can do all of a plan. */
export function isAllRules(plan: Plan): boolean {
  return plan.every(({ kind }) => kind !== "unheard");
}

function ruleOf(change: Change): object[] {
  if (change.kind === "unheard") return [];
  const { event, nth } = change.target;
  const inject = change.kind === "repeated" ? { duplicate: change.copies } : { delay: formatDuration(change.delayMs) };
  return [{ delivery: event, ...(nth > 0 ? { skip: nth } : {}), times: 1, inject }];
}

function ordinalOf({ target }: Change): string {
  return target.nth === 0 ? target.event : `${targetKey({ ...target, nth: target.nth + 1 })}`;
}
