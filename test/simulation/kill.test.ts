import { expect, test } from "vitest";
import { killAndRestart } from "./kill-and-restart.ts";

test("kill -9 in the middle of the work loses nothing that was answered and repeats nothing that was done", async () => {
  const report = await killAndRestart(5, 20_260_101);
  expect(report.faults).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(5);
}, 60_000);
