/** The readiness report for CI: JUnit XML, a case for each check. */
import { escapedMarkup as escaped } from "../../markup.ts";
import type { ReadinessCheck, ReadinessReport } from "../report.ts";
import { countOf, tally } from "./summary.ts";

const SUITE = "readiness";

/** One XML document. What was not observed is skipped, a warning passes with what is to be said about it. */
export function junitReport(report: ReadinessReport): string {
  const { checks } = report;
  const [failures, skipped] = [countOf(report, "fail"), countOf(report, "not_observed")];
  const counts = `tests="${checks.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const cases = checks.map(testCase).join("");
  const output = `    <system-out>${escaped(tally(report))}</system-out>\n`;
  const suite = `  <testsuite name="${SUITE}" ${counts}>\n${cases}${output}  </testsuite>\n`;
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${declaration}\n<testsuites name="payments-sandbox" ${counts}>\n${suite}</testsuites>\n`;
}

function testCase(check: ReadinessCheck): string {
  const { id, title, verdict, detail } = check;
  const head = `    <testcase classname="${SUITE}.${escaped(id)}" name="${escaped(title)}"`;
  if (verdict === "pass") return `${head}/>\n`;
  if (verdict === "not_observed") return `${head}><skipped message="${escaped(detail)}"/></testcase>\n`;
  const told = escaped(storyOf(check));
  if (verdict === "warn") return `${head}><system-out>${told}</system-out></testcase>\n`;
  return `${head}><failure message="${escaped(detail)}">${told}</failure></testcase>\n`;
}

function storyOf({ verdict, detail, advice, evidence, source }: ReadinessCheck): string {
  return `${verdict}: ${detail}\n${advice}\nEvidence: ${evidence.join(", ")}\nSource: ${source}`;
}
