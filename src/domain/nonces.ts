/** The nonces of signed calls. */

/** `X-Nonce` must be unique for 5 minutes (Authentication, 3). */
export const NONCE_WINDOW_MS = 300_000;
