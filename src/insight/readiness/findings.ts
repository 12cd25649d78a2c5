/** What the readiness report has to say of single calls. */
import type { World } from "../../world/world.ts";
import { readinessChecks } from "./checks.ts";
import { evidenceOfCalls } from "./evidence.ts";

/** A call is judged with so many others before and after it. */
const NEIGHBOURS = 1_000;

/** A remark on a call. */
export interface CallFinding {
  readonly check: string;
  readonly verdict: "fail" | "warn";
  readonly advice: string;
}

/** Findings by request id, for the calls at positions from `first` to `last`. */
export function findingsIn(world: World, first: number, last: number): ReadonlyMap<string, readonly CallFinding[]> {
  const evidence = evidenceOfCalls(world, Math.max(0, first - 1 - NEIGHBOURS), last + NEIGHBOURS);
  const findings = new Map<string, CallFinding[]>();
  for (const { id, advice, judge } of readinessChecks) {
    const { verdict, evidence: ids } = judge(evidence);
    if (verdict !== "fail" && verdict !== "warn") continue;
    for (const requestId of ids) {
      findings.set(requestId, [...(findings.get(requestId) ?? []), { check: id, verdict, advice }]);
    }
  }
  return findings;
}
