/** Reports runs for CI as JUnit XML, with a suite for each scenario and a case for each expectation. */
import { oneLine } from "../../domain/words/visible.ts";
import { type JunitCase, type JunitSuite, junitDocument } from "../../insight/formats/junit.ts";
import type { RemarkedResult } from "../remarks.ts";
import type { JudgedExpectation } from "../run.ts";
import { mark } from "./mark.ts";

/** One XML document for all runs. */
export function junitRuns(results: readonly RemarkedResult[]): string {
  return junitDocument(results.map(suiteOf));
}

function suiteOf({ name, file, expectations, timeline, remarks }: RemarkedResult): JunitSuite {
  const lines = timeline.map((entry) => `${entry.at} ${oneLine(entry.text)}${mark(entry)}`);
  const story = [...lines, ...remarks.map((remark) => `! ${oneLine(remark)}`)];
  const cases = expectations.map((expectation) => caseOf(name, expectation));
  return { name, file, cases, output: story.join("\n") };
}

function caseOf(scenario: string, { at, text, verdict, detail }: JudgedExpectation): JunitCase {
  const failed = { kind: "failed", message: detail, text: `${at}: ${detail}` } as const;
  return { className: scenario, name: oneLine(text), outcome: verdict === "pass" ? { kind: "passed" } : failed };
}
