/** What is remembered of texts that recur: callers, who may send any texts, cannot make it grow. */
import { expect, test } from "vitest";
import { remembering } from "../../src/domain/remembering.ts";

/** A remembering function of at most eight characters, and the texts that it had to make a value for. */
function counted() {
  const made: string[] = [];
  const make = (text: string) => {
    made.push(text);
    return text.length;
  };
  return { made, lengthOf: remembering(make, 8) };
}

test("a text that recurs is made once, what came of it is given again", () => {
  const { made, lengthOf } = counted();
  expect(["", "12345678", "", "12345678"].map(lengthOf)).toEqual([0, 8, 0, 8]);
  expect(made).toEqual(["", "12345678"]);
});

test("a long text is made each time", () => {
  const { made, lengthOf } = counted();
  expect(["123456789", "123456789"].map(lengthOf)).toEqual([9, 9]);
  expect(made).toHaveLength(2);
});

test("a thousand texts are remembered, and at the next one all are forgotten", () => {
  const { made, lengthOf } = counted();
  const texts = Array.from({ length: 1_000 }, (_, number) => String(number));
  for (const text of [...texts, ...texts]) lengthOf(text);
  expect(made).toHaveLength(1_000);
  lengthOf("one more");
  lengthOf("0");
  expect(made.slice(1_000)).toEqual(["one more", "0"]);
});
