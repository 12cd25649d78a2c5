/** The search of a list, as long as something shows it. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { askAgain } from "../live/ask-again.ts";
import type { PagedList } from "../live/paged-list.ts";
import { useScaled } from "../live/scales.ts";
import { Search } from "../live/search.ts";
import { useSession } from "../live/session.ts";
import { NEVER, useListening } from "../live/signal.ts";
import { says, soughtText } from "../words/sought.ts";

interface Sought<Item> {
  /** The position before the oldest item; 0 unless given. */
  readonly base?: number;
  readonly text?: string;
  readonly test: ((item: Item) => boolean) | undefined;
}

/** The search of a list for a text and a test, kept while these stay the same; null if nothing is searched for. */
export function useSearch<Item>(
  list: PagedList<Item>,
  path: string,
  { base = 0, text = "", test }: Sought<Item>,
): Search<Item> | null {
  const { control, feed } = useSession();
  const scaled = useScaled();
  const words = text.trim().toLowerCase();
  const before = useRef<Search<Item> | null>(null);
  const version = useRef(0);
  const search = useMemo(() => {
    version.current = list.version;
    if (words === "" && test === undefined) return null;
    const isSought = (item: Item) =>
      (test?.(item) ?? true) && (words === "" || says(soughtText(item as object, scaled), words));
    const shown = before.current?.matches;
    return new Search<Item>(control, path, { from: list.end, base }, { test: isSought, shown });
  }, [control, path, list, words, test]);
  before.current = search;
  useListening(search ?? NEVER);
  useEffect(() => {
    void search?.more();
    return () => search?.stop();
  }, [search]);
  useEffect(() => (search ? askAgain(feed, search) : undefined), [feed, search]);
  // When the list changes, search again.
  useEffect(() => {
    if (list.version !== version.current) void search?.again(list.end);
  }, [search, list, list.version]);
  return search;
}
