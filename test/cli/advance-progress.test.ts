/** The bar of a long advance. */
import { expect, test } from "vitest";
import { progressBar } from "../../src/cli/advance-progress.ts";

test.each([
  [0, "[....................] 0 %  "],
  [49, "[#########...........] 49 %  "],
  [100, "[####################] 100 %  "],
  // The clock runs on, and advances queue up.
  [150, "[####################] 100 %  "],
  [-5, "[....................] 0 %  "],
])("interface section 2: the bar of an advance shows how far it has come, at %i of 100", (now, bar) => {
  expect(progressBar({ from: 0, to: 100 }, now)).toBe(bar);
});

test("there is no bar where nobody knows how far the clock will go, or where it stays", () => {
  expect(progressBar(null, 5)).toBe("");
  expect(progressBar({ from: 5, to: 5 }, 5)).toBe("");
});
