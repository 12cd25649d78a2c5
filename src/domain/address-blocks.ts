/** Blocks of callers' addresses. */

/** After five authentication failures an address is blocked for 5 minutes (Abuse, `D18`). */
export const ADDRESS_BLOCK_MS = 300_000;
