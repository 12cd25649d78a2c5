/** Amounts of the model: whole minor units and exact fractions, with nothing taken from the sandbox's own arithmetic. */

/** An exact number. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A rate is quoted to so many digits (D40a). */
const RATE_DIGITS = 12;

/** Minor units of a decimal text; null where it has more decimals than the scale, or is no plain positive number. */
export function minorUnits(text: string, scale: number): bigint | null {
  const [, whole = "", decimals = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === "" || decimals.length > scale) return null;
  return BigInt(whole + decimals.padEnd(scale, "0"));
}

/** The same for a text that is known to be right. */
export function minor(text: string, scale: number): bigint {
  const units = minorUnits(text, scale);
  if (units === null) throw new Error(`${text} is no amount of ${scale} decimals.`);
  return units;
}

/** With the full scale: `"150.00"`. */
export function decimalText(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The exact value of a decimal text. */
export function fraction(text: string): Fraction {
  const [whole = "", decimals = ""] = text.split(".");
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

export function times(left: Fraction, right: Fraction): Fraction {
  return { numerator: left.numerator * right.numerator, denominator: left.denominator * right.denominator };
}

export function over(left: Fraction, right: Fraction): Fraction {
  return times(left, { numerator: right.denominator, denominator: right.numerator });
}

/** To the nearest whole number, halves upwards; of no negative number. */
export function halfUp({ numerator, denominator }: Fraction): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Towards zero. */
export function cut({ numerator, denominator }: Fraction): bigint {
  return numerator / denominator;
}

/** So many per cent of a number of minor units. */
export function percent(units: bigint, percentage: string): Fraction {
  return times({ numerator: units, denominator: 100n }, fraction(percentage));
}

/** Twelve significant digits of a positive number as a plain decimal without needless zeros, halves upwards. */
export function quoted(rate: Fraction): string {
  let decimals = 0;
  const digitsAt = () => cut(times(rate, { numerator: 10n ** BigInt(decimals), denominator: 1n })).toString().length;
  const isShort = () => cut(times(rate, { numerator: 10n ** BigInt(decimals), denominator: 1n })) === 0n;
  while (isShort() || digitsAt() < RATE_DIGITS) decimals++;
  const rounded = halfUp(times(rate, { numerator: 10n ** BigInt(decimals), denominator: 1n }));
  const text = decimals === 0 ? rounded.toString() : decimalText(rounded, decimals);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
