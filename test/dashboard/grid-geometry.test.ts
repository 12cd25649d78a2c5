/** Where the rows of a list are once others have come. */
import { expect, test } from "vitest";
import { shiftOf } from "../../src/dashboard/parts/grid-geometry.ts";

const sighted = ["a", "b", "c", "d"].map((key, index) => ({ key, index: index + 5 }));

const modelOf = (places: Readonly<Record<string, number>>) => ({ indexOf: (key: string) => places[key] ?? -1 });

test("the rows in sight stay where most of them were, though one of them has moved to the top", () => {
  expect(shiftOf(sighted, modelOf({ a: 8, b: 9, c: 0, d: 10 }))).toBe(3);
  expect(shiftOf(sighted, modelOf({}))).toBe(0);
});

test("the row that keys have chosen stays in sight, whatever becomes of those around it", () => {
  const model = modelOf({ a: 8, b: 9, c: 407, d: 10 });
  expect(shiftOf(sighted, model, "c")).toBe(400);
  expect(shiftOf(sighted, model, "one that was out of sight")).toBe(3);
  expect(shiftOf(sighted, modelOf({ a: 8, b: 9, d: 10 }), "c")).toBe(3);
});
