/** The end of a list that can only be read forwards. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { endOfList } from "../../src/dashboard/live/end-of-list.ts";

const PAGE_SIZE = 100;

/** A list as the control interface gives it: positions from one on, a cursor where there is more. */
function listOf(length: number) {
  let calls = 0;
  const read = async (position: number, limit: number) => {
    calls++;
    const items = Array.from({ length: Math.max(0, Math.min(limit, length - position)) }, (_, index) => index);
    const end = position + items.length;
    return { items, next_cursor: end < length ? String(end) : null };
  };
  return { read, calls: () => calls };
}

test("is found from wherever one begins, whatever the length", async () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 0, max: 3_000_000 }));
  await fc.assert(
    fc.asyncProperty(lengths, fc.double({ min: 0, max: 1, noNaN: true }), async (length, share) => {
      expect(await endOfList(listOf(length).read, Math.floor(length * share), PAGE_SIZE)).toBe(length);
    }),
  );
});

test("takes one call for a short list, and few for a long one", async () => {
  const [short, long] = [listOf(100), listOf(100_000)];
  await endOfList(short.read, 0, PAGE_SIZE);
  await endOfList(long.read, 0, PAGE_SIZE);
  expect([short.calls(), long.calls() < 25]).toEqual([1, true]);
});
