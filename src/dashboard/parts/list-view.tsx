/** A view that is a searchable list, newest first; each row opens its detail. */
import type { ComponentChildren } from "preact";
import { counted } from "../../domain/words/counted.ts";
import { useList } from "../live/answer.ts";
import type { PagedList } from "../live/paged-list.ts";
import type { Search } from "../live/search.ts";
import { goTo, useQueryWord, useRoute } from "../router.ts";
import { Chips } from "./chips.tsx";
import { Grid } from "./grid.tsx";
import { modelOfList, modelOfSearch } from "./list-models.ts";
import { SearchBox } from "./search-box.tsx";
import { SearchFoot } from "./search-foot.tsx";
import { Trouble } from "./trouble.tsx";
import { useSearch } from "./use-search.ts";

/** A filter button above a list. */
interface Chip<Item> {
  readonly label: string;
  readonly test: (item: Item) => boolean;
}

interface ListViewProps<Item> {
  readonly title: string;
  /** The noun for one item, in the count and in the search: "webhook". */
  readonly noun: string;
  readonly path: string;
  readonly topics: readonly string[];
  /** See {@link PagedList}. */
  readonly base?: number;
  /** The id of the detail to open; null for items without one. */
  readonly idOf: (item: Item) => string | number | null;
  readonly headings: readonly string[];
  readonly cells: (item: Item) => ComponentChildren;
  readonly className: string;
  readonly chips?: readonly Chip<Item>[];
  readonly empty: ComponentChildren;
  readonly tools?: ComponentChildren;
}

/** The button that lets all items through. */
const ALL = "all";

/** The whole view: heading, search, filters and rows, with the open detail beside them. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { title, noun, path, topics, base = 0, chips = [], empty, tools } = props;
  const list = useList<Item>(path, topics, base);
  const [text, setText] = useQueryWord("search");
  const [chosen, choose] = useQueryWord("only");
  const chip = chips.find(({ label }) => label === chosen);
  const search = useSearch(list, path, { base, text, test: chip?.test });
  return (
    <section class="view" aria-label={title}>
      <header class="view-head">
        <h1>{title}</h1>
        <span class="muted count">{list.isReady ? counted(list.count, noun) : "…"}</span>
        {chips.length > 0 && (
          <Chips
            label={`Which ${noun}s`}
            names={[ALL, ...chips.map(({ label }) => label)]}
            pressed={chip?.label ?? ALL}
            onPress={(name) => choose(name === ALL ? "" : name)}
          />
        )}
        <SearchBox label={`Search ${noun}s`} text={text} onText={setText} />
        {tools}
      </header>
      <Trouble error={list.error} />
      {list.isReady && list.count === 0 && <div class="empty">{empty}</div>}
      {list.count > 0 && <ListGrid {...props} list={list} search={search} />}
      {search && <SearchFoot search={search} noun={noun} />}
    </section>
  );
}

interface ListGridProps<Item> extends Pick<ListViewProps<Item>, "title" | "className" | "headings" | "idOf" | "cells"> {
  readonly list: PagedList<Item>;
  /** Its matches are shown in place of the list. */
  readonly search: Search<Item> | null;
}

function ListGrid<Item>({ title, className, headings, idOf, cells, list, search }: ListGridProps<Item>) {
  const { view, id } = useRoute();
  const itemAt = (index: number) => (search ? search.matches[index]?.item : list.at(index));
  const keyAt = (index: number) => {
    const item = itemAt(index);
    return item === undefined ? null : idOf(item);
  };
  const open = (index: number) => {
    const key = keyAt(index);
    if (key !== null) goTo(view, key);
  };
  return (
    <Grid
      label={title}
      className={className}
      headings={headings}
      model={search ? modelOfSearch(search) : modelOfList(list)}
      onSeen={(from, to) => {
        if (!search) list.want(from, to);
      }}
      onOpen={open}
      openId={id}
      isOpen={(index) => {
        const key = keyAt(index);
        return key !== null && String(key) === id;
      }}
      row={(index) => {
        const item = itemAt(index);
        return item === undefined ? (
          <span role="gridcell" class="muted">
            …
          </span>
        ) : (
          cells(item)
        );
      }}
    />
  );
}
