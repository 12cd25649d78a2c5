/** The readiness report for people at a terminal. */
import { styleText } from "node:util";
import { visible } from "../../../domain/words/visible.ts";
import type { ReadinessCheck, ReadinessReport } from "../report.ts";
import { tally, verdictWords } from "./summary.ts";

const SIGNS = {
  pass: ["green", "✓"],
  fail: ["red", "✗"],
  warn: ["yellow", "!"],
  not_observed: ["dim", "·"],
} as const;

/** This many ids are shown in a line. */
const SHOWN_IDS = 3;

/** Few failures can be made good, as by reading the list: the others stay on record. */
const ANEW = "What was seen stays, unless it can be made good later; reset the world to be judged anew after a fix.";

type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string;

/** @param colours whether the terminal shows any. */
export function prettyReport(report: ReadinessReport, { colours }: { colours: boolean }): string {
  // The caller has already checked the terminal.
  const paint: Paint = (colour, text) => (colours ? styleText(colour, text, { validateStream: false }) : text);
  const lines = report.checks.flatMap((check) => linesOf(check, paint));
  const [colour] = SIGNS[report.verdict];
  const whole = paint(colour, verdictWords[report.verdict].whole);
  return `${[...lines, "", tally(report), report.verdict === "fail" ? `${whole} ${ANEW}` : whole].join("\n")}\n`;
}

function linesOf(check: ReadinessCheck, paint: Paint): string[] {
  const { title, verdict, detail, advice, source } = check;
  const [colour, sign] = SIGNS[verdict];
  const head = `${paint(colour, sign)} ${verdict === "not_observed" ? paint("dim", title) : title}`;
  const lines = [`${head} ${paint("dim", `[${source}]`)}`, `  ${paint("dim", visible(detail))}`];
  if (advice !== "") lines.push(`  → ${advice}`, `  ${shownIds(check)}`);
  return lines;
}

function shownIds({ evidence, evidence_truncated: isTruncated }: ReadinessCheck): string {
  const rest = evidence.length - SHOWN_IDS;
  const more = isTruncated ? " and more" : rest > 0 ? ` and ${rest} more` : "";
  return `${evidence.slice(0, SHOWN_IDS).join(", ")}${more}`;
}
