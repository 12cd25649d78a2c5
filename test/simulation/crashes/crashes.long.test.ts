/** Kills aimed at the moments between what is written and what is sent or answered (issue: crash). */
import { expect, test } from "vitest";
import { generator } from "../load/random.ts";
import { aimedKills } from "./aimed-kills.ts";
import { crashAt, crashPoints, somePoints } from "./crash-points.ts";

// `npm run proof:crashes` takes all points.
test("a crash right before, within or after any commit and any change of a file: nothing sent or answered is unknown, nothing is half done", async () => {
  const points = await crashPoints();
  expect(points.length).toBeGreaterThan(200);
  for (const point of somePoints(points, 5, generator(1))) expect(await crashAt(point)).toEqual([]);
});

// `npm run proof:kills` does the same many times.
test("a kill from the receiver, in each moment of a delivery: the event comes all the same, with its id and its bytes", async () => {
  const { kills, repeated, faults } = await aimedKills(8, 20_260_101);
  expect(faults).toEqual([]);
  expect(Object.values(kills)).toEqual([2, 2, 2, 2]);
  expect(repeated).toBeGreaterThan(0);
});
