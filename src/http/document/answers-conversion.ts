/** TABLE: the `data` of the conversion endpoints, names and types as the specification gives them. */
import { z } from "zod";
import { amount, currency, hexId, instant } from "./answer-fields.ts";

/** The present rate of a pair, and what an amount would come to. */
export const rate = z.strictObject({
  base_currency: currency,
  destination_currency: currency,
  amount,
  rate: amount,
  estimated_amount: amount,
  timestamp: instant,
});

/** A quote (`D40`). */
export const simulation = z.strictObject({
  base_currency: currency,
  destination_currency: currency,
  from_amount: amount,
  to_amount: amount,
  rate: amount,
  spread: amount,
  fee: amount,
  expires_at: instant,
});

/** A conversion that was executed. */
export const conversion = z.strictObject({
  conversion_id: hexId,
  amount_from: z.number(),
  currency_from: currency,
  amount_to: z.number(),
  currency_to: currency,
  rate: z.number(),
  fee: z.number(),
  completed_at: instant,
});
