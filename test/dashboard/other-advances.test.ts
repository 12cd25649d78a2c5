/** Advances that others have asked for, as far as the page can know of them. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OtherAdvances } from "../../src/dashboard/live/other-advances.ts";
import type { JournalEntry } from "../../src/dashboard/wire/answers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A world that is settled when it is told to be, and whose journal has what is asked of its clock. */
function watched() {
  const settled: ((isIt?: boolean) => void)[] = [];
  let taker: (entries: readonly JournalEntry[]) => void = () => {};
  const patience: number[] = [];
  const control = {
    postWithin: (_path: string, patienceMs: number) => {
      patience.push(patienceMs);
      return new Promise((resolve) => settled.push((isIt = true) => resolve(isIt)));
    },
  };
  const feed = {
    take: (given: typeof taker) => {
      taker = given;
      return () => true;
    },
  };
  const others = new OtherAdvances(control as never, feed as never);
  const ask = (input: object) =>
    taker([{ kind: "control", data: { call: "POST /clock/advance", input } } as unknown as JournalEntry]);
  return { others, ask, settled, patience };
}

test("one that goes on is told of until the world is settled, one that is done at once is not", async () => {
  const { others, ask, settled } = watched();
  const seen: string[] = [];
  others.listen(() => seen.push(others.value));
  others.ended.listen(() => seen.push("ended"));
  ask({ by: "1s" });
  settled[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual(["ended"]);
  ask({ by: "30d" });
  await vi.advanceTimersByTimeAsync(1_000);
  settled[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["ended", "under way", "none", "ended"]);
});

test("the page's own is none of them; one that was asked for before it runs first", async () => {
  const { others, ask, settled } = watched();
  others.expect({ by: "5s" });
  ask({ by: "5s" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([others.value, settled.length]).toEqual(["none", 0]);
  others.expect({ by: "1m" });
  ask({ by: "30d" });
  ask({ by: "1m" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(others.value).toBe("ahead");
  others.forget();
  settled[0]?.();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(others.value).toBe("none");
});

test("of many, the world is asked about once at a time", async () => {
  const { others, ask, settled } = watched();
  for (let count = 0; count < 100; count++) ask({ by: "1s" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([others.value, settled.length]).toEqual(["under way", 1]);
  // Once more, for those that were asked for meanwhile.
  settled[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect([others.value, settled.length]).toEqual(["under way", 2]);
  settled[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect([others.value, settled.length]).toEqual(["none", 2]);
});

test("an end that does not come in time is asked about again, with a pause and more patience", async () => {
  const { others, ask, settled, patience } = watched();
  ask({ by: "30d" });
  for (let count = 0; count < 5; count++) {
    settled[count]?.(false);
    await vi.advanceTimersByTimeAsync(900);
    expect(settled).toHaveLength(count + 1);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect([others.value, patience]).toEqual(["under way", [500, 1_000, 2_000, 4_000, 4_000, 4_000]]);
  settled[5]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(others.value).toBe("none");
});
