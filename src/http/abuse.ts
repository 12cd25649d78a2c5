/** Abuse blocking, independent of the rate table: of addresses and of credentials (`D16` to `D18`). */
import { ADDRESS_BLOCK_MS, FAILURES_MS, REFUSALS_MS } from "../domain/abuse-windows.ts";
import { durationOf } from "../domain/durations.ts";
import { DomainError } from "../domain/errors.ts";
import { credentialBlocked } from "../domain/words/told-reasons.ts";
import { formatInstant } from "../world/instants.ts";
import { STRUCK_HINT } from "../world/interception.ts";
import type { Operation } from "../world/operation.ts";

/** Authentication failures per IP: 5 per 5 minutes, then blocked for 5 minutes (Abuse blocking). */
const ADDRESS = { failures: 5, windowMs: FAILURES_MS, blockMs: ADDRESS_BLOCK_MS };
/** 4xx errors per credential: 15 per minute (Abuse blocking). */
const CREDENTIAL = { errors: 15, windowMs: REFUSALS_MS };

/** No call leads there: only the control interface and scenarios blacklist an address (`D17`). */
const BLACKLISTED = "The address is on the list of blocked-ips, which the control interface and scenarios write.";

const ofAddress = (ip: string) => `ip:${ip}`;
const ofCredential = (clientId: string) => `credential:${clientId}`;

/** @throws {DomainError} IP_BLACKLISTED, IP_BLOCKED_TEMPORARILY. */
export function refuseBlockedAddress(operation: Operation, ip: string): void {
  const { world } = operation;
  if (world.protections.isBlacklisted(ip)) throw new DomainError("IP_BLACKLISTED", undefined, { hint: BLACKLISTED });
  const seconds = secondsBlocked(operation, ofAddress(ip));
  if (seconds === null) return;
  const message = `The address is blocked for another ${seconds} s.`;
  throw new DomainError("IP_BLOCKED_TEMPORARILY", message, { hint: message + endHint(world.clock.mode) });
}

/** @throws {DomainError} RATE_LIMIT_EXCEEDED while a credential is blocked. */
export function refuseBlockedCredential(operation: Operation, clientId: string): void {
  const refusal = blockOf(operation, clientId);
  if (refusal) throw refusal;
}

/** The refusal of a blocked credential, null if it is not blocked. It neither counts nor prolongs the block (`D16`). */
function blockOf(operation: Operation, clientId: string): DomainError | null {
  const retryAfterSeconds = secondsBlocked(operation, ofCredential(clientId));
  if (retryAfterSeconds === null) return null;
  const ends = endHint(operation.world.clock.mode);
  const hint = `The credential had ${CREDENTIAL.errors} refusals in a minute and is blocked.${ends}`;
  const message = credentialBlocked(retryAfterSeconds);
  return new DomainError("RATE_LIMIT_EXCEEDED", message, { retryAfterSeconds, hint, uncounted: true });
}

/** Seconds until a block ends, rounded up; null if there is none, or blocks are not enforced. */
function secondsBlocked({ world, now }: Operation, scope: string): number | null {
  const until = world.protections.blockedUntil(scope);
  if (until === undefined || now >= until || world.settings.protections !== "enforce") return null;
  return Math.ceil((until - now) / 1000);
}

/**
 * Counts an authentication failure of an address. The fifth within five minutes, or the fifth in a row where a setting
 * counts consecutive ones (`D18`), blocks it.
 */
export function countFailure(operation: Operation, ip: string): void {
  const { world, now } = operation;
  if (world.settings.protections === "off") return;
  const scope = ofAddress(ip);
  world.protections.addOffence(scope, now);
  const since = world.settings.auth_failures === "window" ? now - ADDRESS.windowMs : Number.MIN_SAFE_INTEGER;
  if (world.protections.offencesSince(scope, since) < ADDRESS.failures) return;
  const block = start(operation, scope, ADDRESS.blockMs);
  // The address stays out of the journal, which depends on nothing of the machine; the call that caused the entry has
  // it.
  operation.record("address.blocked", null, { failures: ADDRESS.failures, ...block });
}

/** Where only consecutive failures count, a success starts their count anew (`D18`). */
export function countSuccess({ world }: Operation, ip: string): void {
  if (world.settings.auth_failures === "consecutive") world.protections.clearOffences(ofAddress(ip));
}

/**
 * Counts a 4xx of a credential; the fifteenth within a minute blocks it for `credential_block`.
 * @returns the refusal, or that of the new block if the refusal would have the caller back before the block ends.
 */
export function countRefusal(operation: Operation, clientId: string, refusal: DomainError): DomainError {
  const { world, now } = operation;
  if (world.settings.protections === "off") return refusal;
  const scope = ofCredential(clientId);
  world.protections.addOffence(scope, now);
  if (world.protections.offencesSince(scope, now - CREDENTIAL.windowMs) < CREDENTIAL.errors) return refusal;
  const block = start(operation, scope, durationOf(world.settings.credential_block));
  operation.record("credential.blocked", clientId, { refusals: CREDENTIAL.errors, ...block });
  return later(refusal, blockOf(operation, clientId));
}

/**
 * The refusal with the longer wait. One that names no wait stays as it is. Either way the hint says which
 * fault rule struck, if one did.
 */
function later(refusal: DomainError, block: DomainError | null): DomainError {
  const [own, blocked] = [refusal, block].map((each) => each?.details.retryAfterSeconds);
  if (!block || own === undefined || blocked === undefined || blocked <= own) return refusal;
  const struck = refusal.details.hint?.startsWith(STRUCK_HINT) ? refusal.details.hint : undefined;
  const hint = [struck, block.details.hint].filter(Boolean).join(" ");
  return new DomainError(block.code, block.message, { ...block.details, hint });
}

/** Starts a block, and the count anew. @returns the block as the journal shows it. */
function start({ world, now }: Operation, scope: string, blockMs: number): { until: string; enforced: boolean } {
  const until = now + blockMs;
  world.protections.block(scope, until);
  world.protections.clearOffences(scope);
  return { until: formatInstant(until), enforced: world.settings.protections === "enforce" };
}

function endHint(mode: string): string {
  return mode === "frozen"
    ? " The clock of this world is frozen: the block ends when it is advanced."
    : " Advancing the clock of this world ends it sooner.";
}
