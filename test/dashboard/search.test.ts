/** What is looked for in a long list, while the list goes on changing. */
import { expect, test } from "vitest";
import { Search } from "../../src/dashboard/live/search.ts";
import { type Control, ControlError } from "../../src/dashboard/wire/control.ts";
import { others } from "./other-items.ts";

/** A list of texts as the control interface gives it: positions from one on. */
function listOf(...items: string[]) {
  let isLost = false;
  const get = async (path: string) => {
    if (isLost) {
      isLost = false;
      throw new ControlError(0, "UNREACHABLE", "The sandbox does not answer.");
    }
    const asked = new URLSearchParams(path.split("?")[1]);
    const after = Number(asked.get("cursor"));
    return { items: items.slice(after, after + Number(asked.get("limit"))) };
  };
  const control = { get } as unknown as Control;
  const lose = () => {
    isLost = true;
  };
  return {
    items,
    lose,
    searchFor: (text: string) => new Search<string>(control, "/list", range(items), { test: is(text) }),
  };
}

const range = (items: readonly string[]) => ({ from: items.length, base: 0 });
const is = (text: string) => (item: string) => item === text;

/** Everything that a search shows from now on. */
function shownBy(search: Search<string>) {
  const shown: number[] = [];
  search.listen(() => shown.push(search.matches.length));
  return shown;
}

test("what has been found deep in a list stays while it is looked for anew, however much comes on top", async () => {
  const { items, searchFor } = listOf("wanted", ...others(4_900));
  const search = searchFor("wanted");
  await search.more();
  const shown = shownBy(search);
  items.push(...others(300));
  await search.again(items.length);
  expect(shown).toEqual([1]);
  expect(search).toMatchObject({ lookedAt: 5_201, isDone: true });
});

test("what was looked for further is looked at anew as far", async () => {
  const { items, searchFor } = listOf("wanted", ...others(7_000));
  const search = searchFor("wanted");
  await search.more();
  expect(search.matches).toEqual([]);
  await search.more();
  items.push("wanted");
  await search.again(items.length);
  expect(search.matches.map(({ position }) => position)).toEqual([7_002, 1]);
});

test("what no longer is as it was found goes, and a list that has become shorter is looked at from its end", async () => {
  const { items, searchFor } = listOf(...others(600), "wanted");
  const search = searchFor("wanted");
  await search.more();
  items[600] = "other";
  await search.again(items.length);
  expect(search.matches).toEqual([]);
  items.splice(0, items.length, "wanted", "other");
  await search.again(items.length);
  expect(search.matches).toEqual([{ position: 1, item: "wanted" }]);
});

test("a reading that is lost is told of, and what was found stays until it is looked for again", async () => {
  const { items, searchFor, lose } = listOf("wanted");
  const search = searchFor("wanted");
  await search.more();
  items.push("wanted");
  lose();
  await search.again(items.length);
  expect([search.error?.status, search.matches.length]).toEqual([0, 1]);
  await search.touch();
  expect([search.error, search.matches.length]).toEqual([null, 2]);
});

test("what is appended while it is looked for anew stays", async () => {
  const { items, searchFor } = listOf(...others(10), "wanted");
  const search = searchFor("wanted");
  await search.more();
  const again = search.again(items.length);
  search.take([
    { position: 12, item: "other" },
    { position: 13, item: "wanted" },
  ]);
  await again;
  expect(search.matches.map(({ position }) => position)).toEqual([13, 11]);
  expect(search.lookedAt).toBe(13);
});
