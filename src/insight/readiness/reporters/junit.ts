/** The readiness report for CI: JUnit XML, a case for each check. */
import { type JunitOutcome, junitDocument } from "../../formats/junit.ts";
import type { ReadinessCheck, ReadinessReport } from "../report.ts";
import { tally } from "./summary.ts";

const SUITE = "readiness";

/** One XML document. Checks that were not observed are skipped; a warning passes, with its text as output. */
export function junitReport(report: ReadinessReport): string {
  const cases = report.checks.map((check) => ({
    className: `${SUITE}.${check.id}`,
    name: check.title,
    outcome: outcomeOf(check),
  }));
  return junitDocument([{ name: SUITE, cases, output: tally(report) }]);
}

function outcomeOf(check: ReadinessCheck): JunitOutcome {
  const { verdict, detail } = check;
  if (verdict === "pass") return { kind: "passed" };
  if (verdict === "not_observed") return { kind: "skipped", message: detail };
  const text = storyOf(check);
  return verdict === "warn" ? { kind: "passed", output: text } : { kind: "failed", message: detail, text };
}

function storyOf({ verdict, detail, advice, evidence, evidence_truncated, source }: ReadinessCheck): string {
  const ids = `${evidence.join(", ")}${evidence_truncated ? " and more" : ""}`;
  return `${verdict}: ${detail}\n${advice}\nEvidence: ${ids}\nSource: ${source}`;
}
