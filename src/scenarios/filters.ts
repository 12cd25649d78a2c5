/** Filters that decide on which of its matches a rule acts: `skip`, `times`, `chance`, `from` and `until`. */

import { z } from "zod";
import { DURATION_EXAMPLES, parseDuration } from "../domain/durations.ts";
import type { Path } from "../domain/path.ts";
import type { Plain } from "../domain/plain-values.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { wholeNumberField } from "../service/input.ts";
import { formatInstant, INSTANT_EXAMPLE, type Instant, parseInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { wordOf } from "./file-values.ts";
import type { FindingAtKey } from "./findings.ts";
import { DURATION_FORM, durationMeant, INSTANT_FORM, instantMeant, tooLongWords } from "./time-fields.ts";

const MAX_COUNT = 1_000_000_000;

const CHANCE = /^(\d{1,2}(\.\d+)?|100(\.0+)?)%$/;

const chance = z
  .string({ error: ({ input }) => chanceWords(input) })
  .regex(CHANCE, { error: ({ input }) => chanceWords(input) });

function chanceWords(given: unknown): string {
  const text = wordOf(given).replace(/\s/g, "");
  const share = /^0?\.\d+$/.test(text) ? `${Number((Number(text) * 100).toFixed(6))}%` : "";
  const meant = [share, `${text}%`, text].find((candidate) => CHANCE.test(candidate));
  return `must be a percentage such as 10%${asQuestion(meant ?? null)}`;
}

/** An instant, or a time after the scenario was loaded: `2026-01-01T12:00:00Z`, `+10m`. */
export const momentField = z
  .string({ error: ({ input }) => momentWords(input) })
  .refine((text) => momentOf(text, 0) !== null, { error: ({ input }) => momentWords(input) })
  .meta({ pattern: `^([+](${DURATION_FORM})|${INSTANT_FORM})$`, examples: ["+10m", INSTANT_EXAMPLE] });

function momentWords(given: unknown): string {
  const duration = durationMeant(given);
  const meant = instantMeant(given) ?? (duration === null ? null : `+${duration}`);
  const words = `must be an instant such as ${INSTANT_EXAMPLE}, or + and a duration (${DURATION_EXAMPLES})`;
  return tooLongWords(given) ?? words + asQuestion(meant);
}

/** Fields of every rule's filters. */
export const filterFields = {
  skip: wholeNumberField(0, MAX_COUNT).optional().meta({ description: "Lets this many matches go by first." }),
  times: wholeNumberField(1, MAX_COUNT).optional().meta({ description: "Acts this often at most." }),
  chance: chance
    .optional()
    .meta({ description: "Acts on this share of its matches, by seeded chance.", examples: ["10%"] }),
  from: momentField.optional().meta({ description: "Acts from then on: an instant, or that long after the loading." }),
  until: momentField.optional().meta({ description: "Acts before then: an instant, or that long after the loading." }),
} as const;

/** The filters of one rule, as written in its file. */
export type Filters = { readonly [Name in keyof typeof filterFields]?: z.infer<(typeof filterFields)[Name]> };

/** Identifies a rule for its counters and its random draws. */
export interface CountedRule {
  readonly scenario: string;
  /** Its place in the scenario. */
  readonly index: number;
  /** A unique key of the rule: for drawing chances, and for grouping held webhooks. */
  readonly key: string;
  /** The instant from which moments such as `+10m` count. */
  readonly since: Instant;
}

/** The instant of a moment, for a rule loaded at `since`; null if the text is no moment. */
export function momentOf(text: string, since: Instant): Instant | null {
  if (!text.startsWith("+")) return parseInstant(text);
  const durationMs = parseDuration(text.slice(1));
  return durationMs === null ? null : since + durationMs;
}

/**
 * Whether a moment certainly comes no later than another.
 * @param since when the rule begins; unless it is known, an instant and a time after that cannot be compared.
 */
export function isBy(moment: unknown, other: unknown, since: Instant | null = null): boolean {
  if (typeof moment !== "string" || typeof other !== "string") return false;
  if (since === null && moment.startsWith("+") !== other.startsWith("+")) return false;
  const [first, second] = [momentOf(moment, since ?? 0), momentOf(other, since ?? 0)];
  return first !== null && second !== null && first <= second;
}

/** Finds a window that never opens, as it is over before it begins. @param since when the rule begins, if known. */
export function* checkWindow(
  path: Path,
  { from, until, for: lasts }: Plain,
  since: Instant | null = null,
): Generator<FindingAtKey> {
  const lasting = `+${wordOf(lasts)}`;
  if (isBy(until, "+0s", since)) {
    const when = since === null ? "when the rule begins" : `by now, ${formatInstant(since)}`;
    yield { path, key: "until", message: `until ${until} is over ${when}: the rule never acts` };
  } else if (isBy(until, from, since)) {
    yield { path, key: "until", message: `until ${until} is not after from ${from}: the rule never acts` };
  }
  if (isBy(lasting, "+0s")) {
    yield { path, key: "for", message: `for ${lasts} is over at once: the rule never acts` };
  } else if (isBy(lasting, from, since)) {
    yield { path, key: "from", message: `from ${from} comes when for ${lasts} is over: the rule never acts` };
  }
}

/** Whether the present instant lies in a rule's window, which excludes `until` itself (`D26a`). */
export function isOpen({ from, until }: Filters, since: Instant, now: Instant): boolean {
  const begins = from === undefined ? null : momentOf(from, since);
  const ends = until === undefined ? null : momentOf(until, since);
  return (begins === null || now >= begins) && (ends === null || now < ends);
}

/** Counts a match of a rule; outside its window, nothing is a match. @returns whether the rule acts on it. */
export function countMatch({ world, now }: Operation, filters: Filters, rule: CountedRule): boolean {
  if (!isOpen(filters, rule.since, now)) return false;
  const acts = fires(world, filters, rule);
  world.scenarios.count(rule.scenario, rule.index, acts);
  return acts;
}

/** Whether a rule will act on its next match, given the instant of that. */
export function willAct(world: World, filters: Filters, rule: CountedRule, at: Instant): boolean {
  return isOpen(filters, rule.since, at) && fires(world, filters, rule);
}

function fires(world: World, { skip = 0, times, chance }: Filters, { scenario, index, key }: CountedRule): boolean {
  const { matched, fired } = world.scenarios.counters(scenario, index);
  const within = matched >= skip && fired < (times ?? Number.POSITIVE_INFINITY);
  if (!within || chance === undefined) return within;
  return world.random.fraction(key, matched) < shareOf(chance);
}

/** The share that a percentage stands for. */
export function shareOf(chance: string): number {
  return Number(chance.slice(0, -1)) / 100;
}
