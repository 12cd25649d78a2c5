/** Answers of the control interface about worlds, their clocks and their accounts. */

import { z } from "zod";
import { accountStatuses } from "../../domain/account-statuses.ts";
import { clockModes } from "../../domain/clock-modes.ts";
import { type Settings, settingNotes, settingsSchema } from "../../domain/settings.ts";
import { limitChange } from "../limit-changes.ts";
import { cause, count, decimal, instant, instantOrNull, rule, text, textOrNull, texts } from "./answer-fields.ts";
import { entry } from "./answers-records.ts";

/** A clock, and what is due on it. */
export const clock = z.strictObject({
  mode: z.enum(clockModes),
  speed: z.number().positive(),
  now: instant,
  pending_timers: count,
  next_timer_at: instantOrNull,
});

/** What is due at an instant. */
export const timer = z.strictObject({
  id: text,
  at: instant,
  kind: text,
  subject: text.meta({ description: "The id of what it acts on." }),
  recurring: z.boolean(),
  cause,
  rule,
});

/** How far an advance came, and what happened on the way. */
export const advance = z.strictObject({
  from: instant,
  to: instant,
  reached: z.boolean().meta({
    description:
      "False where it did not come to its target: the event did not come, there is no next timer, or `max_timers` or a cancellation ended it before.",
  }),
  timers: count.meta({ description: "As many as ran." }),
  webhooks: z.strictObject({ delivered: count, failed: count, pending: count }),
  trace: z.array(entry).meta({ description: "What happened on the way, at most the first 1000 journal entries." }),
  trace_truncated: z.literal(true).optional(),
});

const credentialFields = { client_id: text, client_secret: text, signing_key: text, postback_url: textOrNull };
/** A credential with its secrets. */
export const credential = z.strictObject(credentialFields);
/** A credential after a change. */
export const changedCredential = z.strictObject({
  ...credentialFields,
  limits: z.array(limitChange).meta({ description: "Those that differ for it." }),
});

/** An account with its balances and credentials. */
export const account = z.strictObject({
  username: text,
  name: text,
  document: text,
  email: text,
  status: z.enum(accountStatuses),
  postback_url: textOrNull,
  created_at: instant,
  balances: z.array(z.strictObject({ currency: text, balance: decimal, balance_locked: decimal })),
  credentials: z.array(credential),
});

/** Each setting with its description. */
export const settings = z.strictObject(
  Object.fromEntries(
    Object.entries(settingsSchema.shape).map(([name, schema]) => {
      return [name, schema.meta({ description: settingNotes[name as keyof Settings] })];
    }),
  ) as unknown as typeof settingsSchema.shape,
);

/** A world with its settings, scenarios and accounts. */
export const world = z.strictObject({
  world: text,
  base_url: text,
  clock,
  seed: count,
  settings,
  scenarios: texts.meta({ description: "Their names." }),
  accounts: z.array(account),
});

/** A world as it is listed. */
export const worldSummary = z.strictObject({ world: text, clock, seed: count });

/** How a replay went: whether it gave the same history, or where that differs first. */
export const replay = z.strictObject({
  identical: z.boolean(),
  entries: count,
  difference: z
    .strictObject({ sequence: count, expected: entry.nullable(), actual: entry.nullable(), reason: textOrNull })
    .nullable(),
  made_by: text.meta({ description: "The version that wrote the bundle." }),
});

/** A world that was made. */
export const createdWorld = z.strictObject({
  ...world.shape,
  replay: replay.optional().meta({ description: "How a replay of a bundle went." }),
});

/** A snapshot of a world. */
export const snapshot = z.strictObject({ name: text, at: instant, entries: count });
/** The rates by currency. */
export const rates = z.strictObject({ rates: z.record(z.string(), decimal) });
/** The black list of addresses. */
export const blockedIps = z.strictObject({ ips: texts });
/** That the sandbox is well, and its version. */
export const health = z.strictObject({ status: z.literal("ok"), version: text });
