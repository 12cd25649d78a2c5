/** Words of files and callers, as they are printed. */
import { expect, test } from "vitest";
import { oneLine } from "../../src/domain/words/visible.ts";

test.each([
  ["one\ntwo", "one two"],
  ["one\r\n\r\n  two", "one two"],
  ["one\n", "one "],
  ["one  two", "one  two"],
])("%j is %j on one line", (text, line) => {
  expect(oneLine(text)).toBe(line);
});

test("very many blanks without a break take no time worth speaking of", () => {
  const blanks = " ".repeat(1_000_000);
  expect(oneLine(`${blanks}\n${blanks}x`) === `${blanks} x`).toBe(true);
});
