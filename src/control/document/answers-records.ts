/** Answers of the control interface about what happened: journal, webhooks, requests, ledger. */
import { z } from "zod";
import { attemptErrorKinds } from "../../domain/attempt-error-kinds.ts";
import { attemptOutcomes } from "../../domain/attempt-outcomes.ts";
import { webhookStatuses } from "../../domain/webhook-statuses.ts";
import {
  anything,
  cause,
  count,
  decimal,
  headers,
  instant,
  instantOrNull,
  page,
  rule,
  text,
  textOrNull,
  texts,
} from "./answer-fields.ts";

/** An entry of the journal. */
export const entry = z.strictObject({
  sequence: count,
  at: instant,
  kind: text,
  subject: textOrNull,
  cause,
  rule,
  data: anything,
});

/** A movement of money from one account of the ledger to another. */
export const posting = z.strictObject({
  id: count,
  at: instant,
  subject: text,
  source: text,
  destination: text,
  currency: text,
  amount: decimal,
  cause: count.meta({ description: "The sequence of the journal entry that led to it." }),
});

/** A receiver may send a header several times. */
const givenHeaders = z.record(z.string(), z.union([text, texts]));

const attempt = z.strictObject({
  number: count.meta({
    description:
      "Its place on the schedule, from 1: a further copy has that of the attempt that it copies, one by hand comes after all before it.",
  }),
  manual: z.boolean().meta({ description: "Whether it was a re-delivery by hand." }),
  duplicate: z.boolean().meta({ description: "Whether it was a further copy (fault `duplicate`)." }),
  source: textOrNull.meta({ description: "The wrong address that it left from (fault `source`)." }),
  at: instant,
  outcome: z.enum(attemptOutcomes).nullable().meta({ description: "Null while it is in the air." }),
  request: z.strictObject({ method: z.literal("POST"), url: text, headers, body: text }),
  response: z
    .strictObject({
      status: count,
      headers: givenHeaders,
      body: text,
      truncated: z.boolean().meta({
        description: "Whether there is more of the body than this: it is longer than 64 KiB, or was broken off.",
      }),
    })
    .nullable()
    .meta({ description: "Null if no answer had begun; beside an `error` it is what had come of one." }),
  error: z
    .strictObject({ kind: z.enum(attemptErrorKinds), message: text })
    .nullable()
    .meta({
      description: "What went wrong below HTTP; null if the answer is whole.",
    }),
  duration_ms: z.number().min(0).nullable().meta({ description: "In real time; null while it is in the air." }),
});

/** A webhook with every attempt to deliver it. */
export const webhook = z.strictObject({
  webhook_id: text,
  event: text,
  transaction_id: text,
  subject: text,
  username: text,
  client_id: text,
  destination: textOrNull,
  status: z.enum(webhookStatuses),
  created_at: instant,
  next_attempt_at: instantOrNull,
  body: anything,
  envelope: anything,
  headers: headers.nullable().meta({ description: "Those of the last attempt; null before the first." }),
  attempts: z.array(attempt),
});

/** A webhook that came to the inbox. */
export const inboxItem = z.strictObject({ at: instant, headers, body: anything });

/** A call of the service, with its answer. */
export const request = z.strictObject({
  request_id: text,
  at: instant,
  client_id: textOrNull,
  ip: text,
  method: text,
  path: text,
  query: text,
  headers: headers.meta({ description: "Secrets are masked." }),
  body: text,
  status: count,
  error_code: textOrNull,
  response: z.strictObject({ headers, body: text }),
  duration_ms: count.meta({ description: "How long a fault held the answer back." }),
  findings: z.array(z.strictObject({ check: text, verdict: z.enum(["fail", "warn"]), advice: text })),
});

/** A page of postings, and the balances of all accounts of the ledger. */
export const ledger = z.strictObject({
  ...page(posting).shape,
  balances: z.array(z.strictObject({ account: text, currency: text, balance: decimal })),
});

/** Whether the books are right, check by check. */
export const ledgerCheck = z.strictObject({
  ok: z.boolean(),
  checks: z.array(z.strictObject({ id: text, ok: z.boolean(), detail: text })),
});
