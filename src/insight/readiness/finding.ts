/** What a check of the readiness report comes to. */

/** What a check comes to; `not_observed` where the world has seen nothing to judge by (interface, section 6). */
export type ReadinessVerdict = "pass" | "fail" | "warn" | "not_observed";

/** What a check found. Evidence are ids of requests and webhooks. */
export interface Finding {
  readonly verdict: ReadinessVerdict;
  readonly evidence: readonly string[];
  /** What was seen, in one sentence. */
  readonly detail: string;
}

/** Nothing was seen that could be judged. */
export function unobserved(detail: string): Finding {
  return { verdict: "not_observed", evidence: [], detail };
}

/** Nothing is to be had of a receiver of production but refusals. */
export function unobservedInProduction(): Finding {
  return unobserved("The setting receiver_environment is production: what a sandbox sends is to be refused there.");
}
