/** What an exploration does to the delivery of a webhook: what a network and a retrying sender do to it in real life. */
import { formatDuration } from "../../domain/durations.ts";
import { ATTEMPT_DELAYS_MS } from "../../webhooks/schedule.ts";
import type { Instant } from "../../world/instants.ts";

/** A webhook of a scenario, whatever the seed: the how-manieth of its event, from 0, that a delivery rule can strike. */
export interface Target {
  readonly event: string;
  readonly nth: number;
}

/** One webhook delivered otherwise. */
export type Change =
  /** Further copies come right behind it. */
  | { readonly kind: "repeated"; readonly target: Target; readonly copies: number }
  /** The receiver gets and answers it, but its first answers are lost: it comes again as the retry table says. */
  | { readonly kind: "unheard"; readonly target: Target; readonly answers: number }
  /** It is held back until just behind a later one. */
  | { readonly kind: "late"; readonly target: Target; readonly delayMs: number };

/** Changes of one play, at most one for a webhook, in the order of the webhooks. */
export type Plan = readonly Change[];

const MAX_COPIES = 2;

/** With one more it would be given up. */
const MAX_LOST_ANSWERS = ATTEMPT_DELAYS_MS.length - 1;

/** A webhook changes places with so many of those that come next. */
const MAX_OVERTAKING = 3;

/** No webhook comes later than this by itself: so long its retries last. */
const LONGEST_DELAY_MS = ATTEMPT_DELAYS_MS.reduce<number>((sum, delayMs) => sum + delayMs, 0);

/**
 * All changes of a webhook that there are, the mildest of each kind first.
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
 * Changes that tell a simpler story than the one given: a milder one of its kind, and a mere copy for a lost answer.
 * @param all those of its webhook.
 */
export function simplerThan(change: Change, all: readonly Change[]): Change[] {
  const same = all.filter(({ kind }) => kind === change.kind);
  const milder = same.slice(0, same.map(keyOf).indexOf(keyOf(change)));
  return change.kind === "unheard" ? [...all.slice(0, 1), ...milder] : milder;
}

/** Tells changes apart. */
export function keyOf(change: Change): string {
  return JSON.stringify(change);
}

/** Tells targets apart. */
export function targetKey({ event, nth }: Target): string {
  return `${event} ${nth}`;
}

/** What a change does, as the end of a sentence that begins with its webhook. */
export function changeWords(change: Change): string {
  if (change.kind === "repeated") return `is delivered ${change.copies === 1 ? "twice" : `${change.copies + 1} times`}`;
  if (change.kind === "late") return `is delivered ${formatDuration(change.delayMs)} late`;
  const which = change.answers === 1 ? "the first answer is" : `the first ${change.answers} answers are`;
  return `is delivered ${change.answers === 1 ? "again" : `${change.answers} times more`}: ${which} lost`;
}

/** How long it is to be held back to come just behind one of the next; those of one instant are one. */
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
