/** The clock bar: the world's time, whether it runs, what is pending, and how to advance it. */
import { useEffect } from "preact/hooks";
import { counted } from "../../domain/words/counted.ts";
import { useSession } from "../live/session.ts";
import { useSignal } from "../live/signal.ts";
import { Icon } from "../parts/icon.tsx";
import { FromNow, useNow } from "../parts/times.tsx";
import { hashOf } from "../router.ts";
import type { Clock } from "../wire/answers.ts";
import { dateText, instantOf } from "../words/instants.ts";
import { changeClock, toggleClock } from "./advance.ts";
import { AdvanceButtons } from "./advance-buttons.tsx";

const SPEEDS = [1, 10, 60, 600, 3_600, 86_400];

/** @param onUntil opens the dialog that takes any target. */
export function ClockBar({ onUntil }: { onUntil: () => void }) {
  const session = useSession();
  const reading = useSignal(session.clock);
  const isLive = useSignal(session.feed.status) === "live";
  useEffect(() => (isLive ? session.clock.flow() : undefined), [session, isLive]);
  if (!reading) return <div class="clock-bar" />;
  const { mode, pending_timers } = reading.clock;
  return (
    <div class="clock-bar" role="region" aria-label="Clock of the world">
      <Now />
      <FlowButton isFrozen={mode === "frozen"} />
      <Speed />
      <AdvanceButtons isIdle={pending_timers === 0} onUntil={onUntil} />
      <PendingLink clock={reading.clock} />
    </div>
  );
}

/** Lets time flow, or freezes it. */
function FlowButton({ isFrozen }: { isFrozen: boolean }) {
  const session = useSession();
  return (
    <button
      type="button"
      class={`button mode ${isFrozen ? "" : "flows"}`}
      onClick={() => void toggleClock(session)}
      aria-label={isFrozen ? "run: let time flow" : "freeze time"}
      title={isFrozen ? "Time stands still: let it flow" : "Time flows: freeze it"}
    >
      <Icon name={isFrozen ? "play" : "pause"} />
      <span class="only-wide">{isFrozen ? "run" : "freeze"}</span>
    </button>
  );
}

/** How many timers are pending, with the way to them. */
function PendingLink({ clock: { pending_timers, next_timer_at } }: { clock: Clock }) {
  return (
    <a class="pending" href={hashOf("pending")}>
      <Icon name="clock" />
      {pending_timers === 0 ? (
        <span>nothing pending</span>
      ) : (
        <span>
          {counted(pending_timers, "timer")}
          {next_timer_at && <Next at={next_timer_at} />}
        </span>
      )}
    </a>
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
  const change = async (select: HTMLSelectElement) => {
    await changeClock(session, { speed: Number(select.value) });
    // A refusal changes nothing that would be drawn.
    select.value = String(session.clock.value?.clock.speed ?? speed);
  };
  const speeds = SPEEDS.includes(speed) ? SPEEDS : [...SPEEDS, speed].sort((left, right) => left - right);
  return (
    <select
      aria-label="Speed of time"
      class="speed"
      value={String(speed)}
      onChange={(event) => void change(event.currentTarget)}
    >
      {speeds.map((value) => (
        <option key={value} value={String(value)}>
          {value}×
        </option>
      ))}
    </select>
  );
}
