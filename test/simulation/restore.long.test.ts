import { expect, test } from "vitest";
import { restoreAndKill } from "./restore-and-kill.ts";

test("kill -9 in the middle of a restore leaves the old world or the restored one, whole", async () => {
  const { outcomes, faults } = await restoreAndKill(5);
  expect(faults).toEqual([]);
  expect(outcomes).toHaveLength(5);
  expect(outcomes).not.toContain("neither");
});
