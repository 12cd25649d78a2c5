/** How a run lets time pass: in stretches, so that it tells how far it has come, and ends where nothing comes to rest. */
import type { LiveWorld } from "../host/live-world.ts";
import type { AdvanceTarget } from "../world/advance.ts";
import { formatInstant, LAST_INSTANT } from "../world/instants.ts";

/** How long a run goes on, and who hears of it. */
export interface Patience {
  /** A world that has not come to rest after so many timers never will; 250000 unless given. */
  readonly timersToRest?: number;
  /** Told from time to time how far a long run has come. */
  readonly onProgress?: (progress: { at: string; timers: number }) => void;
}

/** Runs as many timers between two looks at how far it has come. */
const STRETCH = 1_000;

/** A world that has not come to rest after so many timers will not: some rules set each other off for ever. */
const MAX_TIMERS_TO_REST = 250_000;

/** Up to an instant there may be more, as long as their history can be told. */
const MAX_TIMERS_TO_INSTANT = 2_000_000;

/** What passing time came to. */
export interface Passed {
  readonly reached: boolean;
  /** Where there was still more to come after as many timers as it may take: what keeps the world busy. */
  readonly restless: { readonly at: string | null; readonly detail: string } | null;
}

/** Lets time pass in a world. @param target where it aims, as an advance of the clock does. */
export async function passTime(live: LiveWorld, target: AdvanceTarget, patience: Patience): Promise<Passed> {
  const aim = fixed(target, live);
  const most = aim.kind === "to" ? MAX_TIMERS_TO_INSTANT : (patience.timersToRest ?? MAX_TIMERS_TO_REST);
  for (let timers = STRETCH; ; timers += STRETCH) {
    const { reached, to, timers: ran } = await live.runner.advance(aim, { maxTimers: STRETCH });
    if (reached || ran < STRETCH) return { reached, restless: null };
    const at = formatInstant(to);
    if (timers >= most) return { reached, restless: busiest(live, `after ${timers} timers, at ${at}`) };
    patience.onProgress?.({ at, timers });
  }
}

/** A duration counts from where the first stretch begins. */
function fixed(target: AdvanceTarget, { world }: LiveWorld): AdvanceTarget {
  if (target.kind !== "by") return target;
  return { kind: "to", instant: Math.min(world.clock.now() + target.durationMs, LAST_INSTANT) };
}

/** The rule that has acted most. */
function busiest({ scenarios }: LiveWorld, when: string): NonNullable<Passed["restless"]> {
  const rules = scenarios.names.flatMap((name) => scenarios.rulesOf(name));
  const rule = rules.sort((left, right) => right.fired - left.fired).at(0);
  const name = rule?.name ? `rule "${rule.name}"` : "the rule";
  const who = rule && rule.fired > 0 ? `: ${name} at ${rule.at} has acted ${rule.fired} times` : "";
  return { at: rule?.at ?? null, detail: `${when}, there was still more to come${who}` };
}
