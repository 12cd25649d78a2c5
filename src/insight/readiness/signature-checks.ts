/** How calls are signed. */

import { NONCE_WINDOW_MS } from "../../domain/nonces.ts";
import { counted } from "../../domain/words/counted.ts";
import { type Call, idsOf, waitedMs } from "./calls.ts";
import type { Evidence } from "./evidence.ts";
import { type Finding, unobserved } from "./finding.ts";

/** A signed call whose nonce an earlier call had. */
interface Reuse {
  readonly call: Call;
  /** Time since a rightly signed call used it up (`D14`); null if none had. */
  readonly usedUpForMs: number | null;
}

/** Every signed call has a nonce of its own (X-Nonce). */
export function judgeNonces({ calls }: Evidence): Finding {
  const signed = calls.filter(isSigned);
  if (signed.length < 2) return unobserved("Fewer than two calls were signed.");
  const reuses = reusesIn(signed);
  const forbidden = reuses.filter(({ usedUpForMs: ms }) => ms !== null && ms < NONCE_WINDOW_MS);
  if (forbidden.length > 0) {
    const detail = `${counted(forbidden.length, "call")} used a nonce again within five minutes.`;
    return { verdict: "fail", evidence: idsOf(forbidden.map(({ call }) => call)), detail };
  }
  if (reuses.length > 0) {
    const detail = `${counted(reuses.length, "call")} used a nonce again, though no rightly signed call had used it within five minutes.`;
    return { verdict: "warn", evidence: idsOf(reuses.map(({ call }) => call)), detail };
  }
  return { verdict: "pass", evidence: idsOf(signed), detail: `${signed.length} signed calls had one of their own.` };
}

/** Signatures are right (ERR-01, ERR-02). */
export function judgeSignatures({ calls }: Evidence): Finding {
  const usedUp = reusesIn(calls.filter(isSigned)).filter(({ usedUpForMs }) => usedUpForMs !== null);
  const reused = new Set(usedUp.map(({ call }) => call));
  // A call that is right except for a nonce that was used up is left to the check of nonces.
  const wrong = calls.filter((call) => isRefusedFor(call) && !(call.signature && reused.has(call)));
  const right = calls.filter((call) => call.signature === true && !isRefusedFor(call));
  if (wrong.length > 0) {
    const detail = `${counted(wrong.length, "call")} signed wrongly or not at all, ${right.length} rightly.`;
    return { verdict: "fail", evidence: idsOf(wrong), detail };
  }
  if (right.length === 0) return unobserved("No call that needs a signature was made.");
  return { verdict: "pass", evidence: idsOf(right), detail: `${counted(right.length, "call")} signed rightly.` };
}

/** Whether the service got as far as checking the signature of a call. */
function isSigned({ signature, nonce }: Call): boolean {
  return signature !== null && nonce !== null;
}

function isRefusedFor({ error_code, struck }: Call): boolean {
  return struck === null && (error_code === "MISSING_SIGNATURE" || error_code === "INVALID_SIGNATURE");
}

function reusesIn(signed: readonly Call[]): Reuse[] {
  /** By nonce: the last call that used it up; null if it was only tried. */
  const seen = new Map<string, Call | null>();
  const reuses: Reuse[] = [];
  for (const call of signed) {
    const key = `${call.client_id} ${call.nonce?.toLowerCase()}`;
    const before = seen.get(key);
    if (before !== undefined) reuses.push({ call, usedUpForMs: before && waitedMs(before, call) });
    const usesUp = call.signature && !isRefusedFor(call);
    seen.set(key, usesUp ? call : (before ?? null));
  }
  return reuses;
}
