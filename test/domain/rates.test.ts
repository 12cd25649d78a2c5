import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FeeRow, feeOf } from "../../src/domain/fees.ts";
import { type Decimal, formatAmount, parseDecimal } from "../../src/domain/money.ts";
import { conversionFigures, crossRate, isRate } from "../../src/domain/rates.ts";

const written = ({ digits, scale }: Decimal) => formatAmount(digits, scale);

/** US dollars per unit, as `PUT /rates` takes them. */
const usd = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 0, max: 15 }))
  .map(([digits, scale]) => written({ digits, scale }));

/** Percentages as fees and terms have them. */
const percentage = fc
  .tuple(fc.bigInt({ min: 0n, max: 10_000n }), fc.integer({ min: 2, max: 4 }))
  .map(([digits, scale]) => written({ digits, scale }));

const amount = fc.bigInt({ min: 1n, max: 10n ** 16n });
const scale = fc.constantFrom(2, 6, 8);

/** A quotient rounded half-up, in whole numbers. */
const halfUp = (dividend: bigint, divisor: bigint) => (2n * dividend + divisor) / (2n * divisor);

describe("RATE-07 a rate in input", () => {
  test.each(["1", "0.2", "007", "00.5", "999999999999999", "0.000000000000001", "123456789012345.123456789012345"])(
    "%s is one",
    (text) => expect(isRate(text)).toBe(true),
  );

  test.each(["0", "00", "0.0", "00.00", "-1", "+1", "1e3", "1.", ".5", "", " 1", "1,5"])("%j is none", (text) => {
    expect(isRate(text)).toBe(false);
  });

  test.each(["1234567890123456", "0.0000000000000001"])("%s has a digit too many", (text) => {
    expect(isRate(text)).toBe(false);
  });
});

describe("D40a rates", () => {
  test("12 significant digits at most, as plain decimals without needless zeros", () => {
    fc.assert(
      fc.property(usd, usd, (base, destination) => {
        const text = written(crossRate(base, destination));
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        const whole = text.includes(".") ? text : text.replace(/0+$/, "");
        const significant = whole.replace(".", "").replace(/^0+/, "");
        expect(significant.length).toBeGreaterThan(0);
        expect(significant.length).toBeLessThanOrEqual(12);
      }),
    );
  });

  test("no more than half a unit of the twelfth digit off", () => {
    fc.assert(
      fc.property(usd, usd, (baseText, destinationText) => {
        const rate = crossRate(baseText, destinationText);
        const [base, destination] = [parseDecimal(baseText), parseDecimal(destinationText)];
        // rate − base / destination, over a common denominator.
        const exact = base.digits * 10n ** BigInt(destination.scale + rate.scale);
        const got = rate.digits * destination.digits * 10n ** BigInt(base.scale);
        const off = got > exact ? got - exact : exact - got;
        expect(off * 2n * 10n ** 11n).toBeLessThanOrEqual(exact + off);
      }),
    );
  });

  test.each([
    ["0.499999999998", "0.5", "0.999999999996"],
    ["4.99999999998", "5", "0.999999999996"],
    ["0.4999999999998", "0.5", "1"],
  ])("%s to %s is %s: a rate near a power of ten keeps its twelve digits", (base, destination, rate) => {
    expect(written(crossRate(base, destination))).toBe(rate);
  });

  test("a currency to itself is 1; text and decimal say the same", () => {
    fc.assert(
      fc.property(usd, (each) => {
        expect(written(crossRate(each, each))).toBe("1");
      }),
    );
    fc.assert(
      fc.property(usd, usd, (base, destination) => {
        const rate = crossRate(base, destination);
        expect(parseDecimal(written(rate))).toEqual(rate);
      }),
    );
  });

  test("CONV-04 the swapped pair is about the inverse", () => {
    fc.assert(
      fc.property(usd, usd, (base, destination) => {
        const [there, back] = [crossRate(base, destination), crossRate(destination, base)];
        const product = there.digits * back.digits;
        const one = 10n ** BigInt(there.scale + back.scale);
        const off = product > one ? product - one : one - product;
        expect(off * 10n ** 10n).toBeLessThan(one);
      }),
    );
  });

  test.each([
    ["0.2", "1", "0.2"],
    ["1", "0.2", "5"],
    ["1", "3", "0.333333333333"],
    ["2", "3", "0.666666666667"],
    ["100000", "3", "33333.3333333"],
    ["999999999999999", "1", "1000000000000000"],
    ["1", "999999999999999", "0.000000000000001"],
    ["0.2", "100000", "0.000002"],
  ])("%s over %s is %s", (base, destination, rate) => {
    expect(written(crossRate(base, destination))).toBe(rate);
  });
});

describe("D40a D03 figures of a conversion", () => {
  test("to_amount = floor(amount × rate − spread − fee); spread and fee half-up", () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        usd,
        usd,
        percentage,
        scale,
        scale,
        (gross, fee, base, destination, spread, baseScale, destinationScale) => {
          const rate = crossRate(base, destination);
          const figures = conversionFigures(gross, rate, {
            fee: { dividend: fee, divisor: 7n },
            spreadPercentage: spread,
            baseScale,
            destinationScale,
          });
          const multiplier = rate.digits * 10n ** BigInt(destinationScale);
          const unit = 10n ** BigInt(rate.scale + baseScale);
          const { digits, scale: places } = parseDecimal(spread);
          const spreadUnit = unit * 100n * 10n ** BigInt(places);
          expect(figures.estimate).toBe((gross * multiplier) / unit);
          expect(figures.spread).toBe(halfUp(gross * multiplier * digits, spreadUnit));
          expect(figures.fee).toBe(halfUp(fee * multiplier, unit * 7n));
          expect(figures.amountTo).toBe(figures.estimate - figures.spread - figures.fee);
          // The service gives away no fraction: what is credited and charged is never more than what was sold.
          expect((figures.amountTo + figures.spread + figures.fee) * unit).toBeLessThanOrEqual(gross * multiplier);
        },
      ),
    );
  });
});

describe("D03 D07 fees", () => {
  const money = fc.bigInt({ min: 0n, max: 10n ** 8n });
  const row = (percent: string, fixed: bigint, minimum: bigint, places: number): FeeRow => ({
    currency: "BRL",
    operation: "cashout",
    percentage: percent,
    fixed: written({ digits: fixed, scale: places }),
    minimum: written({ digits: minimum, scale: places }),
  });

  test("TX-10 the greater of minimum and amount × percentage / 100 + fixed, half-up, from zero to the amount", () => {
    fc.assert(
      fc.property(amount, percentage, money, money, scale, (gross, percent, fixed, minimum, places) => {
        const fee = feeOf(gross, row(percent, fixed, minimum, places), places);
        const { digits, scale: of } = parseDecimal(percent);
        const proportional = halfUp(gross * digits, 100n * 10n ** BigInt(of)) + fixed;
        const wanted = proportional > minimum ? proportional : minimum;
        expect(fee).toBe(wanted < gross ? wanted : gross);
        const net = gross - fee;
        expect(net).toBeGreaterThanOrEqual(0n);
        expect(fee + net).toBe(gross);
      }),
    );
  });

  test("no row, no fee", () => {
    expect(feeOf(100n, undefined, 2)).toBe(0n);
  });
});
