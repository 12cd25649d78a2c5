/** Messages of the page about what it did, and, for screen readers, about what happens in the world. */
import { useEffect, useState } from "preact/hooks";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";
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
const TOLD = /^(transition|webhook\.(delivered|exhausted|undeliverable)|fault)/;

/** A hidden live region with the latest event alone: more would be too much to read aloud. */
export function Herald() {
  const { feed } = useSession();
  const [text, setText] = useState("");
  useEffect(
    () =>
      feed.take((entries) => {
        const last = entries.findLast(({ kind }) => TOLD.test(kind));
        if (!last) return;
        const { text: said, mark = "" } = wordsOf(last);
        setText(`${said} ${mark}`);
      }),
    [feed],
  );
  return (
    <p class="unseen" role="log" aria-live="polite" aria-label="What happened last">
      {text}
    </p>
  );
}
