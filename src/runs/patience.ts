/** Lets time pass in a run: with reports of progress, and an end if the world never comes to rest. */
import type { LiveWorld } from "../host/live-world.ts";
import type { AdvanceTarget } from "../world/advance.ts";
import { formatInstant } from "../world/instants.ts";

/** How long a run may go on, and how to report its progress. */
export interface Patience {
  /** After this many timers, a world is taken never to come to rest; {@link MAX_TIMERS_TO_REST} except in tests. */
  readonly timersToRest?: number;
  /** Called from time to time with the progress of a long run. */
  readonly onProgress?: (progress: { at: string; timers: number }) => void;
}

/** How many timers run between two reports of progress. */
const REPORTED = 1_000;

/** After this many timers, a world will not come to rest: probably some rules set each other off for ever. */
const MAX_TIMERS_TO_REST = 250_000;

/** The most timers on the way to an instant: more than {@link MAX_TIMERS_TO_REST}, but a history that can be shown. */
const MAX_TIMERS_TO_INSTANT = 2_000_000;

/** The result of letting time pass. */
interface Passed {
  readonly reached: boolean;
  /** What keeps the world busy, if the most timers ran and more are left; else null. */
  readonly restless: { readonly at: string | null; readonly detail: string } | null;
}

/** Lets time pass in a world. @param target as of an advance of the clock. */
export async function passTime(live: LiveWorld, target: AdvanceTarget, patience: Patience): Promise<Passed> {
  const isFar = target.kind === "to" || target.kind === "by";
  const maxTimers = isFar ? MAX_TIMERS_TO_INSTANT : (patience.timersToRest ?? MAX_TIMERS_TO_REST);
  const onTimer = (timers: number) => {
    if (timers % REPORTED === 0 && timers < maxTimers)
      patience.onProgress?.({ at: formatInstant(live.world.clock.now()), timers });
  };
  const { reached, to, timers } = await live.runner.advance(target, { maxTimers, onTimer });
  if (reached || timers < maxTimers) return { reached, restless: null };
  return { reached, restless: busiest(live, `after ${timers} timers, at ${formatInstant(to)}`) };
}

/** Says which rule has acted most. */
function busiest({ scenarios }: LiveWorld, when: string): NonNullable<Passed["restless"]> {
  const rules = scenarios.names.flatMap((name) => scenarios.rulesOf(name));
  const rule = rules.sort((left, right) => right.fired - left.fired).at(0);
  const name = rule?.name ? `rule "${rule.name}"` : "the rule";
  const who = rule && rule.fired > 0 ? `: ${name} at ${rule.at} has acted ${rule.fired} times` : "";
  return { at: rule?.at ?? null, detail: `${when}, there was still more to come${who}` };
}
