/** The journal's stream, taken up again: whether the world's history is still the one that is known. */
import { expect, test, vi } from "vitest";
import { Feed } from "../../src/dashboard/live/feed.ts";
import { Session } from "../../src/dashboard/live/session.ts";
import type { JournalEntry } from "../../src/dashboard/wire/answers.ts";
import { type Control, ControlError } from "../../src/dashboard/wire/control.ts";
import { useSeenPage } from "../support/seen-page.ts";

const at = "2026-01-01T12:00:00.000Z";
const made: JournalEntry = { sequence: 1, at, kind: "world.created", subject: null, cause: null, rule: null, data: {} };

useSeenPage();

/** A world that begins with the same entry each time; streams end as they are told to, the last one stays open. */
function worldWithStreams(...ends: readonly (string | ControlError)[]) {
  const asked: string[] = [];
  const left = [...ends];
  const control = {
    get: async (path: string) => {
      asked.push(path);
      if (path === "/clock") return { mode: "running", speed: 1, now: at, pending_timers: 0, next_timer_at: null };
      return { items: [made], next_cursor: null };
    },
    openStream: async () => {
      asked.push("stream");
      const end = left.shift();
      if (end instanceof ControlError) throw end;
      return end === undefined ? new ReadableStream() : new Response(end).body;
    },
  };
  return { control: control as unknown as Control, asked };
}

/** How often a feed finds another history while it opens its streams. */
async function replacements(...ends: readonly (string | ControlError)[]): Promise<number> {
  const { control, asked } = worldWithStreams(...ends);
  const feed = new Feed(control);
  let count = 0;
  feed.replaced.listen(() => count++);
  void feed.run(made);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(feed.status.value).toBe("live");
  expect(asked.filter((path) => path === "stream").length).toBeGreaterThan(ends.length);
  return count;
}

const gone = new ControlError(404, "NOT_FOUND", "There is no world of this id.");
const down = new ControlError(0, "UNREACHABLE", "The sandbox does not answer.");

test("a stream that tells its history to be over is followed by another, though that begins with the same entries", async () => {
  expect(await replacements(": over\n\n")).toBe(1);
  expect(await replacements(":\n\n: over\n\n", gone)).toBe(1);
});

test("a stream that breaks off, or whose sandbox went away after it, is followed by what it was", async () => {
  expect(await replacements(":\n\n")).toBe(0);
  expect(await replacements(": over\n\n", down)).toBe(0);
});

test("the clock is read whenever a stream has been opened, though no entry tells of it", async () => {
  const { control, asked } = worldWithStreams("", "");
  const session = new Session(control);
  void session.feed.run(made);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.filter((path) => path === "stream")).toHaveLength(3);
  expect(asked.filter((path) => path === "/clock")).toHaveLength(3);
});
