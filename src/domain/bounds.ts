/** Bounds shared by the command line, `startSandbox`, the control interface and scenario files. */

/** Maximum speed of a world's clock: seconds of the world per real second. */
export const MAX_SPEED = 1_000_000;

/** The greatest port that there is. */
export const MAX_PORT = 65_535;

/** Items on a page of a list of the control interface, unless a call says otherwise. */
export const PAGE_ITEMS = 100;

/** The most items of such a page. */
export const MAX_PAGE_ITEMS = 1_000;

/** Default limit on the whole of a webhook request, in real time (CONST-08). */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** The longest webhook timeout that may be set. */
export const MAX_WEBHOOK_TIMEOUT_MS = 600_000;

/** The most webhook requests that may be set to run at a time. */
export const MAX_WEBHOOK_CONCURRENCY = 1_000;
