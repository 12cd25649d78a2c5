/** TABLE: what an account may be; under review its calls are answered `SECURITY_BLOCKED` (`D46`). */
export const accountStatuses = ["active", "under_review"] as const;

/** One of them. */
export type AccountStatus = (typeof accountStatuses)[number];
