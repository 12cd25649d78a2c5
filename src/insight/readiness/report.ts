/** The readiness report: the merchant's integration judged by what it did in this world (interface, section 6). */
import { type ReadinessVerdict, readinessVerdicts } from "../../domain/readiness-verdicts.ts";
import type { World } from "../../world/world.ts";
import { readinessChecks } from "./checks.ts";
import { evidenceOf } from "./evidence.ts";
import type { Finding } from "./finding.ts";

/** A check with its verdict, and advice on that. */
export interface ReadinessCheck extends Finding {
  readonly id: string;
  readonly title: string;
  /** Present only if there is more evidence than is named. */
  readonly evidence_truncated?: true;
  /** What to do; empty where there is nothing to do. */
  readonly advice: string;
  /** Where the specification says so: headings, each with the number or row below it. */
  readonly source: string;
}

/** All checks; the verdict is the worst of what was observed. */
export interface ReadinessReport {
  readonly verdict: ReadinessVerdict;
  readonly checks: readonly ReadinessCheck[];
}

/** Most evidence that one check shows. */
const MAX_EVIDENCE = 20;

/** Judges what has happened in a world so far. */
export function readinessOf(world: World): ReadinessReport {
  const evidence = evidenceOf(world);
  const checks = readinessChecks.map(({ id, title, advice, source, judge }): ReadinessCheck => {
    const { verdict, detail, evidence: ids } = judge(evidence);
    const isFine = verdict === "pass" || verdict === "not_observed";
    return { id, title, verdict, detail, ...named(ids), advice: isFine ? "" : advice, source };
  });
  return { verdict: worstOf(checks.map(({ verdict }) => verdict)), checks };
}

function named(ids: readonly string[]): Pick<ReadinessCheck, "evidence" | "evidence_truncated"> {
  if (ids.length <= MAX_EVIDENCE) return { evidence: ids };
  return { evidence: ids.slice(0, MAX_EVIDENCE), evidence_truncated: true };
}

/** One failure makes an integration unready; what was not seen says nothing. */
function worstOf(verdicts: readonly ReadinessVerdict[]): ReadinessVerdict {
  return readinessVerdicts.find((verdict) => verdicts.includes(verdict)) ?? "not_observed";
}
