/** How a refused word of a file is answered: with the one that was meant, or with those that there are. */
import { expect, test } from "vitest";
import { nearest } from "../../src/scenarios/schema-words.ts";

test.each([
  ["a slip of the hand", "currensy", ["currency", "amount"], '; did you mean "currency"?'],
  ["a word that is near to none", "xyzzy", ["currency", "amount"], "; known are currency and amount"],
  ["the same where there is one", "xyzzy", ["currency"], "; known is currency"],
  ["a word where there are none", "xyzzy", [], ""],
])("%s", (_what, word, words, told) => {
  expect(nearest(word, words)).toBe(told);
});
