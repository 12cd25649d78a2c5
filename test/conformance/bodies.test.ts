/** Numbers of a body keep their digits, whichever way it is read. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ExactNumber } from "../../src/domain/money.ts";
import { parseBody } from "../../src/http/json.ts";

/** Numbers as senders write them. */
const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.constantFrom("0", "1", "12", "150", "123456789012345", "1234567890123456", "9007199254740993"),
    fc.constantFrom("", ".0", ".10", ".50", ".123456789012345678901"),
    fc.constantFrom("", "e0", "E+2", "e-3", "e400"),
  )
  .map((parts) => parts.join(""));

/** Texts that look like numbers, and names, quotes and backslashes. */
const text = fc.oneof(fc.string(), fc.constantFrom("1.50", '"amount": 7', "\\", '\\"', "-1", "a-b", "é 1", "\u2028"));
const name = fc.oneof(fc.constantFrom("amount", "currency", "__proto__", "1", "0", 'a"b'), fc.string());
const scalar = fc.oneof(
  { weight: 2, arbitrary: numberText },
  { weight: 2, arbitrary: fc.maxSafeInteger().map(String) },
  { weight: 4, arbitrary: text.map((value) => JSON.stringify(value)) },
  fc.constantFrom("true", "null", '"\\u0031"', '"\\\\"'),
);
const nested = fc.oneof({ weight: 6, arbitrary: scalar }, fc.constantFrom("[1,2.50]", '{"amount":1.0}', "[]", "{}"));
const member = fc
  .tuple(name, fc.constantFrom("", " ", "\n\t"), nested)
  .map(([key, space, value]) => `${JSON.stringify(key)}${space}:${space}${value}`);
const body = fc.oneof(
  fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(",")}}`),
  scalar,
);

type Reviver = (key: string, value: unknown, context: { source: string }) => unknown;

/** What the engine says of each number. */
function judged(json: string): unknown {
  const parse = JSON.parse as (json: string, reviver: Reviver) => unknown;
  return parse(json, (_key, value, { source }) => (typeof value === "number" ? new ExactNumber(source) : value));
}

test("D09 each number of a body is what was written, and all else as any reader of JSON has it", () => {
  fc.assert(
    fc.property(body, (json) => {
      const [read, expected] = [parseBody(Buffer.from(json)), judged(json)];
      expect(read).toStrictEqual(expected);
      if (typeof expected === "object" && expected !== null) {
        expect(Object.entries(read as object)).toEqual(Object.entries(expected));
        expect(Object.getPrototypeOf(read)).toBe(Object.getPrototypeOf(expected));
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  '{"amount":1.}',
  '{"amount":01}',
  '{"amount":1',
  '{"amount":.5}',
  '{"amount":+1}',
  "{amount:1}",
  '{"a":1}x',
])("D20 %s is no JSON", (json) => {
  expect(() => parseBody(Buffer.from(json))).toThrow("The body must be JSON in UTF-8; it cannot be parsed.");
});
