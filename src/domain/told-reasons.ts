/**
 * Reasons of refusals that are told in a message or hint and read again from there, by an explanation: what a call was
 * refused for is kept nowhere else.
 */

/** Hint of a signed call whose nonce was used before (`D14`). */
export const NONCE_USED = "X-Nonce was used within the last 5 minutes.";

/** Hint of a call with a token that has ended. @param endedAt, @param now as `2026-01-01T12:00:00.000Z`. */
export function tokenEnded(endedAt: string, now: string): string {
  return `The token ended at ${endedAt} on the clock of this world, which stands at ${now}: get another.`;
}

/** When the token ended that a hint tells of; undefined where it tells of none. */
export function tokenEndIn(hint: string): string | undefined {
  return /The token ended at (\S+) on the clock of this world/.exec(hint)?.[1];
}

const BLOCKED = "The credential is blocked for too many refused requests";

/** Message of a call of a credential that is blocked (`D16`). */
export function credentialBlocked(seconds: number): string {
  return `${BLOCKED}; wait ${seconds} s.`;
}

/** Whether a message is that one. */
export function isOfCredentialBlock(message: string): boolean {
  return message.startsWith(BLOCKED);
}

/** Windows that limits are counted in. */
const limitWindows = ["daily", "monthly"] as const;

/** A window that limits are counted in. */
export type LimitWindow = (typeof limitWindows)[number];

/** Message of an operation for which a window has not enough left. @param limit, @param rest as `150.00`. */
export function limitUsedUp(window: LimitWindow, limit: string, currency: string, rest: string): string {
  return `${beginningOf(window)} of ${limit} ${currency}: ${rest}.`;
}

/** The window that was used up as a message tells it; undefined where it tells of none. */
export function limitWindowIn(message: string): LimitWindow | undefined {
  return limitWindows.find((window) => message.startsWith(beginningOf(window)));
}

const beginningOf = (window: LimitWindow) => `The amount is above what is left of the ${window} limit`;
