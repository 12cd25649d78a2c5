/** Whether calls that move money can be repeated without harm, and are. */
import { counted } from "../../domain/words/counted.ts";
import { canonicalJson } from "../../service/idempotency.ts";
import { type Call, hasCome, idsOf, mayHaveBeenDone, waitedMs } from "./calls.ts";
import type { Evidence } from "./evidence.ts";
import { type Finding, unobserved } from "./finding.ts";

/** Calls whose repetition pays twice; several charges of the same amount are nothing unusual. */
const PAYING = ["/v2/transactions/cashout", "/v2/internal_transfers/payment", "/v2/conversions/new"];

/** A caller that retries does so within this time, in milliseconds. */
const RETRIED_WITHIN_MS = 60_000;

/** Calls that move money carry an `external_id` (TX-04). */
export function judgeExternalIds({ calls }: Evidence): Finding {
  const moving = calls.filter((call) => call.fields !== null && (mayHaveBeenDone(call) || call.status === 429));
  if (moving.length === 0) return unobserved("No call that moves money was made.");
  const without = moving.filter(({ external_id }) => external_id === null);
  if (without.length === 0) {
    return { verdict: "pass", evidence: idsOf(moving), detail: `${counted(moving.length, "call")} had one.` };
  }
  const detail = `${without.length} of ${counted(moving.length, "call")} to move money had none.`;
  return { verdict: "fail", evidence: idsOf(without), detail };
}

/** A retry carries the same `external_id` and the same body (ERR-12). */
export function judgeRetries({ calls }: Evidence): Finding {
  const repeated: Call[] = [];
  const changed: Call[] = [];
  /** By account and external id: the last call that may have been carried out. */
  const done = new Map<string, Call>();
  for (const call of calls) {
    if (call.fields === null || call.external_id === null) continue;
    const key = keyOf(call);
    const before = done.get(key);
    if (isChange(before, call)) changed.push(call);
    else if (before && mayHaveBeenDone(call)) repeated.push(call);
    if (mayHaveBeenDone(call)) done.set(key, call);
  }
  if (changed.length > 0) {
    const detail = `${counted(changed.length, "call")} used an external_id again for something else.`;
    return { verdict: "fail", evidence: idsOf(changed), detail };
  }
  const renamed = [...renamedIn(calls).keys()];
  if (renamed.length > 0) {
    const detail = `${counted(renamed.length, "call")} repeated one whose outcome was not known, under a new external_id.`;
    return { verdict: "warn", evidence: idsOf(renamed), detail };
  }
  if (repeated.length === 0) return unobserved("No call that moves money was repeated.");
  return { verdict: "pass", evidence: idsOf(repeated), detail: "What was repeated was the same to the last field." };
}

/** Whether a call asks for something else under an external id that may be in use. */
function isChange(before: Call | undefined, call: Call): boolean {
  // A rule that injects the refusal proves nothing.
  if (call.error_code === "DUPLICATE_EXTERNAL_ID") return call.struck !== "error" && call.struck !== "status";
  if (!before || !mayHaveBeenDone(call)) return false;
  return before.path !== call.path || canonicalJson(before.fields) !== canonicalJson(call.fields);
}

const known = new WeakMap<readonly Call[], ReadonlyMap<Call, Call>>();

/**
 * Payments that equal one of unknown outcome except for the external id, unless the earlier id is tried again as well,
 * or the new one was in use before.
 * @returns by such a payment, the one that it repeats; the first of them, where it repeats one that was a repeat itself.
 */
export function renamedIn(calls: readonly Call[]): ReadonlyMap<Call, Call> {
  // Two checks ask, and it takes seconds for a hundred thousand payments.
  const renamed = known.get(calls) ?? findRenamed(calls);
  known.set(calls, renamed);
  return renamed;
}

function findRenamed(calls: readonly Call[]): ReadonlyMap<Call, Call> {
  const unknown = new Map<string, Call>();
  const renamed: { readonly call: Call; readonly of: Call }[] = [];
  /** By account and external id: the first call. */
  const seen = new Map<string, Call>();
  const again = new Set<string>();
  for (const call of calls) {
    if (call.fields === null || call.external_id === null || !PAYING.includes(call.path)) continue;
    const key = keyOf(call);
    const first = seen.get(key) ?? call;
    if (first === call) seen.set(key, call);
    else again.add(key);
    const isOpen = isUnknown(call);
    if (unknown.size === 0 && !isOpen) continue;
    const order = `${call.username} ${call.path} ${canonicalJson({ ...call.fields, external_id: null })}`;
    const before = unknown.get(order);
    if (before && isRenamed(before, call) && first.position > before.position) renamed.push({ call, of: before });
    // One that is refused under its own id, if late, tells nothing of the payment before it.
    if (before && !mayHaveBeenDone(call)) continue;
    if (isOpen) unknown.set(order, call);
    else unknown.delete(order);
  }
  const firsts = new Map<Call, Call>();
  for (const { call, of } of renamed) if (!again.has(keyOf(of))) firsts.set(call, firsts.get(of) ?? of);
  return firsts;
}

/** Whether the caller may not know what became of a call: its answer was lost, cut, or may not be waited for. */
function isUnknown(call: Call): boolean {
  return call.status >= 500 || call.struck === "latency" || (!hasCome(call) && mayHaveBeenDone(call));
}

/** Whether a call repeats a payment under another external id. Several workers may mean to pay the same twice. */
function isRenamed(before: Call, call: Call): boolean {
  if (before.in_company || call.in_company || !mayHaveBeenDone(call)) return false;
  // The answer came late, but the caller may have waited for it.
  if (before.struck === "latency" && call.wall_at - before.wall_at >= before.duration_ms) return false;
  return before.external_id !== call.external_id && waitedMs(before, call) < RETRIED_WITHIN_MS;
}

function keyOf({ username, external_id }: Call): string {
  return `${username} ${external_id}`;
}
