import { counted } from "../../domain/words/counted.ts";
import { useSession } from "../live/session.ts";
import { Signal, useListening, useSignal } from "../live/signal.ts";
import { Chips } from "../parts/chips.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { relativeTimes } from "../parts/times.tsx";
import { useQueryWord } from "../router.ts";
import type { EntryIcon } from "../words/entries.ts";
import { JournalList } from "./journal-list.tsx";
import { useNamedSubjects } from "./named-subjects.ts";
import { FoldAll, ThreadList } from "./thread-list.tsx";

const modes = ["threads", "journal"] as const;

/** How the journal is shown; kept while other views are open. */
const mode = new Signal<(typeof modes)[number]>("threads");

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
  const named = useNamedSubjects(words);
  const filter = { text: words, icons, subjects: named.subjects };
  return (
    <section class="view" aria-label="Time line">
      <header class="view-head">
        <h1>Time line</h1>
        <span class="muted count">{counted(journal.count, "entry", "entries")}</span>
        <Chips label="How it is shown" names={modes} pressed={shown} onPress={(name) => mode.set(name)} />
        <Chips
          label="Which entries"
          names={kinds.map(({ label }) => label)}
          pressed={kind?.label}
          onPress={(label) => choose(label === kind?.label ? "" : label)}
        />
        <SearchBox label="Search the time line" text={text} onText={setText} />
        {shown === "threads" && <FoldAll />}
        <TimesButton />
      </header>
      {shown === "threads" ? (
        <ThreadList filter={filter} named={named} onAll={() => mode.set("journal")} />
      ) : (
        <JournalList filter={filter} named={named} />
      )}
    </section>
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
