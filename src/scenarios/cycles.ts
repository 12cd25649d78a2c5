import type { Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";

/** As often as one rule may be its own cause at one instant. */
const MAX_TURNS = 100;

/**
 * As often as one rule may act at one instant because of itself, all that follows from one call or timer taken
 * together: a circle that does two things in each turn would grow without end before it came to its last turn.
 */
const MAX_ACTS = 500;

/** So many are counted at one instant: where a clock stands still, each call may begin a circle. */
const MOST_COUNTED = 10_000;

/** Rules that set each other off for ever without time passing. */
export class Circles {
  /** How often each rule has acted because of itself at the present instant, by what began it. */
  readonly #acts = new Map<string, number>();
  #now: Instant | null = null;

  /**
   * The rules that led here at the present instant, oldest first, where the rule at `at` is among them too often; null
   * where it may act.
   * @param times as often as it acts at most: with that its circle comes to an end by itself.
   */
  chainOf(operation: Operation, at: string, times = 0): string[] | null {
    const { turns, chain, root } = turnsOf(operation, at);
    if (turns === 0) return null;
    if (this.#now !== operation.now) this.#acts.clear();
    this.#now = operation.now;
    const key = `${root} ${at}`;
    const acts = (this.#acts.get(key) ?? 0) + 1;
    this.#acts.set(key, acts);
    const [oldest] = this.#acts.size > MOST_COUNTED ? this.#acts.keys() : [];
    if (oldest !== undefined) this.#acts.delete(oldest);
    const mostTurns = Math.max(MAX_TURNS, Math.min(times, MAX_ACTS));
    return turns >= mostTurns || acts > MAX_ACTS ? chain : null;
  }
}

/** How often a rule is among the causes at this instant, the rules on the way, and the entry that it all began with. */
function turnsOf(operation: Operation, at: string): { turns: number; chain: string[]; root: number } {
  const chain: string[] = [];
  let [turns, root] = [0, 0];
  for (const entry of causesAtThisInstant(operation)) {
    root = entry.sequence;
    if (entry.kind !== "rule.fired" || entry.rule === null) continue;
    if (entry.rule === at) turns++;
    if (turns > 0 && !chain.includes(entry.rule)) chain.unshift(entry.rule);
  }
  return { turns, chain, root };
}

/** Causes from the newest on. An entry that this operation has yet to write stands for the cause it began with. */
function* causesAtThisInstant({ world, now, cause, origin }: Operation) {
  let next = cause;
  let begun = false;
  while (next !== null) {
    const entry = world.entry(next);
    if (!entry && begun) return;
    if (!entry) {
      begun = true;
      next = origin;
      continue;
    }
    if (entry.at !== now) return;
    yield entry;
    next = entry.cause;
  }
}
