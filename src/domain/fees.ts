/** Fees of operations: the schema of `fixtures/fees.json` and the formula (`D07`). */
import { z } from "zod";
import { decimalText } from "./decimal-text.ts";
import { divide, type MinorUnits, parseDecimal, toMinorUnits } from "./money.ts";
import { onFirstUse } from "./on-first-use.ts";

/** Names of the operations in the lists of limits and fees. */
export const feeOperations = ["cashin", "cashout", "internal_transfer", "conversion"] as const;

/** An operation as the lists of fees and limits name it (`D46`, `D49`). */
export type FeeOperation = (typeof feeOperations)[number];

/**
 * A row of the data; `percentage` is of the amount, `fixed` and `minimum` are in the currency; all are decimal texts
 * (`D07`).
 */
export const feeSchema = onFirstUse(() =>
  z.strictObject({
    currency: z.string(),
    operation: z.enum(feeOperations),
    percentage: decimalText,
    fixed: decimalText,
    minimum: decimalText,
  }),
);

/** The fee of one operation in one currency. */
export type FeeRow = z.infer<ReturnType<typeof feeSchema>>;

/**
 * The fee of an operation: the greater of `minimum` and amount × `percentage` / 100 + `fixed`, half-up,
 * never above the amount (`D03`, `D07`).
 * @param scale decimals of the currency; `amount` and the answer are in its minor units.
 */
export function feeOf(amount: MinorUnits, row: FeeRow | undefined, scale: number): MinorUnits {
  const { dividend, divisor } = exactFeeOf(amount, row, scale);
  return divide(dividend, divisor, "half_up");
}

/** A fee in minor units before it is rounded. */
export interface ExactFee {
  readonly dividend: bigint;
  readonly divisor: bigint;
}

const NO_FEE: ExactFee = { dividend: 0n, divisor: 1n };

/** The unrounded fee, for one charged in another currency: it is rounded once, in that currency (`D40a`). */
export function exactFeeOf(amount: MinorUnits, row: FeeRow | undefined, scale: number): ExactFee {
  if (!row) return NO_FEE;
  const { factor, addend, divisor, minimum } = termsOf(row, scale);
  const [proportional, least, most] = [amount * factor + addend, minimum * divisor, amount * divisor];
  const fee = proportional > least ? proportional : least;
  return { dividend: fee > most ? most : fee, divisor };
}

/**
 * The formula over one denominator, so that only the sum is rounded: the fee is (amount × `factor` + `addend`) /
 * `divisor`. `minimum` is in minor units.
 */
interface Terms {
  readonly scale: number;
  readonly factor: bigint;
  readonly addend: bigint;
  readonly divisor: bigint;
  readonly minimum: MinorUnits;
}

const knownTerms = new WeakMap<FeeRow, Terms>();

/** The terms of a row, cached because every payment needs them twice. */
function termsOf(row: FeeRow, scale: number): Terms {
  const known = knownTerms.get(row);
  if (known?.scale === scale) return known;
  const [percentage, fixed] = [parseDecimal(row.percentage), parseDecimal(row.fixed)];
  const [hundredths, parts] = [100n * 10n ** BigInt(percentage.scale), 10n ** BigInt(fixed.scale)];
  const terms = {
    scale,
    factor: percentage.digits * parts,
    addend: fixed.digits * 10n ** BigInt(scale) * hundredths,
    divisor: hundredths * parts,
    minimum: toMinorUnits(parseDecimal(row.minimum), scale, "half_up"),
  };
  knownTerms.set(row, terms);
  return terms;
}
