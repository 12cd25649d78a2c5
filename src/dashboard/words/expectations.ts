/** What a scenario expects: what can be judged as it is served, and what only a run of its file can tell. */
import type { Expectation } from "../wire/answers.ts";

/** What is said of an expectation that names an answer which the merchant of the file would have saved. */
const OF_THE_SCRIPT = /^\$\{[^}]*\}: nothing is saved as /;

/**
 * Separates expectations. A merchant's script is played when its file is run, not when it is served: if one expectation
 * waits for the script, all that are still open do.
 */
export function partedByRun(expectations: readonly Expectation[]): {
  readonly judged: readonly Expectation[];
  readonly whenRun: readonly Expectation[];
} {
  const hasScript = expectations.some(({ detail }) => detail !== null && OF_THE_SCRIPT.test(detail));
  const waits = ({ verdict }: Expectation) => hasScript && verdict === "pending";
  return { judged: expectations.filter((one) => !waits(one)), whenRun: expectations.filter(waits) };
}
