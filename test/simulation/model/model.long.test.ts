/** A dose of the model test; its long form is `npm run proof:model`. */
import { expect, test } from "vitest";
import { commands } from "./play.ts";
import { prove } from "./prove.ts";

/** With this seed every command is done at least once. */
const DOSE = { runs: 22, seed: 410, steps: 45 };

test("random programs of calls, actions, clock moves, faults, restarts and forks: the sandbox does as the model", async () => {
  const { failed, text, counts } = await prove(DOSE);
  expect(failed, text).toBe(false);
  const done = [...counts].filter(([, outcomes]) => [...outcomes.keys()].some((outcome) => outcome !== "skipped"));
  expect(Object.keys(commands).filter((name) => !done.some(([command]) => command === name))).toEqual([]);
});
