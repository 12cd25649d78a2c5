/** Attempts to deliver a webhook that somebody asked for, beside those of its schedule. */

interface Attempt {
  readonly manual: boolean;
  readonly outcome: string | null;
}

/**
 * The attempt by hand that a re-delivery answers with: the last that has ended. One of the schedule may have begun after
 * it, whose answer is still awaited.
 */
export function endedByHand<Made extends Attempt>(attempts: readonly Made[]): Made | undefined {
  return attempts.findLast(({ manual, outcome }) => manual && outcome !== null);
}
