import type { OtherAdvance } from "../live/other-advances.ts";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";
import { advance, advanceToNext, advancing, cancelAdvance } from "./advance.ts";

const STEPS = ["5s", "1m", "31m", "1h", "1d"];

// While an advance is under way its buttons are hidden but not removed: one of them may have the focus.
const AWAY = { class: "unseen", tabIndex: -1 };
const THERE = { class: "", tabIndex: undefined };

interface AdvanceButtonsProps {
  /** Whether nothing is pending. */
  readonly isIdle: boolean;
  /** Opens the dialog that takes any target. */
  readonly onUntil: () => void;
}

/** The buttons that advance the clock, and the advance that is under way. */
export function AdvanceButtons({ isIdle, onUntil }: AdvanceButtonsProps) {
  const session = useSession();
  const words = useSignal(advancing);
  const other = useSignal(session.others);
  const isUnderWay = words !== null || other !== "none";
  const away = isUnderWay ? AWAY : THERE;
  return (
    <>
      <Steps away={away} />
      <button
        type="button"
        class={`button primary ${away.class}`}
        tabIndex={away.tabIndex}
        // A button with the `disabled` attribute would lose the focus.
        aria-disabled={isIdle}
        title="Through the next timer (n)"
        onClick={() => void advanceToNext(session)}
      >
        <Icon name="next" /> next
      </button>
      <button
        type="button"
        class={`button ${away.class}`}
        tabIndex={away.tabIndex}
        title="Advance until … (a)"
        onClick={onUntil}
      >
        <Icon name="until" /> until…
      </button>
      {isUnderWay && <UnderWay words={words} other={other} />}
    </>
  );
}

function Steps({ away }: { away: typeof AWAY | typeof THERE }) {
  const session = useSession();
  return (
    <div class={`steps ${away.class}`} role="group" aria-label="Advance by">
      {STEPS.map((step) => (
        <button
          type="button"
          key={step}
          class="button"
          tabIndex={away.tabIndex}
          aria-label={`Advance by ${step}`}
          onClick={() => void advance(session, { by: step }, step)}
        >
          +{step}
        </button>
      ))}
    </div>
  );
}

/** The advance under way, with a button that cancels whatever runs first. */
function UnderWay({ words, other }: { words: string | null; other: OtherAdvance }) {
  const session = useSession();
  return (
    <div class="under-way" role="status">
      <progress aria-label="Advancing" />
      <span>{wayText(words, other)}</span>
      <button type="button" class="button" onClick={() => void cancelAdvance(session)}>
        {words !== null && other !== "ahead" ? "stop" : "stop another’s"}
      </button>
    </div>
  );
}

/** What is under way, in words. */
function wayText(words: string | null, other: OtherAdvance): string {
  if (words === null) return "another’s advance is under way";
  return other === "ahead" ? `another’s advance first, then on to ${words}` : `on to ${words}`;
}
