/** What all reporters say of a report as a whole. */
import { type ReadinessVerdict, readinessVerdicts } from "../../../domain/readiness-verdicts.ts";
import type { ReadinessReport } from "../report.ts";

/** TABLE: verdicts in words, and those on the whole integration. */
export const verdictWords: Readonly<Record<ReadinessVerdict, { readonly one: string; readonly whole: string }>> = {
  fail: { one: "failed", whole: "Not ready." },
  warn: { one: "with a warning", whole: "Ready, with warnings." },
  pass: { one: "passed", whole: "Ready, as far as it was seen." },
  not_observed: { one: "not observed", whole: "Nothing was seen that could be judged." },
};

/** How many checks came to a verdict. */
function countOf({ checks }: ReadinessReport, verdict: ReadinessVerdict): number {
  return checks.filter((check) => check.verdict === verdict).length;
}

/** `18 checks: 1 failed, 2 with a warning, 10 passed, 5 not observed.` */
export function tally(report: ReadinessReport): string {
  const counts = readinessVerdicts.map((verdict) => [countOf(report, verdict), verdictWords[verdict].one] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return `${report.checks.length} checks: ${parts.join(", ")}.`;
}
