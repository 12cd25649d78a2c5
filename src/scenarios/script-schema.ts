/** What the merchant does in a run, and what is expected to have come of it (interface, section 5). */
import { z } from "zod";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import { type ErrorCode, errorCatalogue } from "../domain/errors.ts";
import { eventKinds } from "../domain/events.ts";
import { wholeNumberField } from "../service/input.ts";
import { parseInstant } from "../world/instants.ts";
import { nearest } from "./schema-words.ts";
import { condition } from "./where.ts";

const MAX_REPEAT = 10_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const duration = z
  .string({ error: `must be a duration such as ${DURATION_EXAMPLES}` })
  .refine((text) => parseDuration(text) !== null, { error: `must be a duration such as ${DURATION_EXAMPLES}` });

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

const conditions = z.record(z.string(), condition, { error: "must be an object" });

const status = z.union([wholeNumberField(200, 599), z.literal("lost")], {
  error: 'must be a status from 200 to 599, or "lost" where no answer comes',
});

const file = z.union([
  z.string(),
  z.strictObject({
    name: z.string(),
    type: z.string(),
    size: wholeNumberField(0, MAX_FILE_BYTES),
  }),
]);

/** Words that an advance takes beside durations and instants. */
const advanceWords: readonly string[] = ["next", "idle", ...eventKinds];

const advance = z
  .string({ error: "must be a duration, an instant, next, idle or an event kind" })
  .superRefine((text, context) => {
    if (parseDuration(text) !== null || parseInstant(text) !== null || advanceWords.includes(text)) return;
    const message = `must be a duration, an instant, next, idle or an event kind${nearest(text, advanceWords)}`;
    context.addIssue({ code: "custom", message });
  });

const callStep = {
  call: z.string({ error: "must be a text" }).regex(/^(GET|POST) \/v2\/\S+$/, {
    error: "must be a method and path such as POST /v2/transactions/cashin",
  }),
  body: z.unknown().optional(),
  form: z.record(z.string(), z.union([z.string(), z.array(file)])).optional(),
  as: z.string().optional(),
  repeat: wholeNumberField(1, MAX_REPEAT).optional(),
  expect: z
    .strictObject({
      status: status.optional(),
      error: z.enum(errorCodes, { error: `must be one of ${errorCodes.join(", ")}` }).optional(),
      data: conditions.optional(),
    })
    .optional(),
  save: z
    .string({ error: "must be a name" })
    .regex(/^[a-z][a-z0-9_]*$/i, { error: "must be a name of letters, digits and _" })
    .optional(),
} as const;

/** A step of the merchant: a call, time that passes, or a remark. */
export const scriptStep = z
  .strictObject({
    name: z.string().optional(),
    ...callStep,
    call: callStep.call.optional(),
    advance: advance.optional(),
    note: z.string().optional(),
  })
  .superRefine((value, context) => {
    if (context.issues.length > 0) return;
    const kinds = (["call", "advance", "note"] as const).filter((kind) => value[kind] !== undefined);
    if (kinds.length !== 1) {
      const found = kinds.length === 0 ? "it has none" : `it has ${kinds.join(" and ")}`;
      context.addIssue({ code: "custom", message: `must have exactly one of call, advance, note; ${found}` });
    }
    const ofCalls = Object.keys(callStep).filter((key) => key !== "call");
    for (const key of ofCalls.filter((name) => value[name as keyof typeof value] !== undefined)) {
      if (value.call === undefined)
        context.addIssue({ code: "custom", path: [key], message: "stands beside call alone" });
    }
    if (value.body !== undefined && value.form !== undefined) {
      context.addIssue({ code: "custom", path: ["form"], message: "cannot stand beside body" });
    }
  });
export type ScriptStep = z.infer<typeof scriptStep>;

const eventKind = z.string({ error: "must be an event kind" }).superRefine((text, context) => {
  if ((eventKinds as readonly string[]).includes(text)) return;
  context.addIssue({ code: "custom", message: `unknown event kind "${text}"${nearest(text, eventKinds)}` });
});

/** TABLE: what an expectation can be about, with the further keys that it takes. */
export const expectationKeys = {
  event: ["where", "count", "within"],
  no_event: ["where", "within"],
  balance: ["of"],
  webhook: ["where", "count", "status"],
  transaction: ["where", "count"],
  dispute: ["where", "count"],
} as const;
export type ExpectationKind = keyof typeof expectationKeys;

const named = z.union([z.string(), z.null(), conditions]);

/** What is expected at the end of a run, or at any time of a world that is served. */
export const expectation = z
  .strictObject({
    name: z.string().optional(),
    event: eventKind.optional(),
    no_event: eventKind.optional(),
    balance: conditions.optional(),
    webhook: z.string().optional(),
    transaction: named.optional(),
    dispute: named.optional(),
    where: conditions.optional(),
    count: condition.optional(),
    within: duration.optional(),
    of: z.string().optional(),
    status: z
      .enum(["pending", "delivered", "exhausted", "throttled", "undeliverable", "dropped"], {
        error: "must be pending, delivered, exhausted, throttled, undeliverable or dropped",
      })
      .optional(),
  })
  .superRefine((value, context) => {
    if (context.issues.length > 0) return;
    const all = Object.keys(expectationKeys) as ExpectationKind[];
    const kinds = all.filter((kind) => value[kind] !== undefined);
    const [kind] = kinds;
    if (kinds.length !== 1 || kind === undefined) {
      const found = kinds.length === 0 ? "it has none" : `it has ${kinds.join(" and ")}`;
      context.addIssue({ code: "custom", message: `must have exactly one of ${all.join(", ")}; ${found}` });
      return;
    }
    const known: readonly string[] = ["name", kind, ...expectationKeys[kind]];
    for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
      context.addIssue({ code: "custom", path: [key], message: `has no place beside ${kind}` });
    }
  });
export type Expectation = z.infer<typeof expectation>;

/** What an expectation is about. */
export function kindOf(expected: Expectation): ExpectationKind {
  const kinds = Object.keys(expectationKeys) as ExpectationKind[];
  return kinds.find((kind) => expected[kind] !== undefined) ?? "event";
}
