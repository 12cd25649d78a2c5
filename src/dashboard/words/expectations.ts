/** What a scenario expects: what can be judged as it is served, and what only a run of its file can tell. */
import type { Expectation } from "../wire/answers.ts";

/**
 * Separates expectations. A merchant's script is played when its file is run, not when it is served: if one expectation
 * waits for the script, all that are still open do.
 */
export function partedByRun(expectations: readonly Expectation[]): {
  readonly judged: readonly Expectation[];
  readonly whenRun: readonly Expectation[];
} {
  const hasScript = expectations.some(({ needs_run }) => needs_run);
  const waits = ({ verdict }: Expectation) => hasScript && verdict === "pending";
  return { judged: expectations.filter((one) => !waits(one)), whenRun: expectations.filter(waits) };
}
