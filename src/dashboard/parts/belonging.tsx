import { useCallback } from "preact/hooks";
import { useList } from "../live/answer.ts";
import { toneOf } from "../words/tones.ts";
import { visible } from "../words/visible.ts";
import { Section } from "./detail.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { SearchFoot } from "./search-foot.tsx";
import { State } from "./state.tsx";
import { Instant } from "./times.tsx";
import { useSearch } from "./use-search.ts";

/** How an item is shown, on one line. */
interface Line {
  readonly icon: IconName;
  readonly href: string;
  readonly text: string;
  readonly state: string;
  readonly at?: string;
}

interface BelongingProps<Item> {
  readonly title: string;
  /** The noun for one item, in the count of those searched. */
  readonly noun: string;
  readonly path: string;
  readonly topics: readonly string[];
  /** The id of what the items belong to. */
  readonly id: string;
  readonly ownerOf: (item: Item) => string | number | null | undefined;
  readonly lineOf: (item: Item) => Line;
}

/** The items of a list that belong to the open detail; they are found by searching the list. */
export function Belonging<Item>(props: BelongingProps<Item>) {
  const { title, noun, path, topics, id, ownerOf, lineOf } = props;
  const list = useList<Item>(path, topics);
  // `id` is in the dependencies in place of the test.
  const belongs = useCallback((item: Item) => String(ownerOf(item)) === id, [path, id]);
  const search = useSearch(list, path, { test: belongs });
  if (!list.isReady || !search || (search.matches.length === 0 && search.isDone)) return null;
  return (
    <Section title={title} count={search.matches.length}>
      <ul class="plain">
        {search.matches.map(({ item }) => {
          const { icon, href, text, state, at } = lineOf(item);
          return (
            <li key={href} class="line">
              <Icon name={icon} />
              <a class="grow" href={href}>
                {visible(text)}
              </a>
              <State state={state} tone={toneOf(state, icon)} />
              {at !== undefined && <Instant at={at} short />}
            </li>
          );
        })}
      </ul>
      {!search.isDone && <SearchFoot search={search} noun={noun} />}
    </Section>
  );
}
