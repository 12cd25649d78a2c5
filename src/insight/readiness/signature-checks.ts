/** How calls are signed. */
import { counted } from "../../domain/counted.ts";
import { NONCE_WINDOW_MS } from "../../domain/nonces.ts";
import { type Call, idsOf, waitedMs } from "./calls.ts";
import type { Evidence } from "./evidence.ts";
import { type Finding, unobserved } from "./finding.ts";

/** A signed call whose nonce a rightly signed call had used before. */
interface Reuse {
  readonly call: Call;
  readonly waitedMs: number;
}

/** Every signed call has a nonce of its own (X-Nonce). */
export function judgeNonces({ calls }: Evidence): Finding {
  const signed = calls.filter(isSigned);
  if (signed.length < 2) return unobserved("Fewer than two calls were signed.");
  const reuses = reusesIn(signed);
  const forbidden = reuses.filter((reuse) => reuse.waitedMs < NONCE_WINDOW_MS);
  if (forbidden.length > 0) {
    const detail = `${counted(forbidden.length, "call")} used a nonce again within five minutes.`;
    return { verdict: "fail", evidence: idsOf(forbidden.map(({ call }) => call)), detail };
  }
  if (reuses.length > 0) {
    const detail = `${counted(reuses.length, "call")} used a nonce again, though not within five minutes.`;
    return { verdict: "warn", evidence: idsOf(reuses.map(({ call }) => call)), detail };
  }
  return { verdict: "pass", evidence: idsOf(signed), detail: `${signed.length} signed calls had one of their own.` };
}

/** Signatures are right (ERR-01, ERR-02). */
export function judgeSignatures({ calls }: Evidence): Finding {
  const reused = new Set(reusesIn(calls.filter(isSigned)).map(({ call }) => call));
  // One that is right, but for its nonce, is a matter of that alone.
  const wrong = calls.filter((call) => isRefusedFor(call) && !(call.signature && reused.has(call)));
  const right = calls.filter((call) => call.signature === true && !isRefusedFor(call));
  if (wrong.length > 0) {
    const detail = `${counted(wrong.length, "call")} signed wrongly or not at all, ${right.length} rightly.`;
    return { verdict: "fail", evidence: idsOf(wrong), detail };
  }
  if (right.length === 0) return unobserved("No call that needs a signature was made.");
  return { verdict: "pass", evidence: idsOf(right), detail: `${counted(right.length, "call")} signed rightly.` };
}

/** Whether the service has come to look at the signature of a call. */
function isSigned({ signature, nonce }: Call): boolean {
  return signature !== null && nonce !== null;
}

function isRefusedFor({ error_code, struck }: Call): boolean {
  return struck === null && (error_code === "MISSING_SIGNATURE" || error_code === "INVALID_SIGNATURE");
}

/** A nonce is used up by a call whose signature is right (`D14`). */
function reusesIn(signed: readonly Call[]): Reuse[] {
  const used = new Map<string, Call>();
  const reuses: Reuse[] = [];
  for (const call of signed) {
    const key = `${call.client_id} ${call.nonce?.toLowerCase()}`;
    const before = used.get(key);
    if (before) reuses.push({ call, waitedMs: waitedMs(before, call) });
    if (call.signature) used.set(key, call);
  }
  return reuses;
}
