/** HMAC signatures of cash-outs and conversions (`D13`, `D14`). */
import { timingSafeEqual } from "node:crypto";
import { durationOf } from "../domain/durations.ts";
import { DomainError } from "../domain/errors.ts";
import { NONCE_WINDOW_MS } from "../domain/nonces.ts";
import { NONCE_USED } from "../domain/words/told-reasons.ts";
import type { Credential } from "../store/accounts.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import type { Incoming } from "./messages.ts";
import { type Proving, proveSignature } from "./proof.ts";
import { signatureSlip } from "./signature-slips.ts";
import { signatureOf } from "./signed-text.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const SIGNATURE_HEADERS = ["X-Signature", "X-Timestamp", "X-Nonce"];
/** The form of `X-Timestamp`, up to the year 9999, with which a clock ends; milliseconds have a digit more. */
export const UNIX_SECONDS = /^\d{1,12}$/;

/**
 * Checks the signature over the bytes as they came, and burns its nonce.
 * @throws {DomainError} MISSING_SIGNATURE, INVALID_SIGNATURE; a wrong HMAC alone is an authentication failure (`D18`).
 */
export function checkSignature(call: Proving, credential: Credential): void {
  const { operation, incoming } = call;
  const { "x-signature": signature, "x-timestamp": timestamp, "x-nonce": nonce } = incoming.headers;
  if (!signature || !timestamp || !nonce) throw missingSignature(incoming.headers);
  const formFault = formFaultOf(timestamp, nonce);
  const isRight = proveSignature(call, () =>
    sameText(signature, signatureOf(credential.signing_key, { timestamp, nonce, body: incoming.body })),
  );
  if (!isRight) {
    const rule = "X-Signature must be the lower-case hex HMAC-SHA256 of timestamp.nonce.body with the signing key.";
    const isUnexplained = formFault === null && !incoming.proof;
    const signed = { signature, timestamp, nonce, body: incoming.body };
    const slip = isUnexplained && signatureSlip(signed, credential, operation.world);
    const hint = formFault ?? (slip ? `${rule} ${slip}` : rule);
    throw new DomainError("INVALID_SIGNATURE", undefined, { hint, authenticationFailure: true });
  }
  if (formFault !== null) throw new DomainError("INVALID_SIGNATURE", undefined, { hint: formFault });
  checkTime(operation, Number(timestamp), incoming.wallAt);
  useNonce(operation, credential, nonce.toLowerCase());
}

/** Names the missing headers, unless all three are missing: then the call is not signed at all. */
function missingSignature(headers: Incoming["headers"]): DomainError {
  const missing = SIGNATURE_HEADERS.filter((name) => !headers[name.toLowerCase()]);
  const [first, second, third] = missing;
  const some = second ? `The headers ${first} and ${second} are missing.` : `The header ${first} is missing.`;
  return new DomainError("MISSING_SIGNATURE", third ? undefined : some, {
    hint: "X-Signature, X-Timestamp and X-Nonce are all needed.",
  });
}

/** What is wrong with timestamp or nonce, whatever the HMAC; null where nothing is. */
function formFaultOf(timestamp: string, nonce: string): string | null {
  if (!UNIX_SECONDS.test(timestamp)) return "X-Timestamp must be Unix seconds.";
  return UUID_V4.test(nonce) ? null : "X-Nonce must be a UUID v4.";
}

/**
 * Checks the timestamp against the world's clock or the wall clock, whichever is nearer, unless a setting names one.
 * The tolerance is inclusive (`D13`).
 * @throws {DomainError} INVALID_SIGNATURE.
 */
function checkTime({ world, now }: Operation, seconds: number, wallAt: number): void {
  const { signature_clock: clock, signature_tolerance: tolerance } = world.settings;
  const clocks = [clock !== "wall" ? now : null, clock !== "world" ? wallAt : null].filter((at) => at !== null);
  const apart = Math.min(...clocks.map((at) => Math.abs(Math.floor(at / 1000) - seconds)));
  if (apart * 1000 <= durationOf(tolerance)) return;
  throw new DomainError("INVALID_SIGNATURE", undefined, {
    hint: `X-Timestamp is ${apart} s off ${clockWords(world)}; ${tolerance} are accepted.`,
  });
}

/** Which clock counts, and how fast that of the world runs where this is faster than a signer expects. */
function clockWords({ settings: { signature_clock: which }, clock: { mode, speed } }: World): string {
  if (which === "wall") return "the wall clock";
  const pace = mode === "running" && speed > 1 ? `, which runs ${speed} times as fast as real time` : "";
  const own = `the clock of this world${pace}`;
  return which === "world" ? own : `the nearer of the wall clock and ${own}`;
}

function useNonce({ world, now }: Operation, credential: Credential, nonce: string): void {
  const usedAt = world.protections.nonceUsedAt(credential.client_id, nonce);
  if (usedAt !== undefined && now < usedAt + NONCE_WINDOW_MS) {
    throw new DomainError("INVALID_SIGNATURE", undefined, { hint: NONCE_USED });
  }
  world.protections.burnNonce(credential.client_id, nonce, now);
}

function sameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
