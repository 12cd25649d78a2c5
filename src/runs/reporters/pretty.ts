/** Reports a run for people: the timeline on the world's clock, and each expectation with its verdict. */
import { styleText } from "node:util";
import { counted } from "../../domain/words/counted.ts";
import { oneLine, visible } from "../../domain/words/visible.ts";
import type { RemarkedResult } from "../remarks.ts";
import type { JudgedExpectation, RunResult, TimelineEntry } from "../run.ts";
import { mark } from "./mark.ts";

/** Colours a text, and makes its control characters visible. */
type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string;

const SIGNS = { pass: ["green", "✓"], fail: ["red", "✗"], pending: ["yellow", "…"] } as const;

/** Kinds of entries that say nothing that others do not. */
const SILENT = ["control"];

/** The report of a run. @param colours whether the terminal shows colours. */
export function prettyRun(result: RemarkedResult, { colours }: { colours: boolean }): string {
  const paint: Paint = (colour, text) => (colours ? styleText(colour, visible(text)) : visible(text));
  const [colour, sign] = SIGNS[result.verdict];
  const title = `${paint(colour, sign)} ${paint("bold", result.name)} ${paint("dim", result.file)}`;
  const lines = [title, ...timelineLines(result.timeline, (text) => paint("dim", text))];
  for (const expectation of result.expectations) lines.push(...expectationLines(expectation, paint));
  for (const remark of result.remarks) lines.push(`  ${paint("yellow", "!")} ${visible(oneLine(remark))}`);
  return `${lines.join("\n")}\n`;
}

/** The verdict on all runs, in one line. */
export function prettyVerdict(results: readonly RunResult[]): string {
  const failed = results.filter(({ verdict }) => verdict === "fail").length;
  const count = counted(results.length, "scenario");
  return failed === 0 ? `${count}, all as expected.\n` : `${count}, ${failed} not as expected.\n`;
}

function timelineLines(timeline: readonly TimelineEntry[], dim: (text: string) => string): string[] {
  let day = "";
  return timeline
    .filter(({ kind }) => !SILENT.includes(kind))
    .flatMap((entry) => {
      const { at, text, rule } = entry;
      const begins = at.slice(0, 10) === day ? [] : [dim(`  ${at.slice(0, 10)}`)];
      day = at.slice(0, 10);
      const why = rule && !text.includes(rule) ? dim(` ${rule}`) : "";
      const name = mark(entry);
      const which = name && dim(name);
      return [...begins, `  ${dim(at.slice(11, 23))} ${visible(oneLine(text))}${which}${why}`];
    });
}

function expectationLines({ at, text, verdict, detail }: JudgedExpectation, paint: Paint): string[] {
  const [colour, sign] = SIGNS[verdict];
  const line = `  ${paint(colour, sign)} ${visible(oneLine(text))}`;
  return verdict === "pass"
    ? [line]
    : [
        `${line} ${paint("dim", at)}`,
        ...visible(detail)
          .split("\n")
          .map((part) => `    ${part}`),
      ];
}
