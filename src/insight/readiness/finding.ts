/** The outcome of a check of the readiness report. */
import type { ReadinessVerdict } from "../../domain/readiness-verdicts.ts";

/** What a check found; `evidence` are ids of requests and webhooks. */
export interface Finding {
  readonly verdict: ReadinessVerdict;
  readonly evidence: readonly string[];
  /** What was seen, in one sentence. */
  readonly detail: string;
}

/** For a check that has seen nothing to judge. */
export function unobserved(detail: string): Finding {
  return { verdict: "not_observed", evidence: [], detail };
}

/** For checks that a production receiver, which refuses everything, gives nothing to judge by. */
export function unobservedInProduction(): Finding {
  return unobserved("The setting receiver_environment is production: what a sandbox sends is to be refused there.");
}
