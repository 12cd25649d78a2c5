/** The one formula of fees: the greater of minimum and percentage plus fixed, half-up, never above the amount. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FeeRow, feeOf } from "../../src/domain/fees.ts";

const row = (percentage: string, fixed = "0", minimum = "0"): FeeRow => ({
  currency: "BRL",
  operation: "cashin",
  percentage,
  fixed,
  minimum,
});

describe("D03 D07 the fee", () => {
  test.each<[bigint, FeeRow, bigint]>([
    [15_000n, row("1.00", "0.00", "0.30"), 150n],
    [3_000n, row("1.00", "0.00", "0.30"), 30n],
    [2_999n, row("1.00", "0.00", "0.30"), 30n],
    [20n, row("1.00", "0.00", "0.30"), 20n],
    [10_000n, row("0.50", "0.30", "0.30"), 80n],
    [10_050n, row("1"), 101n],
    [10_049n, row("1"), 100n],
    [1n, row("50"), 1n],
    [1n, row("49.999999"), 0n],
    [100n, row("0.5", "0.005"), 1n],
    [100n, row("0.4", "0.001"), 1n],
    [100n, row("0.3", "0.001"), 0n],
    [100n, row("0"), 0n],
    [100n, row("100"), 100n],
    [100n, row("250"), 100n],
    [100n, row("0", "5.00"), 100n],
    [100n, row("0", "0", "5.00"), 100n],
    [100n, row("0", "0", "0.005"), 1n],
    [100n, row("0", "0", "0.0049"), 0n],
    [10n ** 30n, row("0.000001"), 10n ** 22n],
  ])("of %i minor units by %o is %i", (amount, fee, expected) => {
    expect(feeOf(amount, fee, 2)).toBe(expected);
  });

  test("follows the scale, though the row is the same", () => {
    const same = row("0", "1.00", "0.5");
    expect([2, 8, 2].map((scale) => feeOf(10n ** 10n, same, scale))).toEqual([100n, 100_000_000n, 100n]);
  });

  test("is none without a row", () => {
    expect(feeOf(15_000n, undefined, 2)).toBe(0n);
  });

  const anyDecimal = (maxWhole: number, decimals: number) =>
    fc
      .tuple(fc.nat(maxWhole), fc.nat(10 ** decimals - 1))
      .map(([whole, part]) => `${whole}.${String(part).padStart(decimals, "0")}`);
  const anyRow = fc.tuple(anyDecimal(120, 4), anyDecimal(50, 4), anyDecimal(50, 2)).map((parts) => row(...parts));
  const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 18n });

  test("lies between zero and the amount, so that fee plus net is the amount", () => {
    fc.assert(
      fc.property(anyAmount, anyRow, (amount, fee) => {
        const charged = feeOf(amount, fee, 2);
        expect(charged >= 0n && charged <= amount).toBe(true);
      }),
    );
  });

  test("is the formula in whole numbers", () => {
    const digits = (text: string) => BigInt(text.replace(".", ""));
    fc.assert(
      fc.property(anyAmount, anyRow, (amount, { percentage, fixed, minimum }) => {
        // In millionths of a cent: the percentage has four decimals and a percent two more, the fixed part has four.
        const exact = amount * digits(percentage) + digits(fixed) * 10_000n;
        const proportional = (exact + 500_000n) / 1_000_000n;
        const wanted = [proportional, digits(minimum)].reduce((most, next) => (next > most ? next : most));
        expect(feeOf(amount, row(percentage, fixed, minimum), 2)).toBe(wanted < amount ? wanted : amount);
      }),
    );
  });

  test("never falls as the amount grows", () => {
    fc.assert(
      fc.property(anyAmount, fc.bigInt({ min: 0n, max: 10n ** 6n }), anyRow, (amount, more, fee) => {
        expect(feeOf(amount + more, fee, 2) >= feeOf(amount, fee, 2)).toBe(true);
      }),
    );
  });
});
