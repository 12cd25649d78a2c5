/** Virtual instants on the page: absolute or relative to now; the title has the other form. */
import { useLayoutEffect, useState } from "preact/hooks";
import { keptText, wakeEvery } from "../browser.ts";
import { useSession } from "../live/session.ts";
import { Signal, useSignal } from "../live/signal.ts";
import { fromNow, instantText, shortText } from "../words/instants.ts";

const kept = keptText("local", "times");

/** Whether times are shown relative to now. */
export const relativeTimes = new Signal(kept.read() === "relative");
relativeTimes.listen(() => kept.write(relativeTimes.value ? "relative" : "absolute"));

/** The current virtual instant, in milliseconds; redraws periodically while the clock runs. */
export function useNow(periodMs = 1_000): number {
  const { clock } = useSession();
  const reading = useSignal(clock);
  const [, redraw] = useState(0);
  const flows = reading?.clock.mode === "running";
  useLayoutEffect(() => {
    if (flows) return wakeEvery(periodMs, () => redraw((count) => count + 1));
    return undefined;
  }, [flows, periodMs]);
  return clock.now();
}

/** An instant in the form that the user has chosen. @param short leaves out the current day. */
export function Instant({ at, short = false }: { at: string; short?: boolean }) {
  const relative = useSignal(relativeTimes);
  return relative ? <FromNow at={at} /> : <Exact at={at} short={short} />;
}

/** The distance of an instant from now. */
export function FromNow({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={instantText(at)}>
      {fromNow(at, now)}
    </time>
  );
}

function Exact({ at, short }: { at: string; short: boolean }) {
  const today = useSignal(useSession().clock.today);
  return (
    <time dateTime={at} title={instantText(at)}>
      {short ? shortText(at, today) : instantText(at)}
    </time>
  );
}
