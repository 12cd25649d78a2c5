/** The nearest of names: what "did you mean" says wherever a word is refused. */
import { expect, test } from "vitest";
import { didYouMean, nearestName } from "../../src/domain/near-name.ts";

const fields = ["currency", "amount", "external_id"];

test.each([
  ["a slip of the hand", "curency", { name: "currency", slips: 1 }],
  ["capitals, which are no slips", "AMOUNT", { name: "amount", slips: 0 }],
  ["two letters that have changed places", "amuont", { name: "amount", slips: 2 }],
])("%s", (_what, word, near) => {
  expect(nearestName(word, fields)).toEqual(near);
});

test("names keep their capitals, and the first of several is told", () => {
  expect(nearestName("bar", ["Bat", "Baz"])).toEqual({ name: "Bat", slips: 1 });
});

test("of a word of any length the beginning is compared, and the rest counts as wrong", () => {
  expect(nearestName("amount".padEnd(1_000_000, "t"), fields)?.slips).toBeGreaterThan(999_000);
});

test("a sentence ends with the nearest, near or not, and with nothing where there are no names", () => {
  expect(didYouMean("xyz", ["amount"])).toBe('; did you mean "amount"?');
  expect(didYouMean("xyz", [])).toBe("");
});
