/** Limits of operations: the schema of `fixtures/limits.json` (`D26`, `D49`). */
import { z } from "zod";
import { decimalText } from "./decimal-text.ts";
import { feeOperations } from "./fees.ts";
import { onFirstUse } from "./on-first-use.ts";

/** A row of the data, amounts as decimal texts; without `monthly_limit` there is no limit per month. */
export const limitSchema = onFirstUse(() =>
  z.strictObject({
    currency: z.string(),
    operation: z.enum(feeOperations),
    daily_limit: decimalText,
    /** Whether the entry shows `daily_remaining`; the specification has entries of both kinds (`D49`). */
    shows_daily_remaining: z.boolean().default(true),
    monthly_limit: decimalText.optional(),
    per_operation_min: decimalText,
    per_operation_max: decimalText,
  }),
);

/** The limits of one operation in one currency. */
export type LimitRow = z.infer<ReturnType<typeof limitSchema>>;
