/** The changes that an exploration makes to the delivery of a webhook, as networks and retries do in real life. */
import { formatDuration } from "../../domain/durations.ts";
import { ATTEMPT_DELAYS_MS } from "../../domain/webhook-schedule.ts";
import type { Instant } from "../../world/instants.ts";

/** Identifies a webhook in any play of a scenario: its event, and its index (from 0) among those a rule can strike. */
export interface Target {
  readonly event: string;
  readonly nth: number;
}

/** One changed delivery. */
export type Change =
  /** Further copies are delivered right after it. */
  | { readonly kind: "repeated"; readonly target: Target; readonly copies: number }
  /** The receiver gets and answers it, but its first answers are lost, so that it is retried by the retry table. */
  | { readonly kind: "unheard"; readonly target: Target; readonly answers: number }
  /** It is held back until just after a later one. */
  | { readonly kind: "late"; readonly target: Target; readonly delayMs: number };

/** Changes of one play, at most one for a webhook, in the order of the webhooks. */
export type Plan = readonly Change[];

const MAX_COPIES = 2;

/** With one more lost answer, the webhook would be given up. */
const MAX_LOST_ANSWERS = ATTEMPT_DELAYS_MS.length - 1;

/** How many of the next instants with webhooks a late one may be moved behind. */
const MAX_OVERTAKING = 3;

/** The longest delay: as long as all retries of a webhook take. */
const LONGEST_DELAY_MS = ATTEMPT_DELAYS_MS.reduce<number>((sum, delayMs) => sum + delayMs, 0);

/**
 * All possible changes of a webhook, the mildest of each kind first.
 * @param later instants of the webhooks that come after it, in order.
 */
export function changesOf(target: Target, at: Instant, later: Iterable<Instant>): Change[] {
  return [
    ...upTo(MAX_COPIES).map((copies) => ({ kind: "repeated", target, copies }) as const),
    ...upTo(MAX_LOST_ANSWERS).map((answers) => ({ kind: "unheard", target, answers }) as const),
    ...[...delaysBehind(at, later)].map((delayMs) => ({ kind: "late", target, delayMs }) as const),
  ];
}

/**
 * Changes simpler than the given one: milder ones of its kind and, instead of lost answers, a single copy.
 * @param all all changes of the same webhook.
 */
export function simplerThan(change: Change, all: readonly Change[]): Change[] {
  const same = all.filter(({ kind }) => kind === change.kind);
  const milder = same.slice(0, same.map(keyOf).indexOf(keyOf(change)));
  return change.kind === "unheard" ? [...all.slice(0, 1), ...milder] : milder;
}

/** A unique key of a change. */
export function keyOf(change: Change): string {
  return JSON.stringify(change);
}

/** A unique key of a target. */
export function targetKey({ event, nth }: Target): string {
  return `${event} ${nth}`;
}

/** A change in words, as the rest of a sentence that begins with its webhook. */
export function changeWords(change: Change): string {
  if (change.kind === "repeated") return `is delivered ${change.copies === 1 ? "twice" : `${change.copies + 1} times`}`;
  if (change.kind === "late") return `is delivered ${formatDuration(change.delayMs)} late`;
  const which = change.answers === 1 ? "the first answer is" : `the first ${change.answers} answers are`;
  return `is delivered ${change.answers === 1 ? "again" : `${change.answers} times more`}: ${which} lost`;
}

/** The delays that move a webhook just behind one of the next instants with webhooks. */
function delaysBehind(at: Instant, later: Iterable<Instant>): Set<number> {
  const delays = new Set<number>();
  for (const instant of later) {
    const aheadMs = instant - at;
    if (aheadMs > LONGEST_DELAY_MS || delays.size === MAX_OVERTAKING) break;
    delays.add(aheadMs + 1);
  }
  return delays;
}

function upTo(maximum: number): number[] {
  return Array.from({ length: maximum }, (_value, index) => index + 1);
}
