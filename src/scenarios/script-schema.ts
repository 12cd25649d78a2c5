/** The schema of the merchant's script and of expectations (interface, section 5). */

import { z } from "zod";
import { errorCodes } from "../domain/errors.ts";
import { eventKinds } from "../domain/events.ts";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { serviceCalls } from "../domain/service-calls.ts";
import { webhookStatuses } from "../domain/webhook-statuses.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { wholeNumberField } from "../service/input.ts";
import { advanceWords, targetOf } from "../world/advance-words.ts";
import { struckFields } from "./fault-rule-schema.ts";
import { wordOf } from "./file-values.ts";
import { quoted } from "./problems.ts";
import { ALONE, orReference } from "./references.ts";
import { atKey, hasUnknownKey, nearest } from "./schema-words.ts";
import {
  DURATION_FORM,
  durationField,
  durationMeant,
  INSTANT_FORM,
  instantMeant,
  tooLongWords,
} from "./time-fields.ts";
import { toldToRulesAlone } from "./triggers.ts";
import { holdsReference, isReference, REFERENCE_FORM, referencesIn } from "./variables.ts";
import { condition, conditionForm } from "./where.ts";

const MAX_REPEAT = 10_000;
const MAX_MADE_UP_BYTES = 64 * 1024 * 1024;

const conditions = (example = "{ currency: BRL }") =>
  z.record(z.string(), condition, { error: `must be an object such as ${example}` });

const answerStatus = z.union([wholeNumberField(200, 599), z.literal("lost"), z.literal("malformed")], {
  error: 'must be a status from 200 to 599, "lost" where no answer comes, or "malformed" where it is no JSON',
});

/** TABLE: the schema of each field of a step whose value may be a variable. */
export const referableInSteps = {
  repeat: wholeNumberField(1, MAX_REPEAT),
  status: answerStatus,
  error: z.enum(errorCodes),
} as const;

/** TABLE: the same for expectations. */
export const referableInExpectations = {
  event: z.enum(eventKinds),
  no_event: z.enum(eventKinds),
  webhook: struckFields.delivery,
  within: durationField,
  status: z.enum(webhookStatuses),
} as const;

const FORM_VALUE = "must be a text, or a list of files: paths beside the scenario, or { name, type, size }";

const file = () =>
  z.union(
    [
      z.string().meta({ description: "A file, by its path beside the scenario." }),
      z
        .strictObject({
          name: z.string().meta({ description: "The name that it is sent under." }),
          type: z
            .string()
            .meta({ description: "Its media type.", examples: ["application/pdf", "image/png", "image/jpeg"] }),
          size: wholeNumberField(0, MAX_MADE_UP_BYTES).meta({ description: "Bytes." }),
        })
        .meta({ description: "A file that is made up." }),
    ],
    { error: "must be a path beside the scenario, or { name, type, size }" },
  );

/** The target of an advance; one with variables can only be checked in a run. */
const advance = () =>
  z
    .string({ error: ({ input }) => advanceFaultWords(input) })
    .superRefine((text, context) => {
      if (referencesIn(text).length > 0 || targetOf(text) !== null) return;
      context.addIssue({ code: "custom", message: advanceFaultWords(text) });
    })
    .meta({ anyOf: [{ enum: [...advanceWords()] }, { pattern: `^(${DURATION_FORM}|${INSTANT_FORM})$|[$][{]` }] });

/** Why something is no target of an advance, as the rest of a sentence that begins with it. */
export function advanceFaultWords(given: unknown): string {
  const meant = asQuestion(durationMeant(given) ?? instantMeant(given)) || nearest(wordOf(given), advanceWords());
  return (
    toldToRulesAlone(given) ??
    tooLongWords(given) ??
    `must be a duration, an instant, next, idle or an event kind${meant}`
  );
}

