/** A view that is a list: newest first, to be searched, each row opening what it is about. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useList } from "../live/answer.ts";
import type { PagedList } from "../live/paged-list.ts";
import { Search } from "../live/search.ts";
import { useSession } from "../live/session.ts";
import { NEVER, useListening } from "../live/signal.ts";
import { goTo, useQueryWord, useRoute } from "../router.ts";
import { counted } from "../words/amounts.ts";
import { says } from "../words/sought.ts";
import { Grid } from "./grid.tsx";
import { modelOfList, modelOfSearch } from "./list-models.ts";
import { SearchBox } from "./search-box.tsx";
import { SearchFoot } from "./search-foot.tsx";
import { Trouble } from "./trouble.tsx";

/** A button above a list that narrows it. */
export interface Chip<Item> {
  readonly label: string;
  readonly test: (item: Item) => boolean;
}

interface ListViewProps<Item> {
  readonly title: string;
  /** One item, in the count and in the search: "webhook". */
  readonly noun: string;
  readonly path: string;
  readonly topics: readonly string[];
  /** See {@link PagedList}. */
  readonly base?: number;
  /** What opens beside the list; null for items that have nothing more to show. */
  readonly idOf: (item: Item) => string | number | null;
  readonly headings: readonly string[];
  readonly cells: (item: Item) => ComponentChildren;
  readonly className: string;
  readonly chips?: readonly Chip<Item>[];
  readonly empty: ComponentChildren;
  readonly tools?: ComponentChildren;
}

/** Draws the whole view: heading, search, chips and rows, with what is open beside them. */
export function ListView<Item>(props: ListViewProps<Item>) {
  const { title, noun, path, topics, base = 0, idOf, headings, cells, className, chips = [], empty, tools } = props;
  const { view, id } = useRoute();
  const list = useList<Item>(path, topics, base);
  const [text, setText] = useQueryWord("search");
  const [chosen, choose] = useQueryWord("only");
  const chip = chips.find(({ label }) => label === chosen);
  const search = useSearch(list, path, base, text, chip?.test);
  const itemAt = (index: number) => (search ? search.matches[index]?.item : list.at(index));
  const open = (index: number) => {
    const item = itemAt(index);
    const key = item === undefined ? null : idOf(item);
    if (key !== null) goTo(view, key);
  };
  return (
    <section class="view list-view" aria-label={title}>
      <header class="view-head">
        <h1>{title}</h1>
        <span class="muted count">{list.isReady ? counted(list.count, noun) : "…"}</span>
        {chips.length > 0 && (
          <div class="chips" role="group" aria-label={`Which ${noun}s`}>
            <button type="button" aria-pressed={chip ? "false" : "true"} onClick={() => choose("")}>
              all
            </button>
            {chips.map(({ label }) => (
              <button
                type="button"
                key={label}
                aria-pressed={label === chip?.label ? "true" : "false"}
                onClick={() => choose(label)}
              >
                {label}
              </button>
            ))}
          </div>
        )}
        <SearchBox label={`Search ${noun}s`} text={text} onText={setText} />
        {tools}
      </header>
      <Trouble error={list.error} />
      {list.isReady && list.count === 0 && <div class="empty">{empty}</div>}
      {list.count > 0 && (
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
            const item = itemAt(index);
            return item !== undefined && id !== null && String(idOf(item)) === id;
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
      )}
      {search && <SearchFoot search={search} noun={noun} />}
    </section>
  );
}

/** The search that the words and the button above a list ask for; null for none. */
function useSearch<Item>(
  list: PagedList<Item>,
  path: string,
  base: number,
  text: string,
  chip: ((item: Item) => boolean) | undefined,
): Search<Item> | null {
  const { control } = useSession();
  const words = text.trim().toLowerCase();
  const before = useRef<Search<Item> | null>(null);
  const version = useRef(0);
  const search = useMemo(() => {
    version.current = list.version;
    if (words === "" && chip === undefined) return null;
    const test = (item: Item) =>
      (chip?.(item) ?? true) && (words === "" || says(JSON.stringify(item).toLowerCase(), words));
    return new Search<Item>(control, path, { from: list.end, base }, test, before.current?.matches);
  }, [control, path, list, words, chip]);
  before.current = search;
  useListening(search ?? NEVER);
  useEffect(() => {
    void search?.more();
    return () => search?.stop();
  }, [search]);
  // What changes in the list is looked for anew.
  useEffect(() => {
    if (list.version !== version.current) void search?.again(list.end);
  }, [search, list, list.version]);
  return search;
}
