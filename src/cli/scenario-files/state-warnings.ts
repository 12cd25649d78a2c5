/** Steps that no state allows which the event of their rule can lead to: each of them would be skipped. */
import { type LifecycleName, lifecycles, type Transition } from "../../domain/lifecycles.ts";
import { allowedActions } from "../../domain/machine.ts";
import type { LoadedScenario } from "../../scenarios/loader.ts";
import type { Problem } from "../../scenarios/problems.ts";
import { namedInputs } from "../../scenarios/step-actions.ts";
import { triggerSubject } from "../../scenarios/triggers.ts";

/** Each step whose action is never allowed once the event has happened that its rule is on. */
export function stateWarnings({ content, problemAt }: LoadedScenario): Problem[] {
  return content.rules.flatMap(({ on = "", then = [] }, rule) => {
    const kind = on === "" ? null : triggerSubject(on);
    const states = kind === null ? [] : statesAfter(kind, LIKE[on] ?? on);
    if (kind === null || states.length === 0) return [];
    const allowed = states.flatMap((state) => allowedActions(kind, state));
    return then.flatMap((step, number) => {
      const action = lifecycles[kind].actions.find((name) => Object.hasOwn(step, name));
      if (action === undefined || allowed.includes(action) || namesAnother(action, step)) return [];
      const message = `what is ${states[0]} allows no "${action}" any more: the step is skipped each time`;
      return [problemAt(["rules", rule, "then", number], message, action)];
    });
  });
}

/** TABLE: events that no transition has, and those after which a resource is in the same state (`D44`). */
const LIKE: Readonly<Record<string, string>> = { wallet_deposit: "cashin.confirmed" };

/** The states that an event leads to, first that of the event itself; none if no transition has the event. */
function statesAfter(kind: LifecycleName, event: string): string[] {
  const rows: readonly Transition[] = lifecycles[kind].transitions;
  const states = new Set(rows.filter(({ events }) => events.some((each) => each === event)).map(({ to }) => to));
  // A set goes on with what is added while it is gone through.
  for (const state of states) for (const { from, to } of rows) if (from === state) states.add(to);
  return [...states];
}

/** Whether a step acts on another resource than the one that its rule is about. */
function namesAnother(action: string, step: object): boolean {
  const input = (step as Readonly<Record<string, unknown>>)[action];
  return namedInputs(action).some(({ key }) => typeof input === "object" && input !== null && key in input);
}
