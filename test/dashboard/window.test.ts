/** The part of the journal that threads are made of. */
import { expect, test } from "vitest";
import type { Session } from "../../src/dashboard/live/session.ts";
import { Emitter, Signal } from "../../src/dashboard/live/signal.ts";
import { TimelineWindow } from "../../src/dashboard/timeline/window.ts";
import type { JournalEntry } from "../../src/dashboard/wire/answers.ts";

function entriesOf(kind: string, count: number): JournalEntry[] {
  return Array.from({ length: count }, (_, index) => {
    const sequence = index + 1;
    return { sequence, at: "2026-01-01T12:00:00.000Z", kind, subject: null, cause: null, rule: null, data: {} };
  });
}

test("what was asked of a history that has been replaced is not taken, and the new one is read", async () => {
  const asked: PromiseWithResolvers<{ items: JournalEntry[] }>[] = [];
  const get = () => {
    asked.push(Promise.withResolvers());
    return asked.at(-1)?.promise;
  };
  const journal = Object.assign(new Emitter(), { isReady: true, end: 3 });
  const feed = { status: new Signal("live"), replaced: new Emitter(), take: () => () => {} };
  const window = new TimelineWindow({ control: { get }, journal, feed } as unknown as Session);
  const close = window.open();
  feed.replaced.emit();
  Object.assign(journal, { end: 2 });
  journal.emit();
  asked[0]?.resolve({ items: entriesOf("old", 3) });
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.resolve({ items: entriesOf("new", 2) });
  await expect.poll(() => window.isReady).toBe(true);
  const kinds = window.threads.newestFirst().flatMap(({ entries }) => entries.map(({ entry }) => entry.kind));
  expect(kinds).toEqual(["new", "new"]);
  close();
});
