/** The bodies that are made of what was typed into forms. */
import { expect, test } from "vitest";
import { bodyOf, type InputField } from "../../src/dashboard/parts/input-fields.ts";

const field = (kind: NonNullable<InputField["kind"]>): InputField => ({ path: "field", label: "Field", kind });

/** TABLE: what is typed into a field of a kind, and what is sent of it. */
test.each([
  ["area", "  - on: x\n    then: []\n", "  - on: x\n    then: []\n"],
  ["area", "\n\nscenario: mine", "\n\nscenario: mine"],
  ["area", "note: 1\u202f000", "note: 1\u202f000"],
  ["area", " \n ", undefined],
  ["text", " paid 1\u202f000 ", "paid 1\u202f000"],
  ["text", "  ", undefined],
  ["amount", " 1\u202f234\u202f567.50 ", "1234567.50"],
  ["amount", "ten", "ten"],
  ["number", " 16 ", 16],
  ["number", "0x10", "0x10"],
  ["check", "on", true],
] as const)("%s: of %j, %j is sent", (kind, typed, sent) => {
  const given = new FormData();
  given.set("field", typed);
  expect(bodyOf(given, [field(kind)]).field).toBe(sent);
});

test("the path of a field is its place in the body", () => {
  const given = new FormData();
  given.set("payer.name", "Ana");
  given.set("payer.document", "1");
  const fields = ["payer.name", "payer.document"].map((path) => ({ path, label: path }));
  expect(bodyOf(given, fields)).toEqual({ payer: { name: "Ana", document: "1" } });
});
