/** TABLE: the statuses of an account; calls of one under review are answered `SECURITY_BLOCKED` (`D46`). */
export const accountStatuses = ["active", "under_review"] as const;

/** The status of an account. */
export type AccountStatus = (typeof accountStatuses)[number];
