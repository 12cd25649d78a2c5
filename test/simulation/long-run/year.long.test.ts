/** A short year; `npm run proof:year` lives all of it. */
import { expect, test } from "vitest";
import { longRun } from "./year.ts";

/** What every run must have met with: all faults, refusals, and webhooks of every end. */
const STATUSES = ["0", "200", "202", "422", "502", "503"];
const ENDS = ["delivered", "dropped", "exhausted", "undeliverable"];

test.each([
  ["in a file", true],
  ["in memory", false],
])(
  "sixteen days of business %s: memory is flat, files grow with history alone, all is sound and done",
  async (_where, inFile) => {
    const report = await longRun({ days: 16, chargesPerDay: 36, inFile, seed: 1 });
    expect(report.faults).toEqual([]);
    expect(report.quarters).toHaveLength(4);
    expect(Object.keys(report.statuses)).toEqual(expect.arrayContaining(STATUSES));
    expect(Object.keys(report.webhooks)).toEqual(expect.arrayContaining(ENDS));
    expect(report.requestsToReceiver).toBeGreaterThan(500);
  },
  120_000,
);
