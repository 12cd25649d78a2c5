/** As many ids as `/report` names for each check: there may be more. */
const MOST_NAMED = 20;

/** What is said before the ids of a check: where there are as many as are named, that these are the first. */
export function leadOf(evidence: readonly string[]): string | null {
  return evidence.length < MOST_NAMED ? null : `the first ${evidence.length}:`;
}
