/** Work that is asked for more often than it can be done. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { delay } from "../../src/dashboard/browser.ts";
import { Pace } from "../../src/dashboard/live/pace.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How often work of so long is begun in ten seconds in which it is asked for all the time. */
async function timesBegun(workMs: number, options?: ConstructorParameters<typeof Pace>[1]): Promise<number> {
  let begun = 0;
  const pace = new Pace(async () => {
    begun++;
    await delay(workMs);
  }, options);
  for (let ms = 0; ms < 10_000; ms += 10) {
    void pace.ask();
    await vi.advanceTimersByTimeAsync(10);
  }
  return begun;
}

test("what takes long rests four times as long, and no longer than three seconds", async () => {
  expect(await timesBegun(600)).toBe(4);
  expect(await timesBegun(5_000)).toBe(2);
});

test("what is done quickly, and what is not to rest, is done again after a short pause", async () => {
  expect(await timesBegun(5)).toBeGreaterThan(70);
  expect(await timesBegun(500, { rest: 0 })).toBeGreaterThan(14);
});
