/** Exact amounts: reading, writing, multiplying and dividing without a binary float. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AmountError,
  divide,
  ExactNumber,
  formatAmount,
  multiply,
  parseAmount,
  parseDecimal,
  plainDecimal,
} from "../../src/domain/money.ts";

const number = (source: string) => new ExactNumber(source);
const anyScale = fc.integer({ min: 0, max: 8 });
const anyDivisor = fc.bigInt().filter((divisor) => divisor !== 0n);
const magnitude = (value: bigint) => (value < 0n ? -value : value);

describe("D01 D09 reading an amount", () => {
  test.each<[string | ExactNumber, number, bigint]>([
    ["150", 2, 15_000n],
    ["150.0", 2, 15_000n],
    ["150.00", 2, 15_000n],
    ["0.01", 2, 1n],
    ["0.00000001", 8, 1n],
    ["7", 0, 7n],
    ["99999999999999999999.99", 2, 9_999_999_999_999_999_999_999n],
    [number("150"), 2, 15_000n],
    [number("150.5"), 2, 15_050n],
    [number("1e2"), 2, 10_000n],
    [number("1.5E+2"), 2, 15_000n],
    [number("12345e-2"), 2, 12_345n],
    [number("1e-8"), 8, 1n],
    [number("999999999999999"), 2, 99_999_999_999_999_900n],
    [number("0.123456"), 6, 123_456n],
  ])("%o at scale %i is %i minor units", (input, scale, amount) => {
    expect(parseAmount(input, scale)).toBe(amount);
  });

  test.each<[string | ExactNumber, number, string]>([
    ["0.125", 2, "at most 2 decimals"],
    ["150.000", 2, "at most 2 decimals"],
    ["1.0", 0, "at most 0 decimals"],
    ["0", 2, "above zero"],
    ["-0.00", 2, "above zero"],
    ["-1.00", 2, "above zero"],
    ["1e2", 2, "plain decimal"],
    ["+1", 2, "plain decimal"],
    ["NaN", 2, "plain decimal"],
    ["", 2, "plain decimal"],
    ["1.00\n", 2, "plain decimal"],
    ["1".repeat(65), 2, "at most 64 characters"],
    [number("0.125"), 2, "at most 2 decimals"],
    [number("1500e-3"), 2, "at most 2 decimals"],
    [number("0"), 2, "above zero"],
    [number("-0.0"), 2, "above zero"],
    [number("-1"), 2, "above zero"],
    [number("1234567890123456"), 2, "at most 15 significant digits"],
    [number("100.00000000000000001"), 2, "at most 15 significant digits"],
    [number("1e999"), 2, "out of range"],
    [number("1e-999"), 2, "out of range"],
    [number("NaN"), 2, "a number"],
    [number("01"), 2, "a number"],
    [number("1".repeat(65)), 2, "at most 64 characters"],
  ])("%o at scale %i is none: it must be %s", (input, scale, words) => {
    expect(() => parseAmount(input, scale)).toThrow(AmountError);
    expect(() => parseAmount(input, scale)).toThrow(words);
  });

  test("what is written is read back, from a string and, up to 15 digits, from a number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), anyScale, (amount, scale) => {
        const text = formatAmount(amount, scale);
        expect(parseAmount(text, scale)).toBe(amount);
        if (amount < 10n ** 15n) expect(parseAmount(number(text), scale)).toBe(amount);
      }),
    );
  });

  test("a text that is read is written as it was, but for zeros", () => {
    const anyText = fc.stringMatching(/^(0|[1-9]\d{0,20})(\.\d{1,8})?$/).filter((text) => /[1-9]/.test(text));
    fc.assert(
      fc.property(anyText, (text) => {
        const [whole = "", fraction = ""] = text.split(".");
        expect(formatAmount(parseAmount(text, 8), 8)).toBe(`${whole}.${fraction.padEnd(8, "0")}`);
      }),
    );
  });

  test("whatever is not read is an AmountError", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string().map(number), fc.double().map(String).map(number)),
        anyScale,
        (input, scale) => {
          try {
            expect(parseAmount(input, scale)).toBeGreaterThan(0n);
          } catch (error) {
            expect(error).toBeInstanceOf(AmountError);
          }
        },
      ),
    );
  });
});

describe("D01 writing an amount", () => {
  test.each<[bigint, number, string]>([
    [15_000n, 2, "150.00"],
    [150_000n, 8, "0.00150000"],
    [0n, 2, "0.00"],
    [5n, 2, "0.05"],
    [-5n, 2, "-0.05"],
    [-15_000n, 2, "-150.00"],
    [7n, 0, "7"],
    [-7n, 0, "-7"],
    [123_456_789_012_345_678_901_234n, 6, "123456789012345678.901234"],
  ])("%i at scale %i is %s", (amount, scale, text) => {
    expect(formatAmount(amount, scale)).toBe(text);
  });

  test("a decimal of any sign is read back exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), anyScale, (digits, scale) => {
        expect(parseDecimal(formatAmount(digits, scale))).toEqual({ digits, scale });
      }),
    );
  });
});

describe("D03 rounding", () => {
  test.each<[bigint, bigint, bigint, bigint]>([
    [5n, 10n, 1n, 0n],
    [4n, 10n, 0n, 0n],
    [15n, 10n, 2n, 1n],
    [25n, 10n, 3n, 2n],
    [-5n, 10n, -1n, 0n],
    [-15n, 10n, -2n, -1n],
    [5n, -10n, -1n, 0n],
    [-5n, -10n, 1n, 0n],
    [-4n, 10n, 0n, 0n],
    [1n, 3n, 0n, 0n],
    [2n, 3n, 1n, 0n],
    [10n ** 40n + 5n, 10n, 10n ** 39n + 1n, 10n ** 39n],
  ])("%i ÷ %i is %i half-up and %i towards zero", (dividend, divisor, halfUp, down) => {
    expect([divide(dividend, divisor, "half_up"), divide(dividend, divisor, "down")]).toEqual([halfUp, down]);
  });

  test("half-up is never more than a half away, at the half away from zero; down never grows", () => {
    fc.assert(
      // Of two that are drawn, hardly any are a half apart.
      fc.property(fc.bigInt(), anyDivisor, fc.boolean(), (some, any, isHalf) => {
        const [dividend, divisor] = isHalf ? [(2n * some + 1n) * any, 2n * any] : [some, any];
        const [near, low] = [divide(dividend, divisor, "half_up"), divide(dividend, divisor, "down")];
        const off = 2n * magnitude(near * divisor - dividend);
        expect(off <= magnitude(divisor)).toBe(true);
        if (off === magnitude(divisor)) expect(magnitude(near * divisor) > magnitude(dividend)).toBe(true);
        expect(magnitude(low * divisor) <= magnitude(dividend)).toBe(true);
        expect(magnitude(dividend) - magnitude(low * divisor) < magnitude(divisor)).toBe(true);
      }),
    );
  });

  test("the sign changes nothing but itself", () => {
    fc.assert(
      fc.property(fc.bigInt(), anyDivisor, fc.constantFrom("half_up", "down"), (dividend, divisor, rounding) => {
        expect(divide(-dividend, divisor, rounding)).toBe(-divide(dividend, divisor, rounding));
      }),
    );
  });

  test.each([
    [15_000n, "0.01", 150n, 150n],
    [50n, "0.01", 1n, 0n],
    [49n, "0.01", 0n, 0n],
    [10_000n, "0.185", 1_850n, 1_850n],
    [3n, "0.5", 2n, 1n],
    [1n, "123456789.987654321", 123_456_790n, 123_456_789n],
  ])("%i × %s is %i half-up and %i towards zero", (amount, factor, halfUp, down) => {
    const decimal = parseDecimal(factor);
    expect([multiply(amount, decimal, "half_up"), multiply(amount, decimal, "down")]).toEqual([halfUp, down]);
  });
});

describe("D09 D29 numbers of JSON", () => {
  test.each(["0.10", "1e999", "100.00000000000000001", "-0", "1E+2", "123456789012345678901234567890"])(
    "%s is written as the literal that it is",
    (source) => {
      expect(JSON.stringify({ amount: number(source) })).toBe(`{"amount":${source}}`);
    },
  );

  test("what is no literal of JSON is written as the number that it stands for", () => {
    expect(JSON.stringify([number("007"), number("x")])).toBe("[7,null]");
  });

  test.each([
    ["1e-8", "0.00000001"],
    ["1.50e1", "15.0"],
    ["1e+21", "1000000000000000000000"],
    ["-2.5e0", "-2.5"],
    ["150.00", "150.00"],
    ["+007", "7"],
    [".5", "0.5"],
    ["5.", "5"],
    ["1e999", "1e999"],
    ["0x10", "0x10"],
  ])("%s, as programs or YAML write it, is the plain decimal %s", (source, plain) => {
    expect(plainDecimal(source)).toBe(plain);
  });

  test("it compares as the double that plain parsing gives", () => {
    expect(number("0.10").valueOf()).toBe(0.1);
    expect(number("1e2") > number("99.5")).toBe(true);
  });
});