/** A method and path of the service, with an optional query; it may contain variables. */
const calls: readonly string[] = serviceCalls;
const call = () =>
  z
    .string({ error: "must be a method and path such as POST /v2/transactions/cashin" })
    .superRefine((text, context) => {
      const [name = ""] = text.split("?");
      if (calls.includes(name) || /^(GET|POST) \/v2\/\S*\$\{/.test(text)) return;
      const isForm = /^[A-Z]+ \/\S*$/.test(text);
      const message = isForm
        ? `cannot be ${quoted(text)}`
        : "must be a method and path such as POST /v2/transactions/cashin";
      context.addIssue({ code: "custom", message: message + nearest(name, calls) });
    })
    .meta({ anyOf: [{ enum: [...calls] }, { pattern: `^((${calls.join("|")})[?]|(GET|POST) /v2/\\S*[$][{])` }] });

const callStep = () => ({
  call: call().optional().meta({ description: "Calls the service, with the token and the signature that it needs." }),
  body: z.unknown().optional().meta({ description: `The JSON body; \${name.path} stands for what was saved before.` }),
  form: z
    .record(z.string(), z.union([z.string(), z.array(file())], { error: FORM_VALUE }), { error: "must be an object" })
    .optional()
    .meta({ description: "A multipart form instead of a JSON body." }),
  as: z.string().optional().meta({ description: "The account that calls; the first one if left out." }),
  repeat: orReference(referableInSteps.repeat)
    .optional()
    .meta({ description: `Calls this often; \${index} counts from 1, and is a text.` }),
  expect: z
    .strictObject({
      status: orReference(referableInSteps.status)
        .optional()
        .meta({ description: "The status; lost if no answer comes, malformed if it is not JSON." }),
      error: orReference(referableInSteps.error).optional().meta({ description: "The error code of the answer." }),
      data: conditions().optional().meta({ description: "Conditions on the answer's data, by dotted field." }),
    })
    .superRefine(({ status = 200, error, data }, context) => {
      const isSuccess = isReference(status) || (typeof status === "number" && status < 400);
      if (data === undefined || (error === undefined && isSuccess)) return;
      const beside = error === undefined ? `status ${status}` : "error";
      context.addIssue(atKey(["data"], `cannot stand beside ${beside}: only a success has data`));
    })
    .superRefine(({ status, error }, context) => {
      if (error === undefined || typeof status !== "number" || status >= 400) return;
      context.addIssue(atKey(["error"], `cannot stand beside status ${status}: a success has none`));
    })
    .optional()
    .meta({ description: "What the answer must be; any success if left out." }),
  save: z
    .string({ error: "must be a name" })
    .regex(/^[a-z][a-z0-9_]*$/i, { error: "must be a name of letters, digits and _" })
    .optional()
    .meta({ description: `Keeps the answer's data under this name, for \${name.path} from here on.` }),
});

const scriptKinds = ["call", "advance", "note"] as const;

function stepWords(given: unknown): string {
  const isCall = typeof given === "string" && /^[A-Z]+ \//.test(given);
  return `must be an object${isCall ? `; did you mean "call: ${given}"?` : ""}`;
}

/** A step of the merchant: a call, an advance of time, or a remark. */
export const scriptStep = () => {
  const ofCall = callStep();
  return z
    .strictObject(
      {
        name: z.string().optional().meta({ description: "What it is, for reports." }),
        ...ofCall,
        advance: advance()
          .optional()
          .meta({ description: "Lets time pass: a duration, to an instant, or until something happens." }),
        note: z.string().optional().meta({ description: "A remark for readers of the file; it does nothing." }),
      },
      { error: ({ code, input }) => (code === "invalid_type" ? stepWords(input) : undefined) },
    )
    .superRefine((value, context) => {
      const [kind, ...others] = scriptKinds.filter((name) => value[name] !== undefined);
      if (kind === undefined) {
        if (hasUnknownKey(context.issues)) return;
        return context.addIssue({ code: "custom", message: `does nothing; it needs one of ${scriptKinds.join(", ")}` });
      }
      for (const other of others)
        context.addIssue(atKey([other], `cannot stand beside ${kind}: a step does one thing`));
      const ofCalls = Object.keys(ofCall).filter(
        (key) => key !== "call" && value[key as keyof typeof value] !== undefined,
      );
      if (value.call === undefined)
        for (const key of ofCalls) context.addIssue(atKey([key], "stands beside call alone"));
      if (value.body !== undefined && value.form !== undefined)
        context.addIssue(atKey(["form"], "cannot stand beside body"));
    })
    .meta({ id: "merchant-step" });
};

/** A step of `merchant`: a call, an advance or a note. */
export type ScriptStep = z.infer<ReturnType<typeof scriptStep>>;

/** TABLE: what an expectation can be about, with the other keys that it may have. */
export const expectationKeys = {
  event: ["where", "count", "within"],
  no_event: ["where", "count", "within"],
  balance: ["of"],
  webhook: ["where", "count", "status"],
  transaction: ["where", "count"],
  dispute: ["where", "count"],
} as const;

/** The key that says what an expectation is about. */
export type ExpectationKind = keyof typeof expectationKeys;

const named = () => z.union([z.string(), z.null(), conditions()], { error: "must be an id, or conditions by field" });

const BALANCES = '{ BRL: "150.00" }';

const balances = () =>
  conditions(BALANCES)
    .refine((given) => Object.keys(given).length > 0, { error: `must name a currency, as in ${BALANCES}` })
    .meta({ minProperties: 1 });

/** A whole number, for editors. */
const COUNT = {
  anyOf: [
    { type: "integer", minimum: 0 },
    { type: "string", pattern: REFERENCE_FORM },
  ],
};

const NO_COUNT = "must be a whole number, or comparisons such as { gte: 2 }";

/** How many findings there must be: a whole number, or comparisons; a variable may stand for a number. */
const count = condition
  .superRefine((value, context) => {
    for (const { path, input } of noCountsIn(value)) {
      const noNumber = path.length === 0 ? NO_COUNT : "must be a whole number";
      const message = holdsReference(input) ? ALONE : noNumber;
      context.addIssue({ code: "custom", path: [...path], input, message });
    }
  })
  .meta({ description: "A whole number, or comparisons.", ...conditionForm("count", COUNT) });

/** The values of a condition that are no whole numbers, each with its path. */
function* noCountsIn(input: unknown, path: Path = []): Generator<{ readonly path: Path; readonly input: unknown }> {
  const isNumber = input instanceof ExactNumber && /^\d+$/.test(input.source);
  if (isNumber || (typeof input === "string" && isReference(input))) return;
  if (input instanceof ExactNumber || input === null || typeof input !== "object") yield { path, input };
  else if (Array.isArray(input)) for (const [index, item] of input.entries()) yield* noCountsIn(item, [...path, index]);
  else for (const [key, operand] of Object.entries(input)) yield* noCountsIn(operand, [...path, key]);
}

/** What is expected at the end of a run, or at any time of a world that is served. */
export const expectation = () =>
  z
    .strictObject({
      name: z.string().optional().meta({ description: "What is expected, for reports." }),
      event: orReference(referableInExpectations.event).optional().meta({ description: "An event that was sent." }),
      no_event: orReference(referableInExpectations.no_event)
        .optional()
        .meta({ description: "An event that was not sent." }),
      balance: balances().optional().meta({ description: "Balances by currency, as values or comparisons." }),
      webhook: orReference(referableInExpectations.webhook)
        .optional()
        .meta({ description: "A webhook: an event kind, * for anything." }),
      transaction: named().optional().meta({ description: "A transaction: its id, or conditions by field." }),
      dispute: named().optional().meta({ description: "A dispute: its id, or conditions by field." }),
      where: conditions().optional().meta({ description: "Only those with these fields." }),
      count: count.optional().meta({ description: "How many there are; at least one if left out." }),
      within: orReference(referableInExpectations.within)
        .optional()
        .meta({ description: "How soon, from the start of the run." }),
      of: z.string().optional().meta({ description: "Whose balance; the first account's if left out." }),
      status: orReference(referableInExpectations.status)
        .optional()
        .meta({ description: "The status of the webhook." }),
    })
    .superRefine((value, context) => {
      const all = Object.keys(expectationKeys) as ExpectationKind[];
      const [kind, ...others] = all.filter((name) => value[name] !== undefined);
      if (kind === undefined) {
        if (hasUnknownKey(context.issues)) return;
        return context.addIssue({ code: "custom", message: `is about nothing; it needs one of ${all.join(", ")}` });
      }
      for (const other of others)
        context.addIssue(atKey([other], `cannot stand beside ${kind}: an expectation is about one thing`));
      const allowed: readonly string[] = ["name", kind, ...others, ...expectationKeys[kind]];
      for (const key of Object.keys(value).filter((name) => !allowed.includes(name))) {
        context.addIssue(atKey([key], `has no place beside ${kind}`));
      }
    })
    .meta({ id: "expectation" });

/** An entry of `expect`; {@link kindOf} tells which it is. */
export type Expectation = z.infer<ReturnType<typeof expectation>>;

/** An expectation without its name, which is for people: what looks like a reference in it is none. */
export function withoutName<Named extends { readonly name?: unknown }>({ name: _, ...others }: Named) {
  return others;
}

/** What an expectation is about. */
export function kindOf(expected: Expectation): ExpectationKind {
  const kinds = Object.keys(expectationKeys) as ExpectationKind[];
  return kinds.find((kind) => expected[kind] !== undefined) ?? "event";
}
