import { useEffect, useMemo } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { Signal, useListening, useSignal } from "../live/signal.ts";
import { Grid } from "../parts/grid.tsx";
import type { GridModel } from "../parts/grid-sight.ts";
import { Icon } from "../parts/icon.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { relativeTimes } from "../parts/times.tsx";
import { goTo, HOME, useQueryWord, useRoute } from "../router.ts";
import { counted } from "../words/amounts.ts";
import type { EntryIcon } from "../words/entries.ts";
import { viewOfResource } from "../words/places.ts";
import { JournalList } from "./journal-list.tsx";
import { useNamedSubjects } from "./named-subjects.ts";
import { EntryCells, ThreadCells } from "./row-cells.tsx";
import { isNarrowed, rowsOf, type TimelineFilter, type TimelineRow } from "./rows.ts";
import { TimelineWindow } from "./window.ts";

/** How the journal is shown; kept while other views are open. */
const mode = new Signal<"threads" | "journal">("threads");
const folding = new Signal<{ readonly openByDefault: boolean; readonly folded: ReadonlySet<string> }>({
  openByDefault: true,
  folded: new Set(),
});

const kinds: readonly { readonly label: string; readonly icons: readonly EntryIcon[] }[] = [
  { label: "calls", icons: ["request"] },
  { label: "transitions", icons: ["transition", "money"] },
  { label: "webhooks", icons: ["webhook"] },
  { label: "scenarios", icons: ["rule", "step"] },
  { label: "by hand", icons: ["control", "fault"] },
];

/** The timeline: everything that happened in virtual time, one thread per transaction, or entry by entry. */
export function Timeline() {
  const { journal } = useSession();
  useListening(journal);
  const shown = useSignal(mode);
  const [text, setText] = useQueryWord("search");
  const [chosen, choose] = useQueryWord("only");
  const kind = kinds.find(({ label }) => label === chosen);
  const icons = kind ? new Set(kind.icons) : null;
  const words = text.trim().toLowerCase();
  const filter = { text: words, icons, subjects: useNamedSubjects(words) };
  return (
    <section class="view list-view" aria-label="Time line">
      <header class="view-head">
        <h1>Time line</h1>
        <span class="muted count">{counted(journal.count, "entry", "entries")}</span>
        <div class="chips" role="group" aria-label="How it is shown">
          {(["threads", "journal"] as const).map((name) => (
            <button
              type="button"
              key={name}
              aria-pressed={shown === name ? "true" : "false"}
              onClick={() => mode.set(name)}
            >
              {name}
            </button>
          ))}
        </div>
        <div class="chips" role="group" aria-label="Which entries">
          {kinds.map(({ label }) => (
            <button
              type="button"
              key={label}
              aria-pressed={label === kind?.label ? "true" : "false"}
              onClick={() => choose(label === kind?.label ? "" : label)}
            >
              {label}
            </button>
          ))}
        </div>
        <SearchBox label="Search the time line" text={text} onText={setText} />
        {shown === "threads" && <FoldAll />}
        <TimesButton />
      </header>
      {shown === "threads" ? <ThreadList filter={filter} /> : <JournalList filter={filter} />}
    </section>
  );
}

function FoldAll() {
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

function TimesButton() {
  const relative = useSignal(relativeTimes);
  return (
    <button type="button" class="text-button only-wide" onClick={() => relativeTimes.set(!relative)}>
      {relative ? "times as they are" : "times from now"}
    </button>
  );
}

/** How many rows before the end older entries are read. */
const AHEAD = 60;

function ThreadList({ filter }: { filter: TimelineFilter }) {
  const session = useSession();
  const window = useMemo(() => new TimelineWindow(session), [session]);
  useEffect(() => window.open(), [window]);
  useListening(window);
  const { openByDefault, folded } = useSignal(folding);
  const { view, id } = useRoute();
  const rows = rowsOf(window.threads.newestFirst(), filter, folded, openByDefault);
  const model = modelOf(rows);
  const toggle = (key: string) => {
    const next = new Set(folded);
    if (!next.delete(key)) next.add(key);
    folding.set({ openByDefault, folded: next });
  };
  const seen = (_from: number, to: number) => {
    if (to > rows.length - AHEAD) window.readOlder();
  };
  // If a filter leaves fewer rows than fit, nobody scrolls: older entries are read anyway.
  useEffect(() => seen(0, rows.length < AHEAD ? rows.length : 0));
  if (!window.isReady) return <p class="empty muted">…</p>;
  return (
    <>
      <Grid
        label="Time line"
        className="timeline"
        model={model}
        onSeen={seen}
        onOpen={(index) => openRow(rows[index])}
        onFold={(index, unfold) => {
          const row = rows[index];
          const isOpen = row?.kind === "entry" || row?.isOpen;
          if (row?.thread && isOpen !== unfold) toggle(row.thread.key);
        }}
        openId={view === HOME ? id : null}
        isOpen={(index) => view === HOME && id !== null && rows[index]?.key === id}
        row={(index) => {
          const row = rows[index];
          if (!row) return null;
          if (row.kind === "entry") return <EntryCells row={row} />;
          return <ThreadCells thread={row.thread} isOpen={row.isOpen} onToggle={() => toggle(row.thread.key)} />;
        }}
      />
      {isNarrowed(filter) && (
        <div class="search-foot" role="status">
          {counted(rows.filter(({ kind }) => kind === "entry").length, "match", "matches")} in{" "}
          {counted(window.threads.count, "entry", "entries")}
        </div>
      )}
      {window.isFull && window.hasOlder && (
        <footer class="search-foot">
          The newest {window.threads.count} entries.
          <button type="button" class="text-button" onClick={() => mode.set("journal")}>
            <Icon name="next" /> all of them, entry by entry
          </button>
        </footer>
      )}
    </>
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
