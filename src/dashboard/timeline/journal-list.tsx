import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { askAgain } from "../live/ask-again.ts";
import { type AnySearch, Search } from "../live/search.ts";
import { useSession } from "../live/session.ts";
import { NEVER, useListening } from "../live/signal.ts";
import { Cell } from "../parts/cells.tsx";
import { Grid } from "../parts/grid.tsx";
import { modelOfList, modelOfSearch } from "../parts/list-models.ts";
import { SearchFoot } from "../parts/search-foot.tsx";
import { goTo, HOME, useRoute } from "../router.ts";
import type { JournalEntry } from "../wire/answers.ts";
import type { NamedSubjects } from "./named-subjects.ts";
import { EntryCells } from "./row-cells.tsx";
import { filterKey, isNarrowed, passes, type TimelineFilter } from "./rows.ts";

/** The journal entry by entry, of any length; only the entries in sight are read. */
export function JournalList({ filter, named }: { filter: TimelineFilter; named: NamedSubjects }) {
  const { journal } = useSession();
  const { view, id } = useRoute();
  const search = useJournalSearch(filter);
  const entryAt = (index: number) => (search ? search.matches[index]?.item : journal.at(index));
  const model = search ? modelOfSearch(search) : modelOfList(journal);
  return (
    <>
      <Grid
        label="Journal"
        className="timeline"
        model={model}
        onSeen={(from, to) => {
          if (!search) journal.want(from, to);
        }}
        onOpen={(index) => goTo(HOME, model.keyAt(index))}
        openId={view === HOME ? id : null}
        isOpen={(index) => view === HOME && id !== null && model.keyAt(index) === id}
        row={(index) => {
          const entry = entryAt(index);
          if (!entry) return <Cell kind="muted">…</Cell>;
          return <EntryCells row={{ kind: "entry", key: "", thread: null, entry, depth: 0, isLast: false }} />;
        }}
      />
      {search && <SearchFoot search={together(search, named)} noun="entry" plural="entries" />}
    </>
  );
}

/** The search of the journal with that of the names, as one. */
function together(search: Search<JournalEntry>, named: NamedSubjects): AnySearch {
  return {
    matches: search.matches,
    lookedAt: search.lookedAt,
    isRunning: search.isRunning || named.isRunning,
    isDone: search.isDone && named.isDone,
    more: async () => {
      await Promise.all([search.more(), named.more()]);
    },
  };
}

function useJournalSearch(filter: TimelineFilter): Search<JournalEntry> | null {
  const { control, feed, journal } = useSession();
  const newest = useRef(filter);
  newest.current = filter;
  const key = filterKey({ text: filter.text, icons: filter.icons });
  // The key stands for the filter, the version for the history; new entries are added to the search as they come.
  const search = useMemo(() => {
    if (!isNarrowed(filter)) return null;
    const range = { from: journal.end, base: 0 };
    const test = (entry: JournalEntry) => passes(entry, newest.current);
    return new Search<JournalEntry>(control, "/journal", range, { test });
  }, [control, journal, journal.version, key]);
  useListening(search ?? NEVER);
  useLayoutEffect(
    () => feed.take((entries) => search?.take(entries.map((item) => ({ position: item.sequence, item })))),
    [feed, search],
  );
  useEffect(() => {
    void search?.more();
    return () => search?.stop();
  }, [search]);
  useEffect(() => (search ? askAgain(feed, search) : undefined), [feed, search]);
  // Once others are found by their names, more of what has been searched matches.
  const names = filterKey(filter);
  const before = useRef({ search, names });
  useEffect(() => {
    const isSame = before.current.search === search;
    if (isSame && before.current.names !== names) void search?.again(journal.end);
    before.current = { search, names };
  }, [search, names]);
  return search;
}
