/** Virtual instants on the page: as they are, or as far from now as they are; the other one is in the title. */
import { useLayoutEffect, useState } from "preact/hooks";
import { keptText, wakeEvery } from "../browser.ts";
import { useSession } from "../live/session.ts";
import { Signal, useSignal } from "../live/signal.ts";
import { fromNow, instantText, shortText } from "../words/instants.ts";

const kept = keptText("local", "times");

/** Whether times are told from now. */
export const relativeTimes = new Signal(kept.read() === "relative");
relativeTimes.listen(() => kept.write(relativeTimes.value ? "relative" : "absolute"));

/** The virtual instant now, in milliseconds; drawn again each so often while it flows. */
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

/** An instant, as the reader has chosen to see instants. @param short without what of the date goes without saying. */
export function Instant({ at, short = false }: { at: string; short?: boolean }) {
  const relative = useSignal(relativeTimes);
  return relative ? <FromNow at={at} /> : <Exact at={at} short={short} />;
}

/** How far an instant is from now. */
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
