/** Answers of the control interface about scenarios, faults, causes, coverage and readiness. */
import { z } from "zod";
import { readinessVerdicts } from "../../domain/readiness-verdicts.ts";
import { webhookStatuses } from "../../domain/webhook-statuses.ts";
import { topicTypes } from "../../insight/explain/topics.ts";
import { verdicts } from "../../scenarios/verdicts.ts";
import { anything, cause, count, instant, instantOrNull, rule, text, textOrNull, texts } from "./answer-fields.ts";

const counters = { matched: count, fired: count };

const scenarioRule = z.strictObject({
  name: textOrNull,
  at: text.meta({ description: "`file:line`" }),
  where: anything,
  steps: z.array(anything),
  on: text.optional(),
  every: text.optional(),
  due: text.optional(),
  request: text.optional(),
  delivery: text.optional(),
  ...counters,
});

const problem = z.strictObject({
  file: text,
  line: count,
  column: count,
  message: text,
  excerpt: text,
  caret: count,
});

/** A scenario with the counters of its rules and the verdicts of its expectations. */
export const scenario = z.strictObject({
  name: text,
  description: textOrNull,
  file: text,
  status: z.enum(["running", "passed", "failed"]),
  problems: z.array(problem).meta({ description: "Of a file that is followed, since it was last in order." }),
  rules: z.array(scenarioRule),
  expectations: z.array(
    z.strictObject({
      at: text,
      text,
      verdict: z.enum(verdicts),
      detail: text,
      needs_run: z.literal(true).optional().meta({ description: "It refers to what the merchant's script saves." }),
    }),
  ),
});
/** A fault rule by hand with its counters. */
export const fault = z.looseObject({
  id: text.meta({ description: "What `DELETE /faults/{id}` takes." }),
  name: text.optional(),
  request: text.optional(),
  delivery: text.optional(),
  inject: anything,
  where: anything,
  at: textOrNull.meta({ description: "`file:line` of the step that set it; null for one of this interface." }),
  ends_at: instantOrNull.meta({ description: "When its `for` is over; null if it has none." }),
  ...counters,
});

/** The fault rules in order, also those that are over. */
export const faults = z.strictObject({ rules: z.array(fault) });

const topic = z.enum(topicTypes);

const explained = z.strictObject({
  sequence: count,
  at: instant,
  kind: text,
  subject: textOrNull,
  cause,
  text,
  rule,
  call: textOrNull.meta({ description: "The call of the service or of the control interface that it is." }),
  request_id: textOrNull,
});

/** What led to something, what has come of it, and what is still to come. */
export const explanation = z.strictObject({
  id: text,
  type: topic,
  summary: text,
  chain: z.array(explained).meta({ description: "From the first cause to what it is now." }),
  chain_truncated: z.strictObject({ after: count, links: count }).optional(),
  history: z.array(z.strictObject({ ...explained.shape, root: text })),
  history_truncated: z.literal(true).optional(),
  pending: z.array(z.strictObject({ id: text, at: instant, kind: text, text, rule, cause })),
  webhooks: z
    .array(z.strictObject({ webhook_id: text, event: text, status: z.enum(webhookStatuses) }))
    .meta({ description: "Of a resource: those that tell of it." })
    .optional(),
  led_to: z.array(explained).optional(),
  led_to_truncated: z.literal(true).optional(),
  also: z.array(z.strictObject({ type: topic, id: text })).optional(),
});

/** The readiness report. */
export const report = z.strictObject({
  verdict: z.enum(readinessVerdicts),
  checks: z.array(
    z.strictObject({
      id: text,
      title: text,
      verdict: z.enum(readinessVerdicts),
      detail: text,
      evidence: texts.meta({ description: "Ids of requests and webhooks." }),
      evidence_truncated: z.literal(true).optional().meta({ description: "There are more ids." }),
      advice: text.meta({ description: "What to do; empty where nothing is to be done." }),
      source: text.meta({ description: "Where the specification says so." }),
    }),
  ),
});

/** What of the service was exercised, and how often. */
export const coverage = z.strictObject({
  covered: count,
  total: count,
  percent: z.number(),
  sections: z.array(
    z.strictObject({
      id: text,
      title: text,
      covered: count,
      total: count,
      items: z.array(z.strictObject({ name: text, count })),
    }),
  ),
});
