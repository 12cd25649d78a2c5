/** The nearest of names: what "did you mean" says wherever a word is refused. */
import { describe, expect, test } from "vitest";
import { didYouMean, nearestName, sentence } from "../../src/domain/words/near-name.ts";

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

describe("a refusal goes on with", () => {
  const many = Array.from({ length: 31 }, (_, index) => `POST /v2/transactions/${index}`);

  test.each([
    ["the one that is near", "amuont", fields, '; did you mean "amount"?'],
    ["all, where none is near", "xyz", fields, "; known are currency, amount and external_id"],
    ["one of three letters that have changed places", "BLR", ["MXN", "BRL"], '; did you mean "BRL"?'],
    ["all of three letters, of which two are others", "EUR", ["BRL", "ETH"], "; known are BRL and ETH"],
    ["the only one", "xyz", ["amount"], "; known is amount"],
    ["nothing, where there are none", "xyz", [], ""],
    [
      "one of too many to be told that is half alike",
      "POST /v2/actions/28",
      many,
      '; did you mean "POST /v2/transactions/28"?',
    ],
    ["nothing, where none of too many is alike", "xyz", many, ""],
    [
      "the only one that has more in its middle, before one of nearer letters",
      "POST /v2/transactions/list",
      ["POST /v2/transactions/wallet", "POST /v2/account/transactions/list"],
      '; did you mean "POST /v2/account/transactions/list"?',
    ],
    [
      "one of near letters, where several have more in their middle",
      "POST /v2/lists",
      ["POST /v2/a/lists", "POST /v2/b/lists", "POST /v2/list"],
      '; did you mean "POST /v2/list"?',
    ],
    [
      "the same parts, before one with more",
      "chargeback_lost",
      ["chargeback-lost-by-silence", "chargeback-lost"],
      '; did you mean "chargeback-lost"?',
    ],
    [
      "the same path with another method, before a path that goes on",
      "POST /v2/infractions",
      ["GET /v2/infractions", "POST /v2/infractions/reply"],
      '; did you mean "GET /v2/infractions"?',
    ],
  ])("%s", (_what, word, names, end) => {
    expect(didYouMean(word, names)).toBe(end);
  });
});

test("a sentence ends with a stop, unless it asks", () => {
  expect(sentence("There is no such field")).toBe("There is no such field.");
  expect(sentence('There is no such field; did you mean "amount"?')).toBe(
    'There is no such field; did you mean "amount"?',
  );
});
