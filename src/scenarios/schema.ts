/** The language of scenario files: one schema for loading, for the editor and for the documentation. */
import { z } from "zod";
import { comparisons } from "../domain/conditions.ts";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import { ExactNumber } from "../domain/money.ts";
import { resourceActions } from "../service/actions.ts";
import { wholeNumberField } from "../service/input.ts";
import { parseInstant } from "../world/instants.ts";
import { triggerNames } from "./triggers.ts";

/** Names of scenarios, as of worlds. */
export const SCENARIO_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

const MAX_COUNT = 1_000_000_000;

const scalar = z.union([z.string(), z.boolean(), z.null(), z.instanceof(ExactNumber)]);

const operand = scalar.optional();

const condition: z.ZodType = z.unknown().superRefine((value, context) => {
  if (scalar.safeParse(value).success) return;
  const result = comparison.safeParse(value, { reportInput: true });
  if (result.success && Object.keys(result.data).length > 0) return;
  if (!result.success && typeof value === "object" && !Array.isArray(value)) {
    for (const issue of result.error.issues) context.addIssue(issue as never);
  } else {
    context.addIssue({ code: "custom", message: `must be a value or one of ${comparisons.join(", ")}` });
  }
});

const comparison = z.strictObject({
  gte: operand,
  gt: operand,
  lte: operand,
  lt: operand,
  in: z.array(scalar).optional(),
  not: condition.optional(),
});

const duration = z
  .string({ error: `must be a duration such as ${DURATION_EXAMPLES}` })
  .refine((text) => parseDuration(text) !== null, { error: `must be a duration such as ${DURATION_EXAMPLES}` });

const chance = z
  .string({ error: "must be a percentage such as 10%" })
  .regex(/^(\d{1,2}(\.\d+)?|100)%$/, { error: "must be a percentage such as 10%" })
  .transform((text) => Number(text.slice(0, -1)) / 100);

/** Moments that a step may wait for, beside an instant. */
export const stepMoments = ["confirmations", "expiry"] as const;

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

/** Names of what a step can do. */
export const stepActions: readonly string[] = [...Object.keys(actionInputs), "note"];

const step = z
  .strictObject({
    after: duration.optional(),
    at: moment.optional(),
    ...actionInputs,
    note: z.string({ error: "must be a text" }).optional(),
  })
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

const rule = z.strictObject({
  name: z.string().optional(),
  on: z.enum(triggerNames as [string, ...string[]]),
  where: z.record(z.string(), condition).default({}),
  skip: wholeNumberField(0, MAX_COUNT).default(0),
  times: wholeNumberField(1, MAX_COUNT).optional(),
  chance: chance.default(1),
  also: z.boolean({ error: "must be true or false" }).default(false),
  // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
  then: z.array(step, { error: "must be a list of steps" }).min(1, { error: "must have at least one step" }),
});

export const scenarioSchema = z.strictObject({
  scenario: z
    .string({ error: "must be a text, the scenario's name" })
    .regex(SCENARIO_NAME, { error: "must be lower-case letters, digits and hyphens" }),
  description: z.string().optional(),
  rules: z.array(rule, { error: "must be a list of rules" }).default([]),
});

export type ScenarioFile = z.infer<typeof scenarioSchema>;
export type ScenarioRule = ScenarioFile["rules"][number];
export type ScenarioStep = ScenarioRule["then"][number];
