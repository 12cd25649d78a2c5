import { clabe as judge } from "clabe-validator";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clabeControlDigit, isClabe, makeClabe } from "../../../src/domain/identifiers/clabe.ts";
import { anyEntropy, DIGITS, entropyOf, everyChange, oneCharacterChanged } from "./arbitraries.ts";

const threeDigits = fc.nat(999).map((code) => String(code).padStart(3, "0"));
const seventeenDigits = fc.string({ unit: fc.constantFrom(...DIGITS), minLength: 17, maxLength: 17 });

test.each(["032180000118359719", "002010077777777771", "646180110400000007"])("CIN-06 %s is a CLABE", (text) => {
  expect(isClabe(text)).toBe(true);
  expect(judge.validate(text).valid.format).toBe(true);
});

test.each([
  ["with a wrong control digit", "002010077777777770"],
  ["of seventeen digits", "03218000011835971"],
  ["of nineteen digits", "0321800001183597190"],
  ["with a blank", "032180000118359719 "],
  ["with hyphens", "032-180-00011835971-9"],
  ["with a letter", "03218000011835971A"],
  ["that is empty", ""],
])("CIN-06 D36 a text %s is no CLABE", (_, text) => {
  expect(isClabe(text)).toBe(false);
});

test("CIN-06 a made CLABE has its bank, its plaza and a right control digit, to the judge too", () => {
  fc.assert(
    fc.property(threeDigits, threeDigits, anyEntropy, (bank, plaza, entropy) => {
      const made = makeClabe({ bank, plaza, entropy });
      expect(made).toMatch(/^\d{18}$/);
      expect(made.slice(0, 6)).toBe(bank + plaza);
      expect(isClabe(made)).toBe(true);
      expect(judge.validate(made).valid.format).toBe(true);
    }),
  );
});

test("CIN-06 the judge computes the same control digit", () => {
  fc.assert(
    fc.property(seventeenDigits, (first17) => clabeControlDigit(first17) === String(judge.computeChecksum(first17))),
  );
});

test("CIN-06 any one changed digit makes a CLABE invalid", () => {
  for (const changed of everyChange("032180000118359719", DIGITS)) expect(isClabe(changed)).toBe(false);
  const anyChange = anyEntropy
    .map((entropy) => makeClabe({ bank: "999", plaza: "180", entropy }))
    .chain((made) => oneCharacterChanged(made, DIGITS));
  fc.assert(fc.property(anyChange, (changed) => !isClabe(changed) && !judge.validate(changed).valid.format));
});

test("CIN-06 a CLABE is not made of a bank or plaza that is not three digits", () => {
  for (const wrong of ["", "99", "9999", "99A", "９９９", "99\n"]) {
    expect(() => makeClabe({ bank: wrong, plaza: "180", entropy: entropyOf(1) })).toThrow(RangeError);
    expect(() => makeClabe({ bank: "999", plaza: wrong, entropy: entropyOf(1) })).toThrow(RangeError);
  }
});

test("CIN-06 the control digit needs seventeen digits", () => {
  for (const wrong of ["", "0321800001183597", "032180000118359719", "0321800001183597A"]) {
    expect(() => clabeControlDigit(wrong)).toThrow(RangeError);
  }
});
