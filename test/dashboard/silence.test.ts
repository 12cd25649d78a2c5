/** A sandbox that neither answers nor refuses. */
import { expect, test, vi } from "vitest";
import { Silence } from "../../src/dashboard/live/silence.ts";
import { useSeenPage } from "../support/seen-page.ts";

useSeenPage();

test("is told of after some seconds, asked one question at a time, and no longer once it answers", async () => {
  let answer = () => {};
  let asked = 0;
  const silence = new Silence(() => {
    asked++;
    return new Promise<void>((resolve) => {
      answer = resolve;
    });
  });
  const end = silence.watch();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(silence.value).toBe(false);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([silence.value, asked]).toEqual([true, 1]);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(silence.value).toBe(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toBe(2);
  end();
});

test("one that refuses has answered", async () => {
  const silence = new Silence(() => Promise.reject(new Error("refused")));
  const end = silence.watch();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(silence.value).toBe(false);
  end();
});
