/** Cron patterns on a clock that goes to the end of the year 9999. */
import { expect, test } from "vitest";
import { nextRun } from "../../src/scenarios/cron.ts";
import { formatInstant } from "../../src/world/instants.ts";

function next(pattern: string, after: string, timezone = "UTC"): string | null {
  const due = nextRun(pattern, timezone, Date.parse(after));
  return due === null ? null : formatInstant(due);
}

test.each([
  ["0 9 * * MON-FRI", "2999-12-31T10:00:00Z", "3000-01-01T09:00:00.000Z"],
  ["0 9 * * MON-FRI", "3500-06-02T10:00:00Z", "3500-06-04T09:00:00.000Z"],
  ["0 0 29 2 *", "2999-01-01T00:00:00Z", "3004-02-29T00:00:00.000Z"],
  ["0 0 29 2 *", "3096-03-01T00:00:00Z", "3104-02-29T00:00:00.000Z"],
  ["30 0 9 * * * *", "9999-12-31T00:00:00Z", "9999-12-31T09:00:30.000Z"],
  ["0 0 0 1 1 * ?", "2999-06-01T00:00:00Z", "3000-01-01T00:00:00.000Z"],
  ["@daily", "3500-06-01T10:00:00Z", "3500-06-02T00:00:00.000Z"],
  ["0 0 0 1 1 * 3005", "2026-01-01T00:00:00Z", "3005-01-01T00:00:00.000Z"],
  ["0 9 * * *", "9999-12-31T09:00:00Z", null],
  ["0 0 0 1 1 * 3005", "3005-01-01T00:00:00Z", null],
])("interface 5: %s after %s is %s", (pattern, after, due) => {
  expect(next(pattern, after)).toBe(due);
});

test("a time of another zone that comes when the clock has ended is none", () => {
  expect(next("0 22 * * *", "9999-12-31T10:00:00Z", "America/Sao_Paulo")).toBeNull();
});

test("what is shifted by the length of the calendar is what it would have been, summer time included", () => {
  for (const pattern of ["30 2 * 3,11 *", "0 0 31 * FRI", "0 0 L * *"]) {
    for (let year = 2600; year < 2990; year += 13) {
      const early = next(pattern, `${year - 400}-02-17T01:00:00Z`, "America/New_York") ?? "";
      expect(next(pattern, `${year}-02-17T01:00:00Z`, "America/New_York")).toBe(`${year}${early.slice(4)}`);
    }
  }
});
