/** Runs for CI: JUnit XML, a suite for each scenario, a case for each expectation. */
import { escapedMarkup as escaped } from "../../insight/markup.ts";
import type { RemarkedResult } from "../remarks.ts";
import type { JudgedExpectation } from "../run.ts";

/** One XML document for all runs. */
export function junitRuns(results: readonly RemarkedResult[]): string {
  const all = results.flatMap(({ expectations }) => expectations);
  const counts = `tests="${all.length}" failures="${all.filter(isFailure).length}"`;
  const suites = results.map(suite).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="payments-sandbox" ${counts}>\n${suites}</testsuites>\n`;
}

function suite({ name, file, expectations, timeline, remarks }: RemarkedResult): string {
  const counts = `tests="${expectations.length}" failures="${expectations.filter(isFailure).length}"`;
  const cases = expectations.map((expectation) => testCase(name, expectation)).join("");
  const story = [...timeline.map(({ at, text }) => `${at} ${text}`), ...remarks.map((remark) => `! ${remark}`)].join(
    "\n",
  );
  const output = `    <system-out>${escaped(story)}</system-out>\n`;
  return `  <testsuite name="${escaped(name)}" file="${escaped(file)}" ${counts}>\n${cases}${output}  </testsuite>\n`;
}

function testCase(scenario: string, { at, text, verdict, detail }: JudgedExpectation): string {
  const head = `    <testcase classname="${escaped(scenario)}" name="${escaped(text)}"`;
  if (verdict === "pass") return `${head}/>\n`;
  const failure = `<failure message="${escaped(detail)}">${escaped(`${at}: ${detail}`)}</failure>`;
  return `${head}>${failure}</testcase>\n`;
}

function isFailure({ verdict }: JudgedExpectation): boolean {
  return verdict !== "pass";
}
