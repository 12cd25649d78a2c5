/** Rules that set each other off for ever without time passing. */
import type { Operation } from "../world/operation.ts";

/** As often as one rule may be its own cause at one instant. */
const MAX_TURNS = 100;

/**
 * The rules that led here at the present instant, oldest first, where the rule at `at` is among them too often; null
 * where it may act.
 */
export function cycleOf(operation: Operation, at: string): string[] | null {
  const chain: string[] = [];
  let turns = 0;
  for (const entry of causesAtThisInstant(operation)) {
    if (entry.kind !== "rule.fired" || entry.rule === null) continue;
    if (entry.rule === at) turns++;
    if (turns > 0 && !chain.includes(entry.rule)) chain.unshift(entry.rule);
  }
  return turns >= MAX_TURNS ? chain : null;
}

/** Causes from the newest on. An entry that this operation has yet to write stands for the cause it began with. */
function* causesAtThisInstant({ world, now, cause, origin }: Operation) {
  let next = cause;
  let begun = false;
  while (next !== null) {
    const entry = world.journal.get(next);
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
