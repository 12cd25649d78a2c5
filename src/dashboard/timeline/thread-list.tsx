/** The journal as threads, which can be folded. */
import { useEffect, useMemo } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { Signal, useListening, useSignal } from "../live/signal.ts";
import { Grid } from "../parts/grid.tsx";
import type { GridModel } from "../parts/grid-sight.ts";
import { Icon } from "../parts/icon.tsx";
import { SearchFoot } from "../parts/search-foot.tsx";
import { goTo, HOME, useRoute } from "../router.ts";
import { viewOfResource } from "../words/places.ts";
import type { NamedSubjects } from "./named-subjects.ts";
import { EntryCells, ThreadCells } from "./row-cells.tsx";
import { isNarrowed, rowsOf, type TimelineFilter, type TimelineRow } from "./rows.ts";
import { TimelineWindow } from "./window.ts";

/** Which threads are folded: those that differ from the default. Kept while other views are open. */
const folding = new Signal<{ readonly openByDefault: boolean; readonly folded: ReadonlySet<string> }>({
  openByDefault: true,
  folded: new Set(),
});

/** How many rows before the end older entries are read. */
const AHEAD = 60;

interface ThreadListProps {
  readonly filter: TimelineFilter;
  readonly named: NamedSubjects;
  /** Shows the whole journal, entry by entry. */
  readonly onAll: () => void;
}

/** The threads of the newest entries; older ones are read as they are scrolled to. */
export function ThreadList({ filter, named, onAll }: ThreadListProps) {
  const window = useTimelineWindow();
  const { openByDefault, folded } = useSignal(folding);
  const rows = rowsOf(window.threads.newestFirst(), filter, folded, openByDefault);
  const seen = (_from: number, to: number) => {
    if (to > rows.length - AHEAD) window.readOlder();
  };
  // If a filter leaves fewer rows than fit, nobody scrolls: older entries are read anyway.
  useEffect(() => seen(0, rows.length < AHEAD ? rows.length : 0));
  if (!window.isReady) return <p class="empty muted">…</p>;
  return (
    <>
      <ThreadGrid rows={rows} onSeen={seen} />
      {isNarrowed(filter) && (
        <SearchFoot
          search={{
            matches: rows.filter(({ kind }) => kind === "entry"),
            lookedAt: window.threads.count,
            isRunning: named.isRunning,
            isDone: named.isDone,
            more: () => named.more(),
          }}
          noun="entry"
          plural="entries"
        />
      )}
      {window.isFull && window.hasOlder && (
        <footer class="search-foot">
          The newest {window.threads.count} entries.
          <button type="button" class="text-button" onClick={onAll}>
            <Icon name="next" /> all of them, entry by entry
          </button>
        </footer>
      )}
    </>
  );
}

function useTimelineWindow(): TimelineWindow {
  const session = useSession();
  const window = useMemo(() => new TimelineWindow(session), [session]);
  useEffect(() => window.open(), [window]);
  useListening(window);
  return window;
}

interface ThreadGridProps {
  readonly rows: readonly TimelineRow[];
  readonly onSeen: (from: number, to: number) => void;
}

function ThreadGrid({ rows, onSeen }: ThreadGridProps) {
  const { view, id } = useRoute();
  const openId = view === HOME ? id : null;
  return (
    <Grid
      label="Time line"
      className="timeline"
      model={modelOf(rows)}
      onSeen={onSeen}
      onOpen={(index) => openRow(rows[index])}
      onFold={(index, unfold) => {
        const row = rows[index];
        const isOpen = row?.kind === "entry" || row?.isOpen;
        if (row?.thread && isOpen !== unfold) toggleFold(row.thread.key);
      }}
      openId={openId}
      isOpen={(index) => openId !== null && rows[index]?.key === openId}
      row={(index) => {
        const row = rows[index];
        if (!row) return null;
        if (row.kind === "entry") return <EntryCells row={row} />;
        return <ThreadCells thread={row.thread} isOpen={row.isOpen} onToggle={() => toggleFold(row.thread.key)} />;
      }}
    />
  );
}

function toggleFold(key: string): void {
  const { openByDefault, folded } = folding.value;
  const next = new Set(folded);
  if (!next.delete(key)) next.add(key);
  folding.set({ openByDefault, folded: next });
}

/** A button that folds all threads, or unfolds them. */
export function FoldAll() {
  const { openByDefault } = useSignal(folding);
  return (
    <button
      type="button"
      class="text-button only-wide"
      onClick={() => folding.set({ openByDefault: !openByDefault, folded: new Set() })}
    >
      {openByDefault ? "fold all" : "unfold all"}
    </button>
  );
}

/** Opens a row: an entry shows its causes, the head of a thread its resource. */
function openRow(row: TimelineRow | undefined): void {
  if (row?.kind === "entry") {
    goTo(HOME, row.entry.sequence);
    return;
  }
  const { resource = null, subject = null, entries } = row?.thread ?? { entries: [] };
  const view = resource === null ? undefined : viewOfResource(resource);
  const first = entries[0]?.entry.sequence;
  if (view && subject !== null) goTo(view, subject);
  else if (first !== undefined) goTo(HOME, first);
}

function modelOf(rows: readonly TimelineRow[]): GridModel {
  return {
    count: rows.length,
    keyAt: (index) => rows[index]?.key,
    indexOf: (key, near = 0) => {
      for (let step = 0; step <= Math.max(near, rows.length); step++) {
        if (rows[near + step]?.key === key) return near + step;
        if (rows[near - step]?.key === key) return near - step;
      }
      return -1;
    },
  };
}
