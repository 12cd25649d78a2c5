/** The table of the README, between two marks, from the figures of a run. */
import { withBetween } from "../../src/pages/markdown.ts";
import { busyLine, cellsOf, HEAD, machineLine, RATIO_NOTE, type Report } from "./report.ts";

const BEGIN = "<!-- bench: begin; npm run bench -- --readme writes what follows -->";
const END = "<!-- bench: end -->";

/** A README with the table of a run in the place of the one before. @throws {Error} when it has no such place. */
export function withTable(readme: string, report: Report): string {
  return withBetween(readme, BEGIN, END, readmeTable(report));
}

function readmeTable(report: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const lines = [
    `Measured on ${report.date.slice(0, 10)}: ${machineLine(report)}; ${report.machine.places}. ${RATIO_NOTE} ${busyLine(report)}`.trimEnd(),
    "",
    line(HEAD),
    line(HEAD.map(() => "---")),
    ...report.rows.map((row) => line(cellsOf(row))),
  ];
  return lines.join("\n");
}
