/** Which occurrences a rule acts on, of those that it matches: `skip`, `times`, `chance`, `from` and `until`. */
import { z } from "zod";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import { wholeNumberField } from "../service/input.ts";
import { type Instant, parseInstant } from "../world/instants.ts";
import type { World } from "../world/world.ts";

const MAX_COUNT = 1_000_000_000;

const chance = z
  .string({ error: "must be a percentage such as 10%" })
  .regex(/^(\d{1,2}(\.\d+)?|100)%$/, { error: "must be a percentage such as 10%" });

/** An instant, or a time from when the scenario was loaded: `2026-01-01T12:00:00Z`, `+10m`. */
export const momentField = z
  .string({ error: `must be an instant or + and a duration (${DURATION_EXAMPLES})` })
  .refine((text) => momentOf(text, 0) !== null, {
    error: `must be an instant such as 2026-01-01T12:00:00Z, or + and a duration (${DURATION_EXAMPLES})`,
  });

/** Fields of every rule's filters. */
export const filterFields = {
  skip: wholeNumberField(0, MAX_COUNT).optional(),
  times: wholeNumberField(1, MAX_COUNT).optional(),
  chance: chance.optional(),
  from: momentField.optional(),
  until: momentField.optional(),
} as const;

export type Filters = { readonly [Name in keyof typeof filterFields]?: z.infer<(typeof filterFields)[Name]> };

/** How often a rule has matched and acted so far. */
export interface Counters {
  readonly matched: number;
  readonly fired: number;
}

/** The instant that a moment means for what was loaded at `since`; null where the text is none. */
export function momentOf(text: string, since: Instant): Instant | null {
  if (!text.startsWith("+")) return parseInstant(text);
  const durationMs = parseDuration(text.slice(1));
  return durationMs === null ? null : since + durationMs;
}

/** Whether the present instant lies in a rule's window; `until` is not part of it (`D26a`). */
export function isOpen({ from, until }: Filters, since: Instant, now: Instant): boolean {
  const begins = from === undefined ? null : momentOf(from, since);
  const ends = until === undefined ? null : momentOf(until, since);
  return (begins === null || now >= begins) && (ends === null || now < ends);
}

/**
 * Whether a rule acts on the occurrence that it matches now.
 * @param purpose whom its chances are drawn for.
 */
export function fires(world: World, { skip = 0, times, chance }: Filters, counters: Counters, purpose: string) {
  const within = counters.matched >= skip && counters.fired < (times ?? Number.POSITIVE_INFINITY);
  if (!within || chance === undefined) return within;
  return world.random.fraction(purpose, counters.matched) < Number(chance.slice(0, -1)) / 100;
}
