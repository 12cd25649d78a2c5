import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { faultText, messageOf } from "../../src/domain/words/thrown.ts";

test("an error of another realm, as Jest has one, is told as one of this realm", () => {
  const thrown: unknown = runInNewContext('new TypeError("no such thing")');
  expect(thrown).not.toBeInstanceOf(Error);
  expect(messageOf(thrown)).toBe("no such thing");
  expect(faultText(thrown)).toContain("\nTypeError: no such thing\n    at ");
});

test.each([undefined, null, 7, "a text"])("%j, which is no error, is told as its text", (thrown) => {
  expect(messageOf(thrown)).toBe(String(thrown));
  expect(faultText(thrown)).toContain(`below.\n${thrown}\n`);
});
