/** Lists as grid rows; a row's key is the position of its item. */
import type { PagedList } from "../live/paged-list.ts";
import type { AnySearch } from "../live/search.ts";
import type { GridModel } from "./grid-sight.ts";

/** The rows of a list, newest first. */
export function modelOfList(list: PagedList<unknown>): GridModel {
  return {
    count: list.count,
    keyAt: (index) => String(list.end - index),
    indexOf: (key) => list.end - Number(key),
  };
}

/** The rows of a search's matches. */
export function modelOfSearch({ matches }: AnySearch): GridModel {
  return {
    count: matches.length,
    keyAt: (index) => matches[index] && String(matches[index].position),
    indexOf: (key) => matches.findIndex(({ position }) => String(position) === key),
  };
}
