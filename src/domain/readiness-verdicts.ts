/** TABLE: the verdicts of a check of the readiness report, the worst first (interface, section 6). */
export const readinessVerdicts = ["fail", "warn", "pass", "not_observed"] as const;

/** The verdict of a check; `not_observed` if the world has seen nothing to judge by. */
export type ReadinessVerdict = (typeof readinessVerdicts)[number];
