/** Messages of the page about what it did, and, for screen readers, about what happens in the world. */
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";
import type { Clock } from "../wire/answers.ts";
import { wordsOf } from "../words/entries.ts";

/** The notices, each of which can be dismissed. */
export function NoticeList() {
  const { notices } = useSession();
  return (
    <div class="notices" role="status" aria-live="polite">
      {useSignal(notices).map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          <Icon name={tone === "good" ? "check" : "fault"} />
          <span>{text}</span>
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => notices.dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

/** Kinds of entries that are read aloud. */
const TOLD = /^(transition|webhook\.(delivered|exhausted)|fault)/;

/** A hidden live region with the latest event alone, or what the clock does now: more would be too much to read aloud. */
export function Herald() {
  const { feed, clock } = useSession();
  const [{ count, text }, setSaid] = useState({ count: 0, text: "" });
  useEffect(() => {
    const say = (text: string) => setSaid(({ count }) => ({ count: count + 1, text }));
    let flow = flowText(clock.value?.clock);
    const ends = [
      feed.take((entries) => {
        const last = entries.findLast(({ kind }) => TOLD.test(kind));
        if (!last) return;
        const { text: said, mark = "" } = wordsOf(last);
        say(`${said} ${mark}`);
      }),
      clock.listen(() => {
        const before = flow;
        flow = flowText(clock.value?.clock);
        if (before !== "" && flow !== before) say(flow);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [feed, clock]);
  return (
    <div class="unseen" role="log" aria-live="polite" aria-label="What happened last">
      {/* Of two equal texts the second is read aloud only where it is an element of its own. */}
      <p key={count}>{text}</p>
    </div>
  );
}

function flowText(clock: Clock | undefined): string {
  if (!clock) return "";
  return `${clock.mode === "frozen" ? "Time stands still" : "Time flows"}, speed ${clock.speed}.`;
}
