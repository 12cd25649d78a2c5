/** The clock bar: the world's time, whether it runs, what is pending, and how to advance it. */
import { useEffect } from "preact/hooks";
import type { OtherAdvance } from "../live/other-advances.ts";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";
import { FromNow, useNow } from "../parts/times.tsx";
import { hashOf } from "../router.ts";
import { counted } from "../words/amounts.ts";
import { dateText, instantOf } from "../words/instants.ts";
import { advance, advanceToNext, advancing, cancelAdvance, changeClock } from "./advance.ts";

const STEPS = ["5s", "1m", "31m", "1h", "1d"];
const SPEEDS = [1, 10, 60, 600, 3_600, 86_400];

/** @param onUntil opens the dialog that takes any target. */
export function ClockBar({ onUntil }: { onUntil: () => void }) {
  const session = useSession();
  const reading = useSignal(session.clock);
  const words = useSignal(advancing);
  const other = useSignal(session.others);
  const underWay = words !== null || other !== "none";
  const isLive = useSignal(session.feed.status) === "live";
  useEffect(() => (isLive ? session.clock.flow() : undefined), [session, isLive]);
  if (!reading) return <div class="clock-bar" />;
  const { mode, pending_timers, next_timer_at } = reading.clock;
  const isFrozen = mode === "frozen";
  // A button with the `disabled` attribute would lose the focus.
  const isIdle = pending_timers === 0;
  // While an advance is under way its buttons are hidden but not removed: one of them may have the focus.
  const away = underWay ? { class: "unseen", tabIndex: -1 } : { class: "" };
  return (
    <div class="clock-bar" role="region" aria-label="Clock of the world">
      <Now />
      <button
        type="button"
        class={`button mode ${isFrozen ? "" : "flows"}`}
        onClick={() => void changeClock(session, { mode: isFrozen ? "running" : "frozen" })}
        aria-label={isFrozen ? "run: let time flow" : "freeze time"}
        title={isFrozen ? "Time stands still: let it flow" : "Time flows: freeze it"}
      >
        <Icon name={isFrozen ? "play" : "pause"} />
        <span class="only-wide">{isFrozen ? "run" : "freeze"}</span>
      </button>
      <Speed />
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
      <button
        type="button"
        class={`button primary ${away.class}`}
        tabIndex={away.tabIndex}
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
      {underWay && (
        <div class="under-way" role="status">
          <progress aria-label="Advancing" />
          <span>{wayText(words, other)}</span>
          <button type="button" class="button" onClick={() => void cancelAdvance(session)}>
            {words !== null && other !== "ahead" ? "stop" : "stop another’s"}
          </button>
        </div>
      )}
      <a class="pending" href={hashOf("pending")}>
        <Icon name="clock" />
        {isIdle ? (
          <span>nothing pending</span>
        ) : (
          <span>
            {counted(pending_timers, "timer")}
            {next_timer_at && <Next at={next_timer_at} />}
          </span>
        )}
      </a>
    </div>
  );
}

/** When the next timer comes due; nothing where the clock has gone past it and it is still to be read what comes next. */
function Next({ at }: { at: string }) {
  if (Date.parse(at) < useNow()) return null;
  return (
    <span class="muted">
      {" "}
      next <FromNow at={at} />
    </span>
  );
}

/** What is under way, in words; the stop button cancels whatever runs first. */
function wayText(words: string | null, other: OtherAdvance): string {
  if (words === null) return "another’s advance is under way";
  return other === "ahead" ? `another’s advance first, then on to ${words}` : `on to ${words}`;
}

/** How often a running clock is redrawn. */
const TICK_MS = 100;

function Now() {
  const { clock } = useSession();
  const instant = instantOf(useNow(TICK_MS));
  return (
    <div class="now" title="The virtual time of this world, in UTC">
      <time class="time" dateTime={instant}>
        {instant.slice(11, 19)}
        <small>.{instant.slice(20, 23)}</small>
      </time>
      <span class="date">
        {dateText(instant)}
        <span class={`flow ${clock.value?.clock.mode}`}>{clock.value?.clock.mode}</span>
      </span>
    </div>
  );
}

function Speed() {
  const session = useSession();
  const { speed } = useSignal(session.clock)?.clock ?? { speed: 1 };
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed].sort((left, right) => left - right);
  return (
    <select
      aria-label="Speed of time"
      class="speed"
      value={String(speed)}
      onChange={(event) => void changeClock(session, { speed: Number(event.currentTarget.value) })}
    >
      {speeds.map((value) => (
        <option key={value} value={String(value)}>
          {value}×
        </option>
      ))}
    </select>
  );
}
