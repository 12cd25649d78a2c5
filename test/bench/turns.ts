/** Contestants take turns, so that what disturbs the machine disturbs all of them; figures are medians of rounds. */
import { median } from "./figures.ts";
import type { Turn } from "./timed.ts";

/** What is measured beside others. */
export interface Contestant {
  readonly name: string;
  /** @param round those up to 0 warm up and do not count. */
  readonly turn: (round: number) => Promise<Turn>;
}

/** The turns of a contestant, one a round. */
export interface Series {
  readonly name: string;
  readonly turns: readonly Turn[];
}

/** Rounds until all code that matters is compiled: the sandbox has more of it than the yardsticks have. */
export const UNTIL_COMPILED = 4;

/**
 * Has all take a turn in every round, in an order that is turned round from one to the next.
 * @param warmUps rounds before those that count.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  rounds: number,
  warmUps: number,
): Promise<Series[]> {
  const turns = contestants.map((): Turn[] => []);
  for (let round = 1 - warmUps; round <= rounds; round++) {
    const order = [...contestants.keys()];
    if (round % 2 !== 0) order.reverse();
    for (const index of order) {
      const turn = await contestants[index]?.turn(round);
      if (turn && round > 0) turns[index]?.push(turn);
    }
  }
  return contestants.map(({ name }, index) => ({ name, turns: turns[index] ?? [] }));
}

/** What is read from a turn; null where the system does not tell. */
export type Reading = (turn: Turn) => number | null;

export const perSecond: Reading = ({ count, seconds }) => count / seconds;
export const perCpuSecond: Reading = ({ count, cpuSeconds }) => (cpuSeconds === null ? null : count / cpuSeconds);
export const seconds: Reading = (turn) => turn.seconds;
export const cpuOf: Reading = (turn) => turn.cpuSeconds;
/** How much of its core the measured program had, 0 to 1. */
export const ownCore: Reading = (turn) => (turn.cpuSeconds === null ? null : turn.cpuSeconds / turn.seconds);
export const p99: Reading = ({ p99Ms }) => p99Ms ?? null;
export const helperBusy: Reading = (turn) => turn.helperBusy ?? null;

/** The median of a reading; NaN where there is none. */
export function middle({ turns }: Series, reading: Reading): number {
  return median(turns.map(reading).filter((value) => value !== null));
}

/** The median of the ratios of a reading, round by round; null where the system does not tell. */
export function ratioOf(of: Series, to: Series, reading: Reading): number | null {
  const ratios = of.turns.flatMap((turn, round) => {
    const other = to.turns[round];
    const [value, unit] = [reading(turn), other ? reading(other) : null];
    return value === null || unit === null ? [] : [value / unit];
  });
  return ratios.length > 0 ? median(ratios) : null;
}
