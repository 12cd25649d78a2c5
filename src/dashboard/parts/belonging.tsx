import type { ComponentChildren } from "preact";
import { useCallback } from "preact/hooks";
import { useList } from "../live/answer.ts";
import { Section } from "./detail.tsx";
import { SearchFoot } from "./search-foot.tsx";
import { useSearch } from "./use-search.ts";

interface BelongingProps<Item> {
  readonly title: string;
  /** One item of the list, in the count of those that were looked at. */
  readonly noun: string;
  readonly path: string;
  readonly topics: readonly string[];
  /** What the items belong to. */
  readonly id: string;
  readonly ownerOf: (item: Item) => string | number | null | undefined;
  readonly keyOf: (item: Item) => string;
  /** What a line says of one. */
  readonly line: (item: Item) => ComponentChildren;
}

/** The items of a list that belong to what is open: nothing but the list tells which they are. */
export function Belonging<Item>(props: BelongingProps<Item>) {
  const { title, noun, path, topics, id, ownerOf, keyOf, line } = props;
  const list = useList<Item>(path, topics);
  // The owner stands for the test.
  const belongs = useCallback((item: Item) => String(ownerOf(item)) === id, [path, id]);
  const search = useSearch(list, path, 0, "", belongs);
  if (!list.isReady || !search || (search.matches.length === 0 && search.isDone)) return null;
  return (
    <Section title={title} count={search.matches.length}>
      <ul class="plain">
        {search.matches.map(({ item }) => (
          <li key={keyOf(item)} class="line">
            {line(item)}
          </li>
        ))}
      </ul>
      {!search.isDone && <SearchFoot search={search} noun={noun} />}
    </Section>
  );
}
