/** Rates between currencies, derived from US dollars per unit, and the figures of a conversion (`D40a`). */
import type { ExactFee } from "./fees.ts";
import { type Decimal, divide, type MinorUnits, multiply, parseDecimal, type Rounding, shifted } from "./money.ts";

const SIGNIFICANT_DIGITS = 12;

/** What a rate in input must be; the sentence begins with the currency, as in "BRL …". */
export const RATE_FORM = "must be a decimal above zero, with at most 15 digits before the point and 15 after it";

/** Whether a text is a valid rate in US dollars per unit; a number is checked by its text. */
export function isRate(text: string): boolean {
  return /^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,15})?$/.test(text);
}

/** Units of destination per unit of base, to 12 significant digits, from US dollars per unit of each. */
export function crossRate(usdPerBase: string, usdPerDestination: string): Decimal {
  const [base, destination] = [parseDecimal(usdPerBase), parseDecimal(usdPerDestination)];
  const dividend = base.digits * 10n ** BigInt(destination.scale);
  const divisor = destination.digits * 10n ** BigInt(base.scale);
  const quotientAt = (scale: number, rounding: Rounding) =>
    scale >= 0
      ? divide(dividend * 10n ** BigInt(scale), divisor, rounding)
      : divide(dividend, divisor * 10n ** BigInt(-scale), rounding);
  // The quotient has as many digits before the point as the lengths differ by, or one more.
  const most = SIGNIFICANT_DIGITS - (dividend.toString().length - divisor.toString().length);
  const enough = quotientAt(most - 1, "down").toString().length >= SIGNIFICANT_DIGITS;
  const scale = enough ? most - 1 : most;
  return trimmed(quotientAt(scale, "half_up"), scale);
}

/** The figures of a conversion, all in minor units of the destination currency. */
export interface ConversionFigures {
  readonly estimate: MinorUnits;
  readonly spread: MinorUnits;
  readonly fee: MinorUnits;
  readonly amountTo: MinorUnits;
}

/**
 * The figures of a conversion: to_amount = amount × rate − spread − fee. In the destination's scale, amount × rate is
 * cut, spread and fee are rounded half-up (`D03`, `D40a`).
 * @param terms `fee` is in minor units of the base currency and unrounded: it is charged in the destination currency.
 */
export function conversionFigures(
  amount: MinorUnits,
  rate: Decimal,
  terms: { fee: ExactFee; spreadPercentage: string; baseScale: number; destinationScale: number },
): ConversionFigures {
  const toDestination: Decimal = shifted(rate, terms.baseScale - terms.destinationScale);
  const percentage = parseDecimal(terms.spreadPercentage);
  const spreadRate = {
    digits: toDestination.digits * percentage.digits,
    scale: toDestination.scale + percentage.scale + 2,
  };
  const estimate = multiply(amount, toDestination, "down");
  const spread = multiply(amount, spreadRate, "half_up");
  const feeDivisor = terms.fee.divisor * 10n ** BigInt(toDestination.scale);
  const fee = divide(terms.fee.dividend * toDestination.digits, feeDivisor, "half_up");
  return { estimate, spread, fee, amountTo: estimate - spread - fee };
}

function trimmed(digits: bigint, scale: number): Decimal {
  let { digits: rest, scale: places } = shifted({ digits, scale }, 0);
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n;
    places--;
  }
  return { digits: rest, scale: places };
}
