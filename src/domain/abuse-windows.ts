/** Windows and lengths of abuse blocks (Abuse blocking, `D16`, `D18`), in milliseconds. */

/** Authentication failures of an address are counted over 5 minutes. */
export const FAILURES_MS = 300_000;

/** After five of them it is blocked for 5 minutes. */
export const ADDRESS_BLOCK_MS = 300_000;

/** Refusals of a credential are counted over a minute. */
export const REFUSALS_MS = 60_000;
