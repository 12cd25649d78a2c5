/**
 * Exact money: a whole number of minor units beside the scale of its currency, never a binary float (`D01`).
 */

/** An amount in minor units (cents, satoshi) of a currency whose scale is known from the context. */
export type MinorUnits = bigint;

/** The most that one operation may move, from outside or within: far below what a 64-bit integer holds. */
export const MAX_MOVED: MinorUnits = 10n ** 17n;

/** An exact decimal: `digits` × 10^-`scale`. Used for percentages and rates. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Half-up for fees and spreads, down (towards zero) for what is credited, estimated or split (`D03`). */
export type Rounding = "half_up" | "down";

/** Thrown for a text that is no valid amount; the message continues a sentence such as "amount …". */
export class AmountError extends Error {
  override readonly name = "AmountError";
}

const PLAIN_DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

// JSON.rawJSON is newer than TypeScript's type declarations.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/**
 * A JSON number kept as it was written, so that `0.10` and `1e999` are judged by their source text (`D09`).
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The double that plain JSON parsing gives. */
  valueOf(): number {
    return Number(this.source);
  }

  /** Serialized as the literal that was read; a literal that only YAML allows, as its double. */
  toJSON(): unknown {
    return JSON_NUMBER.test(this.source) ? rawJson(this.source) : Number(this.source);
  }
}

const MAX_JSON_DIGITS = 15;
const MAX_TEXT_LENGTH = 64;
const TOO_LONG = `must have at most ${MAX_TEXT_LENGTH} characters`;

/** Whether {@link parseDecimal} can read a text. */
export function isDecimal(text: string): boolean {
  return text.length <= MAX_TEXT_LENGTH && PLAIN_DECIMAL.test(text);
}

/**
 * Reads a decimal text such as `"0.185"`.
 * @throws {AmountError} when the text is not a plain decimal, or has over 64 characters.
 */
export function parseDecimal(text: string): Decimal {
  if (text.length > MAX_TEXT_LENGTH) throw new AmountError(TOO_LONG);
  const match = PLAIN_DECIMAL.exec(text);
  if (!match) throw new AmountError("must be a plain decimal such as 150.00");
  const [, sign, whole = "", fraction = ""] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign ? -digits : digits, scale: fraction.length };
}

/**
 * Reads an amount of a currency with `scale` decimals from a decimal string or a JSON number (`D01`, `D09`).
 * @param scale or a function that finds it, called only after the checks that need no currency.
 * @returns the amount in minor units, above zero.
 * @throws {AmountError} when it is not a positive amount of at most `scale` decimals.
 */
export function parseAmount(input: string | ExactNumber, scale: number | (() => number)): MinorUnits {
  const decimal = typeof input === "string" ? parseDecimal(input) : parseJsonNumber(input.source, MAX_JSON_DIGITS);
  if (decimal.digits <= 0n) throw new AmountError("must be above zero");
  const decimals = typeof scale === "number" ? scale : scale();
  if (decimal.scale > decimals) throw new AmountError(`must have at most ${decimals} decimals`);
  return decimal.digits * 10n ** BigInt(decimals - decimal.scale);
}

/** A decimal in minor units of a currency with `scale` decimals; further digits are rounded. */
export function toMinorUnits(decimal: Decimal, scale: number, rounding: Rounding): MinorUnits {
  return divide(decimal.digits * 10n ** BigInt(scale), 10n ** BigInt(decimal.scale), rounding);
}

/** Compares exactly: below zero if `left` is less than `right`, above zero if it is greater, zero if they are equal. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const difference = left.digits * 10n ** BigInt(right.scale) - right.digits * 10n ** BigInt(left.scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** The exact sum. */
export function sumOf(decimals: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale));
  const digits = decimals.reduce((sum, decimal) => sum + decimal.digits * 10n ** BigInt(scale - decimal.scale), 0n);
  return { digits, scale };
}

/** `decimal` × 10^-`places`, with a scale of zero or above. */
export function shifted({ digits, scale }: Decimal, places: number): Decimal {
  const moved = scale + places;
  return moved >= 0 ? { digits, scale: moved } : { digits: digits * 10n ** BigInt(-moved), scale: 0 };
}

/** Writes an amount with the full scale of its currency: `15000n, 2` gives `"150.00"` (`D01`). */
export function formatAmount(amount: MinorUnits, scale: number): string {
  if (scale === 0) return amount.toString();
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(scale + 1, "0");
  const cut = digits.length - scale;
  return `${negative ? "-" : ""}${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

/** `amount` × `factor`, rounded to whole minor units. */
export function multiply(amount: MinorUnits, factor: Decimal, rounding: Rounding): MinorUnits {
  return divide(amount * factor.digits, 10n ** BigInt(factor.scale), rounding);
}

/** `dividend` ÷ `divisor`, rounded; half-up rounds halves away from zero. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  if (rounding === "down") return quotient;
  const remainder = dividend % divisor;
  const twice = (remainder < 0n ? -remainder : remainder) * 2n;
  const limit = divisor < 0n ? -divisor : divisor;
  if (twice < limit) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

/**
 * Reads a JSON number as it was written, such as `1.5` or `15e-1`.
 * @param longest the most significant digits that it may have.
 * @throws {AmountError} if it is no JSON number, has more digits or over 64 characters, or its exponent exceeds ±64.
 */
export function parseJsonNumber(source: string, longest = MAX_TEXT_LENGTH): Decimal {
  if (source.length > MAX_TEXT_LENGTH) throw new AmountError(TOO_LONG);
  const match = JSON_NUMBER.exec(source);
  if (!match) throw new AmountError("must be a number");
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction);
  const significant = digits.toString().length;
  if (significant > longest) {
    throw new AmountError(`must have at most ${longest} significant digits as a JSON number`);
  }
  const power = Number(exponent);
  if (Math.abs(power) > MAX_TEXT_LENGTH) throw new AmountError("is out of range");
  return shifted({ digits: sign ? -digits : digits, scale: fraction.length }, -power);
}

/** Whether plain JSON parsing keeps every digit of a number. What {@link parseJsonNumber} refuses counts as kept. */
export function isReadExactly(number: ExactNumber): boolean {
  const plain = String(number.valueOf());
  if (number.source === plain) return true;
  try {
    const [written, read] = [parseJsonNumber(number.source), parseJsonNumber(plain)];
    return compareDecimals(written, read) === 0;
  } catch (error) {
    if (error instanceof AmountError) return true;
    throw error;
  }
}

/** Reads a number as YAML may write it, too: `+5`, `007`, `.5` or `5.`. @throws {AmountError} */
export function parseYamlNumber(source: string): Decimal {
  const digits = source
    .replace(/^\+/, "")
    .replace(/(?<!\d)\./, "0.")
    .replace(/\.(?!\d)/, "");
  return parseJsonNumber(digits.replace(/^(-?)0+(?=\d)/, "$1"));
}

/** A number as a plain decimal: `1e-8` gives `0.00000001`. What {@link parseYamlNumber} refuses is returned as is. */
export function plainDecimal(source: string): string {
  try {
    const { digits, scale } = parseYamlNumber(source);
    return formatAmount(digits, scale);
  } catch (error) {
    if (error instanceof AmountError) return source;
    throw error;
  }
}
