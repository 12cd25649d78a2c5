/** Amounts that come in. */
import type { Currency } from "../domain/currencies.ts";
import { DomainError } from "../domain/errors.ts";
import { AmountError, type ExactNumber, type MinorUnits, parseAmount } from "../domain/money.ts";

/**
 * An amount of a request in minor units.
 * @param field the name of the field, for the message.
 * @throws {DomainError} `INVALID_REQUEST` when it does not suit the currency (`D01`).
 */
export function amountOf(input: string | ExactNumber, currency: Currency, field: string): MinorUnits {
  try {
    return parseAmount(input, currency.scale);
  } catch (error) {
    if (error instanceof AmountError) throw new DomainError("INVALID_REQUEST", `${field} ${error.message}.`);
    throw error;
  }
}
