/** Fields that describe a new world, in calls and scenario files (interface, sections 3a and 5). */

import { z } from "zod";
import { accountDetails, usernameField } from "../domain/account-fields.ts";
import { MAX_SPEED } from "../domain/bounds.ts";
import { clockModes } from "../domain/clock-modes.ts";
import { settingsSchema } from "../domain/settings.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { decimalField, positiveNumberField, wholeNumberField } from "../service/input.ts";
import { fileWords } from "./file-words.ts";
import { nearestKey } from "./schema-words.ts";
import { instantField } from "./time-fields.ts";

/** An account to open; its balances by currency are zero unless given. */
export const accountField = z.strictObject({
  username: usernameField,
  ...accountDetails,
  balances: z.record(z.string(), decimalField("must be a decimal")).optional(),
});

const settingNames = Object.keys(settingsSchema.shape);

/** Settings that differ from the defaults, with plain JSON numbers, as none of them is an amount. */
export const settingsField = z
  .record(z.string(), z.unknown(), { error: "must be an object" })
  .transform((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  .superRefine((value, context) => {
    const result = settingsSchema.safeParse(value, TO_BE_TOLD);
    for (const issue of result.error?.issues ?? []) {
      const isUnknown = issue.code === "unrecognized_keys" && issue.path.length === 0;
      for (const key of isUnknown ? issue.keys : []) {
        const message = `is no setting${nearestKey(key, settingNames)}`;
        context.addIssue({ code: "custom", path: [key], message, params: { atKey: true } });
      }
      if (!isUnknown) context.addIssue({ code: "custom", path: [...issue.path], message: fileWords(issue) });
    }
  });

/** A seed: a whole number that a double holds exactly. */
export const seedField = wholeNumberField(0, Number.MAX_SAFE_INTEGER);

/** The initial state of a clock. */
export const clockField = z.strictObject({
  mode: z.enum(clockModes).optional().meta({ description: "Whether time flows by itself." }),
  speed: positiveNumberField(MAX_SPEED).optional().meta({ description: "Seconds of the world per real second." }),
  start: instantField.optional().meta({ description: "Where the clock begins." }),
});

/** Accounts that replace the default ones; the first is the default account (interface, section 3a). */
export const accountsField = z
  .array(accountField, { error: "must be a list of accounts" })
  .min(1, { error: "must have at least one account" });
