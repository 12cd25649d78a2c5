/** The language of a scenario's rules: what sets them off, and their steps. */
import { z } from "zod";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { asQuestion, nearName } from "../domain/words/near-name.ts";
import { resourceActions } from "../service/actions.ts";
import { INSTANT_EXAMPLE, parseInstant } from "../world/instants.ts";
import { isTimeZone, patternFault } from "./cron.ts";
import { struckFields } from "./fault-rule-schema.ts";
import { wordOf } from "./file-values.ts";
import { filterFields, momentField } from "./filters.ts";
import { injection, injectionsOf, type Struckable } from "./injections.ts";
import { atKey, hasUnknownKey, nearest } from "./schema-words.ts";
import { stepActions, worldActions } from "./step-actions.ts";
import { durationField, durationMeant, INSTANT_FORM, instantMeant } from "./time-fields.ts";
import { triggerNames } from "./triggers.ts";
import { whereField } from "./where.ts";

/** TABLE: the moments that a step may wait for, besides an instant, and the resource that has each. */
export const momentSubjects = {
  confirmations: "cashin",
  expiry: "cashin",
  deadline: "dispute",
} as const satisfies Readonly<Record<string, LifecycleName>>;

/** Names of those moments. */
export const stepMoments = Object.keys(momentSubjects) as (keyof typeof momentSubjects)[];

const moment = () =>
  z
    .string({ error: `must be ${stepMoments.join(", ")} or an instant` })
    .refine((text) => Object.hasOwn(momentSubjects, text) || parseInstant(text) !== null, {
      error: ({ input }) =>
        `must be ${stepMoments.join(", ")} or an instant such as ${INSTANT_EXAMPLE}${momentMeant(input)}`,
    });

function momentMeant(given: unknown): string {
  const instant = instantMeant(given);
  const near = typeof given === "string" ? nearName(given, stepMoments) : null;
  if (instant !== null || near !== null) return asQuestion(instant ?? near);
  const duration = durationMeant(given);
  return duration === null ? "" : `; so long after the step before is "after: ${duration}"`;
}

/** Actions of one name share one loose schema: which is meant depends on the rule's trigger, see `rule-checks.ts`. */
const actionInputs = () =>
  Object.fromEntries(
    [...new Set(Object.values(resourceActions).flatMap((actions) => Object.keys(actions)))].map((name) => [
      name,
      z.preprocess((value) => value ?? {}, z.record(z.string(), z.unknown())).optional(),
    ]),
  );

/** Actions on the world take the same input in every rule. */
const worldInputs = () =>
  Object.fromEntries(Object.entries(worldActions).map(([name, { input }]) => [name, (input as z.ZodType).optional()]));

/** When a step is done. */
export const stepTiming = () => ({
  after: durationField.optional().meta({ description: "How long after the previous step, or after the trigger." }),
  at: moment()
    .optional()
    .meta({
      description: "At a moment of the resource, or at an instant.",
      anyOf: [{ enum: [...stepMoments] }, { pattern: `^${INSTANT_FORM}$` }],
    }),
});

const step = () =>
  z
    .strictObject(
      { ...stepTiming(), ...actionInputs(), ...worldInputs() },
      { error: ({ code, input }) => (code === "invalid_type" ? stepWords(input) : undefined) },
    )
    .superRefine((value, context) => {
      const [first, ...others] = Object.keys(value).filter((key) => stepActions.includes(key));
      // An unknown key, which has its own issue, was probably meant to be the action.
      if (first === undefined && !hasUnknownKey(context.issues)) {
        context.addIssue({ code: "custom", message: `has no action; it needs one of ${stepActions.join(", ")}` });
      }
      for (const other of others)
        context.addIssue(atKey([other], `cannot stand beside ${first}: a step has one action`));
      if ("after" in value && "at" in value) context.addIssue(atKey(["at"], "cannot stand beside after"));
    });

function stepWords(given: unknown): string {
  const isAction = typeof given === "string" && stepActions.includes(given);
  return `must be an object${isAction ? `; did you mean { ${given}: {} }?` : ""}`;
}

/** TABLE: what can set off a rule. */
export const triggerKinds = ["on", "every", "at", "request", "delivery"] as const;

const cronPattern = () =>
  z.string({ error: "must be a cron pattern" }).superRefine((pattern, context) => {
    const fault = patternFault(pattern);
    if (fault) context.addIssue({ code: "custom", message: fault });
  });

function timeZoneWords(given: unknown): string {
  return `must be a time zone such as America/Sao_Paulo${nearest(wordOf(given), Intl.supportedValuesOf("timeZone"))}`;
}

