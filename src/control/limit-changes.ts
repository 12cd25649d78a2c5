/** The limits of a credential that differ from its world's (`D26`, `D46`). */
import { z } from "zod";
import { feeOperations } from "../domain/fees.ts";
import { compareDecimals, formatAmount, parseDecimal } from "../domain/money.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { isSameLimit, limitRowsOf, minorOf } from "../service/limits.ts";
import type { World } from "../world/world.ts";
import { ControlError } from "./errors.ts";

const AMOUNT = "must be a decimal string such as 150.00, with no zeros in front";

const decimal = z.string({ error: AMOUNT }).regex(/^(0|[1-9]\d*)(\.\d+)?$/, { error: AMOUNT });

/** The items of `GET /v2/account/limits` that differ, without the used amounts. */
export const limitChange = z
  .strictObject({
    currency: z.string(),
    operation: z.enum(feeOperations),
    daily_limit: decimal.optional(),
    monthly_limit: decimal.optional(),
    per_operation_min: decimal.optional(),
    per_operation_max: decimal.optional(),
  })
  .refine((change) => limitsOf(change).length > 0, {
    error: "must have at least one of daily_limit, monthly_limit, per_operation_min, per_operation_max",
  });
type LimitChange = z.infer<typeof limitChange>;

/** In minor units: the used amount is counted in 64 bits. */
const MAX_LIMIT = 10n ** 18n;
const MOST_DIGITS = 19;

/**
 * Checks limits against their world and each other: they must exist, need no rounding (`D01`) and not contradict each
 * other.
 * @throws {ControlError} 422 for the first that fails, by its place.
 */
export function checkLimits(world: World, changes: readonly LimitChange[]): void {
  const rows = limitRowsOf(world, "");
  for (const [index, change] of changes.entries()) {
    const { currency, operation } = change;
    const what = `${operation} in ${currency}`;
    const row = rows.find((other) => isSameLimit(other, change));
    if (!row) {
      const known = rows.filter((other) => other.operation === operation).map((other) => other.currency);
      throw refused(sentence(`limits.${index}: there is no limit of ${what}${didYouMean(currency, known)}`));
    }
    const first = changes.findIndex((other) => isSameLimit(other, change));
    if (first < index) throw refused(`limits.${index} is of ${what}, as limits.${first} is; give each once.`);
    checkAmounts(world.currencies.scale(currency), change, index);
    const { per_operation_min: minimum = row.per_operation_min } = change;
    const { per_operation_max: maximum = row.per_operation_max } = change;
    checkBounds(minimum, maximum, index);
  }
}

function checkAmounts(scale: number, change: LimitChange, index: number): void {
  for (const [name, text] of limitsOf(change)) {
    const place = `limits.${index}.${name}`;
    const [whole = "", decimals = ""] = text.split(".");
    if (decimals.length > scale) throw refused(`${place} must have at most ${scale} decimals.`);
    if (whole.length > MOST_DIGITS || minorOf(text, scale) > MAX_LIMIT) {
      throw refused(`${place} must be at most ${formatAmount(MAX_LIMIT, scale)}.`);
    }
  }
}

function checkBounds(minimum: string, maximum: string, index: number): void {
  if (compareDecimals(parseDecimal(minimum), parseDecimal(maximum)) <= 0) return;
  throw refused(`limits.${index}: per_operation_min ${minimum} must not be above per_operation_max ${maximum}.`);
}

/** The limits that a change names. */
function limitsOf(change: Readonly<Record<string, string | undefined>>): [string, string][] {
  const { currency: _currency, operation: _operation, ...limits } = change;
  return Object.entries(limits).filter((entry): entry is [string, string] => entry[1] !== undefined);
}

function refused(message: string): ControlError {
  return new ControlError(422, "INVALID_REQUEST", message);
}
