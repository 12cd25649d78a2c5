/** When faults were put on, which only the journal tells. */
import type { JournalEntry, Page } from "../wire/answers.ts";
import type { Control } from "../wire/control.ts";
import { type FaultRule, isRelative } from "../words/fault-rules.ts";
import { endOfList } from "./end-of-list.ts";

const PAGE_SIZE = 1_000;

/**
 * When each of these rules was put on; those are left out whose moments do not hang on it.
 * @param known a position that the journal is known to have come to.
 */
export async function timesOf(control: Control, rules: readonly FaultRule[], known: number) {
  const times = new Map<FaultRule, number>();
  const open = new Set(rules.filter(isRelative));
  if (open.size === 0) return times;
  const read = (after: number, limit: number) =>
    control.get<Page<JournalEntry>>(`/journal?cursor=${after}&limit=${limit}`);
  let position = await endOfList(read, known, PAGE_SIZE);
  while (position > 0 && open.size > 0) {
    const after = Math.max(0, position - PAGE_SIZE);
    const { items } = await read(after, position - after);
    for (const entry of items.toReversed()) {
      for (const rule of setBy(entry, [...open])) {
        times.set(rule, Date.parse(entry.at));
        open.delete(rule);
      }
    }
    position = after;
  }
  return times;
}

/** Which of these rules an entry tells of: a call puts all of its rules on at once, a step one before all others. */
function setBy({ kind, data, rule: place }: JournalEntry, rules: readonly FaultRule[]): readonly FaultRule[] {
  if (kind === "control" && data.call === "PUT /faults") return rules.filter(({ at }) => !at);
  if (kind !== "step" || data.action !== "fault") return [];
  return rules.filter(({ at }) => at === place).slice(0, 1);
}
