/** Which fields of a form a refusal is about. */
import { expect, test } from "vitest";
import { refusedAmong } from "../../src/dashboard/parts/refused-fields.ts";

const account = [
  { name: "username", required: true, value: "acme" },
  { name: "name", required: false, value: "Acme" },
  { name: "postback_url", required: false, value: "http://localhost:3000" },
];
const names = (fields: typeof account, message: string, details: unknown = {}) =>
  refusedAmong(fields, { message, details }).map(({ name }) => name);

test("those that its problems name, or its message", () => {
  const problems = ["username must match [a-z0-9]", "postback_url must be an https URL"];
  expect(names(account, `${problems.join("; ")}.`, { problems })).toEqual(["username", "postback_url"]);
  expect(names(account, "postback_url must be an https URL.")).toEqual(["postback_url"]);
});

test("the only one that must be given where it names none, or that was; of two, neither", () => {
  expect(names(account, "There is an account acme already.")).toEqual(["username"]);
  expect(names(account.slice(1, 2), "by must be a duration.", { problems: [{ line: 1 }] })).toEqual(["name"]);
  expect(names(account.slice(1), "The rule is no JSON.")).toEqual([]);
});
