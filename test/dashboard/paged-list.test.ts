/** Lists of which pages are read while they change. */
import { expect, test } from "vitest";
import { PagedList } from "../../src/dashboard/live/paged-list.ts";
import { type Control, ControlError } from "../../src/dashboard/wire/control.ts";
import { others } from "./other-items.ts";

/** A list of texts as the control interface gives it: positions from one on. */
function listOf(...items: string[]) {
  const held = new Map<number, Promise<void>>();
  const refused = new Set<number>();
  const get = async (path: string) => {
    const asked = new URLSearchParams(path.split("?")[1]);
    const after = Number(asked.get("cursor"));
    const page = items.slice(after, after + Number(asked.get("limit")));
    const last = after + page.length;
    if (refused.delete(after)) throw new ControlError(503, "UNAVAILABLE", "Not now.");
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
  /** Refuses what is asked next after a position. */
  const refuse = (after: number) => void refused.add(after);
  return { items, list: new PagedList<string>({ get } as unknown as Control, "/list"), hold, held, refuse };
}

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

test("a page that was refused is read when it is looked at again, though another one came meanwhile", async () => {
  const { list, refuse } = listOf("oldest", ...others(299));
  await list.touch();
  refuse(0);
  list.want(120, 300);
  await expect.poll(() => list.at(150)).toBe("other");
  expect(list.itemOf(1)).toBeUndefined();
  list.want(250, 300);
  await expect.poll(() => list.itemOf(1)).toBe("oldest");
});

test.each([
  ["the end", 300],
  ["a page", 0],
])(
  "%s that was refused counts as refused though what was asked for beside it came, until it comes too",
  async (_, after) => {
    const { list, refuse } = listOf(...others(300));
    list.want(50, 300);
    await list.touch();
    refuse(after);
    await list.touch();
    expect(list.error).toMatchObject({ status: 503 });
    await list.touch();
    expect(list.error).toBeNull();
  },
);

test("a page that goes on being refused is not asked for by whoever draws what is there", async () => {
  let reads = 0;
  const get = async () => {
    reads++;
    throw new ControlError(503, "UNAVAILABLE", "Not now.");
  };
  const { items, list } = listOf(...others(300));
  await list.touch();
  const refused = new PagedList<string>({ get } as unknown as Control, "/list");
  refused.append(items, items.length);
  refused.isReady = true;
  refused.listen(() => refused.want(0, 30));
  refused.want(0, 30);
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toBeLessThan(5);
});
