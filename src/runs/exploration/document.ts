/** A plan as a scenario, loaded beneath the explored one, so that bundles contain it and people can reuse it. */
import { stringify } from "yaml";
import { formatDuration } from "../../domain/durations.ts";
import type { ScenarioSource } from "../../host/creation.ts";
import { type Change, changeWords, type Plan, targetKey } from "./changes.ts";

/**
 * The scenario of a plan. Lost answers happen in the network, so they are not rules, but only in the description.
 * @param name such as `exploration-7`.
 */
export function documentOf(plan: Plan, name: string): ScenarioSource {
  const description = plan.map((change) => `${ordinalOf(change)} ${changeWords(change)}`).join("; ");
  // A rule that strikes a webhook hides it from the rules below, so `skip` only counts right with the last one first.
  const rules = [...plan].sort((left, right) => right.target.nth - left.target.nth).flatMap(ruleOf);
  return { file: `${name}.yaml`, text: stringify({ scenario: name, description, rules }) };
}

/** Whether rules can make all changes of a plan. */
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
  return target.nth === 0 ? target.event : targetKey({ ...target, nth: target.nth + 1 });
}
