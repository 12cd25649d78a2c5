/** Whether calls that move money can be repeated without harm, and are. */
import { counted } from "../../domain/counted.ts";
import { canonicalJson } from "../../service/idempotency.ts";
import { type Call, idsOf, mayHaveBeenDone } from "./calls.ts";
import type { Evidence } from "./evidence.ts";
import { type Finding, unobserved } from "./finding.ts";

/** Calls that move money carry an `external_id` (TX-04). */
export function judgeExternalIds({ calls }: Evidence): Finding {
  const moving = calls.filter((call) => call.fields !== null && (mayHaveBeenDone(call) || call.status === 429));
  if (moving.length === 0) return unobserved("No call that moves money was made.");
  const without = moving.filter(({ external_id }) => external_id === null);
  if (without.length === 0) {
    return { verdict: "pass", evidence: idsOf(moving), detail: `${counted(moving.length, "call")} had one.` };
  }
  const detail = `${without.length} of ${counted(moving.length, "call")} that move money had none.`;
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
    const key = `${call.username} ${call.external_id}`;
    const before = done.get(key);
    if (isChange(before, call)) changed.push(call);
    else if (before && mayHaveBeenDone(call)) repeated.push(call);
    if (mayHaveBeenDone(call)) done.set(key, call);
  }
  if (changed.length > 0) {
    const detail = `${counted(changed.length, "call")} used an external_id again for something else.`;
    return { verdict: "fail", evidence: idsOf(changed), detail };
  }
  if (repeated.length === 0) return unobserved("No call that moves money was repeated.");
  return { verdict: "pass", evidence: idsOf(repeated), detail: "What was repeated was the same to the last field." };
}

/** Whether a call asks for something else under an external id that may be in use. */
function isChange(before: Call | undefined, call: Call): boolean {
  if (call.error_code === "DUPLICATE_EXTERNAL_ID") return call.struck === null;
  if (!before || !mayHaveBeenDone(call)) return false;
  return before.path !== call.path || canonicalJson(before.fields) !== canonicalJson(call.fields);
}
