/** TABLE: how an attempt ends: answered 2xx, answered otherwise, or without a whole answer. */
export const attemptOutcomes = ["delivered", "refused", "failed"] as const;

/** The `outcome` of an attempt that has ended. */
export type AttemptOutcome = (typeof attemptOutcomes)[number];
