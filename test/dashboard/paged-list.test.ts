/** Lists of which pages are read while they change. */
import { expect, test } from "vitest";
import { PagedList } from "../../src/dashboard/live/paged-list.ts";
import type { Control } from "../../src/dashboard/wire/control.ts";

/** A list of texts as the control interface gives it: positions from one on. */
function listOf(...items: string[]) {
  const held = new Map<number, Promise<void>>();
  const get = async (path: string) => {
    const asked = new URLSearchParams(path.split("?")[1]);
    const after = Number(asked.get("cursor"));
    const page = items.slice(after, after + Number(asked.get("limit")));
    const last = after + page.length;
    const hold = held.get(after);
    held.delete(after);
    await hold;
    return { items: page, next_cursor: last < items.length ? last : null };
  };
  /** Lets the next answer of what comes after a position wait. @returns what lets it go. */
  const hold = (after: number) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(after, promise);
    return resolve;
  };
  return { items, list: new PagedList<string>({ get } as unknown as Control, "/list"), hold, held };
}

const others = (count: number) => Array.from({ length: count }, () => "other");

test("a page that was asked for before an item of it changed, and answers afterwards, is read again", async () => {
  const { items, list, hold } = listOf("pending", ...others(299));
  await list.touch();
  const letGo = hold(0);
  list.want(250, 300);
  items[0] = "paid";
  await list.touch();
  letGo();
  await expect.poll(() => list.itemOf(1)).toBe("paid");
});

test("what comes by the stream while its page is being read is not lost by an answer from before", async () => {
  const { items, list, hold, held } = listOf(...others(50));
  await list.touch();
  const letGo = hold(0);
  const touched = list.touch();
  await expect.poll(() => held.size).toBe(0);
  items.push("new");
  list.append(["new"], 51);
  letGo();
  await touched;
  list.want(0, 10);
  await expect.poll(() => list.at(0)).toBe("new");
});
