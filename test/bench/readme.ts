/** The table of the README, between two marks, from the figures of a run. */
import { busyLine, cellsOf, HEAD, machineLine, RATIO_NOTE, type Report } from "./report.ts";

const BEGIN = "<!-- bench: begin; npm run bench -- --readme writes what follows -->";
const END = "<!-- bench: end -->";

/** A README with the table of a run in the place of the one before. @throws {Error} when it has no such place. */
export function withTable(readme: string, report: Report): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`README.md has no place for the table, between ${BEGIN} and ${END}.`);
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${readmeTable(report)}\n${readme.slice(end)}`;
}

function readmeTable(report: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const lines = [
    `Measured on ${report.date.slice(0, 10)}: ${machineLine(report)}; ${report.machine.places}. ${RATIO_NOTE} ${busyLine(report)}`.trimEnd(),
    "",
    line(HEAD),
    line(HEAD.map(() => "---")),
    ...report.rows.map((row) => line(cellsOf(row))),
    "",
  ];
  return lines.join("\n");
}
