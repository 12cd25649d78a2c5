/** What the readiness report says of single calls. */
import { isSandboxAgent } from "../../domain/sandbox-agents.ts";
import type { PlacedCall } from "../../store/logged-calls.ts";
import type { World } from "../../world/world.ts";
import { readinessChecks } from "./checks.ts";
import { evidenceOfCalls } from "./evidence.ts";

/** A call is judged together with this many calls before and after it. */
const NEIGHBOURS = 1_000;

/** What is read of a call that is listed. */
type ListedCall = Pick<PlacedCall, "headers" | "position">;

/** A remark on a call. */
export interface CallFinding {
  readonly check: string;
  readonly verdict: "fail" | "warn";
  readonly advice: string;
}

/** Findings by request id, for calls in their order. */
export function findingsIn(world: World, calls: readonly ListedCall[]): ReadonlyMap<string, readonly CallFinding[]> {
  const findings = new Map<string, CallFinding[]>();
  for (const { first, last } of stretchesOf(calls.filter(isJudged))) {
    const evidence = evidenceOfCalls(world, Math.max(0, first - 1 - NEIGHBOURS), last + NEIGHBOURS);
    for (const { id, advice, judge } of readinessChecks) {
      const { verdict, evidence: ids } = judge(evidence);
      if (verdict !== "fail" && verdict !== "warn") continue;
      for (const requestId of ids) {
        findings.set(requestId, [...(findings.get(requestId) ?? []), { check: id, verdict, advice }]);
      }
    }
  }
  return findings;
}

const isJudged = ({ headers }: ListedCall) => !isSandboxAgent(headers["user-agent"]);

/** Calls with common neighbours are judged at once; calls far apart are not, to leave out those between them. */
function stretchesOf(calls: readonly ListedCall[]): { first: number; last: number }[] {
  const stretches: { first: number; last: number }[] = [];
  for (const { position } of calls) {
    const latest = stretches.at(-1);
    if (latest && position - latest.last <= 2 * NEIGHBOURS) latest.last = position;
    else stretches.push({ first: position, last: position });
  }
  return stretches;
}
