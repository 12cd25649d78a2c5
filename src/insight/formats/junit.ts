/** JUnit XML, which CI systems read test results from. */
import { escapedMarkup as escaped } from "./markup.ts";

/** The outcome of a test case; a passed one may have output too. */
export type JunitOutcome =
  | { readonly kind: "passed"; readonly output?: string }
  | { readonly kind: "skipped"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string; readonly text: string };

/** One test case. */
export interface JunitCase {
  readonly className: string;
  readonly name: string;
  readonly outcome: JunitOutcome;
}

/** Cases that belong together, with output about all of them. */
export interface JunitSuite {
  readonly name: string;
  readonly file?: string;
  readonly cases: readonly JunitCase[];
  readonly output: string;
}

/** One XML document for all suites. */
export function junitDocument(suites: readonly JunitSuite[]): string {
  const counts = countsOf(suites.flatMap(({ cases }) => cases));
  const all = suites.map(suiteElement).join("");
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${declaration}\n<testsuites name="payments-sandbox" ${counts}>\n${all}</testsuites>\n`;
}

function suiteElement({ name, file, cases, output }: JunitSuite): string {
  const place = file === undefined ? "" : ` file="${escaped(file)}"`;
  const head = `  <testsuite name="${escaped(name)}"${place} ${countsOf(cases)}>\n`;
  return `${head}${cases.map(caseElement).join("")}    ${outputElement(output)}\n  </testsuite>\n`;
}

function countsOf(cases: readonly JunitCase[]): string {
  const count = (kind: JunitOutcome["kind"]) => cases.filter(({ outcome }) => outcome.kind === kind).length;
  return `tests="${cases.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}"`;
}

function caseElement({ className, name, outcome }: JunitCase): string {
  const head = `    <testcase classname="${escaped(className)}" name="${escaped(name)}"`;
  const told = outcomeElement(outcome);
  return told === "" ? `${head}/>\n` : `${head}>${told}</testcase>\n`;
}

function outcomeElement(outcome: JunitOutcome): string {
  if (outcome.kind === "passed") return outcome.output === undefined ? "" : outputElement(outcome.output);
  const message = `message="${escaped(outcome.message)}"`;
  return outcome.kind === "skipped"
    ? `<skipped ${message}/>`
    : `<failure ${message}>${escaped(outcome.text)}</failure>`;
}

function outputElement(text: string): string {
  return `<system-out>${escaped(text)}</system-out>`;
}
