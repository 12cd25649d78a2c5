/** The clock as the page shows it, between readings and entries. */
import { expect, test, vi } from "vitest";
import { ClockFace } from "../../src/dashboard/live/clock-face.ts";
import type { Clock, JournalEntry } from "../../src/dashboard/wire/answers.ts";

const clockAt = (now: string) => ({ mode: "frozen", speed: 1, now }) as Clock;
const entryAt = (at: string) => ({ at }) as JournalEntry;

/** A face whose readings are answered when the test says so. */
function faced() {
  const answers: ((clock: Clock) => void)[] = [];
  const control = { get: () => new Promise((resolve) => answers.push(resolve)) };
  const face = new ClockFace(control as never);
  face.show(clockAt("2026-01-01T12:00:00.000Z"));
  return { face, answers, shown: () => new Date(face.now()).toISOString() };
}

test("a reading that was answered before an entry, and comes after it, does not take the clock back", async () => {
  const { face, answers, shown } = faced();
  const read = face.touch();
  face.follow([entryAt("2026-01-01T12:30:00.000Z")]);
  answers[0]?.(clockAt("2026-01-01T12:01:00.000Z"));
  await read;
  expect(shown()).toBe("2026-01-01T12:30:00.000Z");
});

test("a reading that is asked for after an entry counts, though the world went back", async () => {
  const { face, answers, shown } = faced();
  face.follow([entryAt("2026-01-01T12:30:00.000Z")]);
  const read = face.touch();
  answers[0]?.(clockAt("2026-01-01T12:00:00.000Z"));
  await read;
  expect(shown()).toBe("2026-01-01T12:00:00.000Z");
});

test("a clock that flows ends with the year 9999, as that of the world does", () => {
  vi.useFakeTimers({ now: 0 });
  const { face, shown } = faced();
  face.show({ ...clockAt("9999-12-31T23:59:00.000Z"), mode: "running", speed: 86_400 });
  vi.setSystemTime(1_000);
  expect(shown()).toBe("9999-12-31T23:59:59.999Z");
  vi.useRealTimers();
});
