/**
 * Messages and hints that give the reason of a refusal, and their readers: an explanation takes the reason from these
 * texts, because it is stored nowhere else.
 */

import { NONCE_WINDOW_MS } from "../nonces.ts";

/** Hint of a signed call whose nonce was used before (`D14`). */
export const NONCE_USED = `X-Nonce was used within the last ${NONCE_WINDOW_MS / 60_000} minutes.`;

/** Hint of a call with an expired token. @param endedAt, @param now as `2026-01-01T12:00:00.000Z`. */
export function tokenEnded(endedAt: string, now: string): string {
  return `The token ended at ${endedAt} on the clock of this world, which shows ${now}: get another.`;
}

/** The end of the token that a hint of {@link tokenEnded} names; undefined for any other hint. */
export function tokenEndIn(hint: string): string | undefined {
  return /The token ended at (\S+) on the clock of this world/.exec(hint)?.[1];
}

const BLOCKED = "The credential is blocked for too many refused requests";

/** Message of a call with a blocked credential (`D16`). */
export function credentialBlocked(seconds: number): string {
  return `${BLOCKED}; wait ${seconds} s.`;
}

/** Whether a message is one of {@link credentialBlocked}. */
export function isOfCredentialBlock(message: string): boolean {
  return message.startsWith(BLOCKED);
}

/** The windows that limits are counted in. */
const limitWindows = ["daily", "monthly"] as const;

/** A window that limits are counted in. */
export type LimitWindow = (typeof limitWindows)[number];

/** Message of an operation whose amount exceeds what is left of a limit. @param limit, @param rest as `150.00`. */
export function limitUsedUp(window: LimitWindow, limit: string, currency: string, rest: string): string {
  return `${usedUpPrefix(window)} of ${limit} ${currency}: ${rest}.`;
}

/** The window that a message of {@link limitUsedUp} names; undefined for any other message. */
export function limitWindowIn(message: string): LimitWindow | undefined {
  return limitWindows.find((window) => message.startsWith(usedUpPrefix(window)));
}

const usedUpPrefix = (window: LimitWindow) => `The amount is above what is left of the ${window} limit`;
