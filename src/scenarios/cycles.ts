import type { Instant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";

/** How often a rule may be its own cause at one instant. */
const MAX_TURNS = 100;

/**
 * How often a rule may act because of itself at one instant, in total over everything that follows from one call or
 * timer: a circle that does two things in each turn would grow exponentially before it reached {@link MAX_TURNS}.
 */
const MAX_ACTS = 500;

/** The most counters kept for one instant: while a clock stands still, each call may begin a circle. */
const MOST_COUNTED = 10_000;

/** Detects rules that set each other off for ever without time passing. */
export class Circles {
  /** How often each rule has acted because of itself at the present instant, by the first cause and the rule. */
  readonly #acts = new Map<string, number>();
  #now: Instant | null = null;

  /**
   * Counts an act of the rule at `at`, if it has caused itself.
   * @returns null if it may act; else, to stop it, the rules that led here at the present instant, oldest first.
   * @param times the rule's own limit, if any: up to {@link MAX_ACTS}, it may act that often, as its circle then ends.
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

/** How often a rule is among the causes at this instant, the rules in between, and the first entry of the chain. */
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

/** Causes, newest first. An entry that this operation has yet to write is followed by the operation's first cause. */
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
