import { expect, test } from "vitest";
import { killAndRestart } from "./kill-and-restart.ts";

// `npm run proof:kills` does the same 200 times.
test("kill -9 in the middle of the work loses nothing that was answered, no event, no webhook, and no history", async () => {
  const report = await killAndRestart(6, 20_260_101);
  expect(report.faults).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.received).toBeGreaterThan(20);
});
