/** Bounds of what the command line, `startSandbox`, the control interface and scenario files take alike. */

/** Seconds of a world per real second, at most. */
export const MAX_SPEED = 1_000_000;

/** How long a webhook request may take in all, in real time, unless said otherwise (CONST-08). */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** The most that may be said. */
export const MAX_WEBHOOK_TIMEOUT_MS = 600_000;

/** Webhooks at a time, at most. */
export const MAX_WEBHOOK_CONCURRENCY = 1_000;
