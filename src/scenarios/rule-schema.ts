/** The language of a scenario's rules: what sets them off, and their steps. */
import { z } from "zod";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import { resourceActions } from "../service/actions.ts";
import { parseInstant } from "../world/instants.ts";
import { isTimeZone, patternFault } from "./cron.ts";
import { struckFields } from "./faults.ts";
import { filterFields, momentField } from "./filters.ts";
import { injection, injectionFault } from "./injections.ts";
import { stepActions, worldActions } from "./step-actions.ts";
import { triggerNames } from "./triggers.ts";
import { whereField } from "./where.ts";

const duration = z
  .string({ error: `must be a duration such as ${DURATION_EXAMPLES}` })
  .refine((text) => parseDuration(text) !== null, { error: `must be a duration such as ${DURATION_EXAMPLES}` });

/** Moments that a step may wait for, beside an instant. */
export const stepMoments = ["confirmations", "expiry", "deadline"] as const;

const moment = z
  .string({ error: `must be ${stepMoments.join(", ")} or an instant` })
  .refine((text) => (stepMoments as readonly string[]).includes(text) || parseInstant(text) !== null, {
    error: `must be ${stepMoments.join(", ")} or an instant such as 2026-01-01T12:00:00Z`,
  });

/** Actions of one name are taken together; which one is meant is told by the rule's trigger, in the loader. */
const actionInputs = Object.fromEntries(
  [...new Set(Object.values(resourceActions).flatMap((actions) => Object.keys(actions)))].map((name) => [
    name,
    z.preprocess((value) => value ?? {}, z.record(z.string(), z.unknown())).optional(),
  ]),
);

/** What acts on the world is the same in every rule. */
const worldInputs = Object.fromEntries(
  Object.entries(worldActions).map(([name, { input }]) => [name, (input as z.ZodType).optional()]),
);

const step = z
  .strictObject({ after: duration.optional(), at: moment.optional(), ...actionInputs, ...worldInputs })
  .superRefine((value, context) => {
    const actions = Object.keys(value).filter((key) => stepActions.includes(key));
    // Where a key is unknown, that one was meant to be the action.
    if (actions.length !== 1 && context.issues.length === 0) {
      const found = actions.length === 0 ? "has none" : `has ${actions.join(" and ")}`;
      context.addIssue({
        code: "custom",
        message: `must have exactly one action of ${stepActions.join(", ")}; it ${found}`,
      });
    }
    if ("after" in value && "at" in value) {
      context.addIssue({ code: "custom", path: ["at"], message: "cannot stand beside after" });
    }
  });

/** TABLE: what can set off a rule. */
export const triggerKinds = ["on", "every", "at", "request", "delivery"] as const;

const cronPattern = z.string({ error: "must be a cron pattern" }).superRefine((pattern, context) => {
  const fault = patternFault(pattern);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

/** A rule of a scenario. */
export const ruleSchema = z
  .strictObject({
    name: z.string().optional(),
    on: z.enum(triggerNames as [string, ...string[]]).optional(),
    every: cronPattern.optional(),
    timezone: z
      .string({ error: "must be a time zone such as America/Sao_Paulo" })
      .refine(isTimeZone, { error: "must be a time zone such as America/Sao_Paulo" })
      .optional(),
    at: momentField.optional(),
    request: struckFields.request.optional(),
    delivery: struckFields.delivery.optional(),
    where: whereField,
    ...filterFields,
    also: z.boolean({ error: "must be true or false" }).default(false),
    inject: injection.optional(),
    // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
    then: z
      .array(step, { error: "must be a list of steps" })
      .min(1, { error: "must have at least one step" })
      .optional(),
  })
  .superRefine((value, context) => {
    if (context.issues.length > 0) return;
    for (const [path, message] of ruleFaults(value)) context.addIssue({ code: "custom", path, message });
  });

type Parsed = { readonly [key: string]: unknown };

/** What does not go together in a rule: where, and what would be right. */
function* ruleFaults(rule: Parsed): Generator<[path: string[], message: string]> {
  const triggers = triggerKinds.filter((kind) => rule[kind] !== undefined);
  const [trigger] = triggers;
  if (triggers.length !== 1 || trigger === undefined) {
    const found = triggers.length === 0 ? "it has none" : `it has ${triggers.join(" and ")}`;
    yield [[], `must have exactly one trigger of ${triggerKinds.join(", ")}; ${found}`];
    return;
  }
  if (rule.timezone !== undefined && trigger !== "every") yield [["timezone"], "stands beside every alone"];
  if (trigger === "request" || trigger === "delivery") {
    if (rule.inject === undefined) yield [["inject"], `is missing; a ${trigger} rule injects a fault`];
    else {
      const fault = injectionFault(trigger, rule.inject as object);
      if (fault) yield [["inject"], fault];
    }
    if (rule.then !== undefined) yield [["then"], `has no place in a ${trigger} rule, which injects a fault`];
    return;
  }
  if (rule.inject !== undefined) yield [["inject"], "has its place in request and delivery rules alone"];
  if (rule.then === undefined) yield [["then"], "is missing"];
  const conditions = Object.keys(rule.where as object);
  if (trigger !== "on" && conditions.length > 0) yield [["where"], `has nothing to look at in a rule with ${trigger}`];
}

export type ScenarioRule = z.infer<typeof ruleSchema>;
export type ScenarioStep = NonNullable<ScenarioRule["then"]>[number];