/** A rule of a scenario. */
export const ruleSchema = () =>
  z
    .strictObject({
      name: z.string().optional().meta({ description: "What it does, for reports." }),
      on: z
        .enum(triggerNames as [string, ...string[]])
        .optional()
        .meta({
          description: "Acts on each event of this kind; its steps act on what the event is about.",
        }),
      every: cronPattern()
        .optional()
        .meta({ description: "Acts whenever a cron pattern says so.", examples: ["0 9 * * MON-FRI"] }),
      timezone: z
        .string({ error: "must be a time zone such as America/Sao_Paulo" })
        .refine(isTimeZone, { error: ({ input }) => timeZoneWords(input) })
        .optional()
        .meta({ description: "The time zone of the cron pattern; UTC unless given.", examples: ["America/Sao_Paulo"] }),
      at: momentField.optional().meta({ description: "Acts once: at an instant, or that long after the loading." }),
      request: struckFields.request
        .optional()
        .meta({ description: "Strikes calls of the service, by method and path, with * for anything." }),
      delivery: struckFields.delivery
        .optional()
        .meta({ description: "Strikes webhooks on their way, by event kind, with * for anything." }),
      where: whereField.meta({ description: "Acts only if these fields match." }),
      ...filterFields,
      also: z
        .boolean({ error: "must be true or false" })
        .default(false)
        .meta({ description: "Acts in addition to the rule that steers." }),
      inject: injection.optional(),
      // biome-ignore lint/suspicious/noThenProperty: the language of scenarios says "then".
      then: z
        .array(step(), { error: "must be a list of steps" })
        .min(1, { error: "must have at least one step" })
        .optional()
        .meta({ description: "The steps, one after the other; each waits for the previous one." }),
    })
    .superRefine((value, context) => {
      // An unknown key, which has its own issue, was probably meant to be the missing one.
      const isMissing = ({ path: [key] }: Fault) => key === undefined || !(key in value);
      const isMeant = hasUnknownKey(context.issues);
      for (const fault of ruleFaults(value)) if (!isMeant || !isMissing(fault)) context.addIssue(fault);
    })
    .meta({ id: "rule" });

type Parsed = { readonly [key: string]: unknown };
type Fault = ReturnType<typeof atKey>;

/** Keys of a rule that are missing or do not go together. */
function* ruleFaults(rule: Parsed): Generator<Fault> {
  const [trigger, ...others] = triggerKinds.filter((kind) => rule[kind] !== undefined);
  if (trigger === undefined) return yield atKey([], `has no trigger; it needs one of ${triggerKinds.join(", ")}`);
  for (const other of others) yield atKey([other], `cannot stand beside ${trigger}: a rule has one trigger`);
  if (others.length > 0) return;
  if (rule.timezone !== undefined && trigger !== "every") yield atKey(["timezone"], "stands beside every alone");
  if (trigger === "request" || trigger === "delivery") return yield* faultRuleFaults(trigger, rule);
  if (rule.also === true && trigger !== "on")
    yield atKey(["also"], `has no place in a rule with ${trigger}, which no other rule takes anything from`);
  if (rule.inject !== undefined) yield atKey(["inject"], "has its place in request and delivery rules alone");
  else if (rule.then === undefined) yield atKey(["then"], "is missing; a rule has a list of steps");
  const conditions = Object.keys(rule.where as object);
  if (trigger !== "on" && conditions.length > 0)
    yield atKey(["where"], `has nothing to look at in a rule with ${trigger}`);
}

function* faultRuleFaults(trigger: Struckable, { inject, then: steps, also }: Parsed): Generator<Fault> {
  if (steps !== undefined) yield atKey(["then"], `has no place in a ${trigger} rule, which injects a fault`);
  if (also === true) yield atKey(["also"], `has no place in a ${trigger} rule: the first that matches strikes alone`);
  const known = Object.keys(injectionsOf[trigger]);
  if (inject === undefined)
    return yield atKey(["inject"], `is missing; a ${trigger} rule injects one of ${known.join(", ")}`);
  const given = Object.keys(inject as object);
  const [first, ...others] = given.filter((name) => known.includes(name));
  for (const name of given.filter((other) => !known.includes(other))) {
    yield atKey(["inject", name], `has no place in a ${trigger} rule, which injects one of ${known.join(", ")}`);
  }
  for (const other of others) yield atKey(["inject", other], `cannot stand beside ${first}: a rule injects one fault`);
  if (given.length === 0) yield atKey(["inject"], `is empty; a ${trigger} rule injects one of ${known.join(", ")}`);
}

/** A rule as parsed from its file; durations and instants are still texts. */
export type ScenarioRule = z.infer<ReturnType<typeof ruleSchema>>;

/** A step of a rule: its timing, and one action by its name. */
export type ScenarioStep = NonNullable<ScenarioRule["then"]>[number];
