import { Command } from "commander";
import { counted } from "../../domain/words/counted.ts";
import { visible } from "../../domain/words/visible.ts";
import type { Problem } from "../../scenarios/problems.ts";
import { allNamed, namesakesIn, problemsIn, warningsIn } from "../scenario-files/named-scenarios.ts";
import { print } from "../terminal.ts";

/** `payments-sandbox check FILE…`: validates scenarios, and shows where each problem is. */
export function checkCommand(): Command {
  return new Command("check")
    .description("validate scenario files")
    .argument("<file...>", "files, folders or names of shipped scenarios")
    .option("--json", "print the problems and warnings as JSON")
    .action((files: string[], options: { json?: boolean }) => check(files, options));
}

/** Exit 1 for problems; warnings are printed and do not count. */
function check(names: readonly string[], options: { json?: boolean }): void {
  const scenarios = allNamed(names);
  const { problems, count } = problemsIn(scenarios);
  const warnings = [...warningsIn(scenarios), ...namesakesIn(scenarios)];
  const marked = warnings.map((warning) => ({ ...warning, message: `warning: ${warning.message}` }));
  const places = [...problems, ...marked].map(describe).join("");
  const verdict = `${counted(scenarios.length, "file")} checked, ${verdictOf(count, warnings.length)}.\n`;
  print({ ok: problems.length === 0, files: scenarios.length, problems, warnings }, places + verdict, options);
  if (problems.length > 0) process.exitCode = 1;
}

function verdictOf(problems: number, warnings: number): string {
  const found = [
    ...(problems > 0 ? [counted(problems, "problem")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ];
  return found.join(", ") || "all fine";
}

/** `file:line:column: what`, the line itself, and a caret below the place. */
function describe({ file, line, column, message, excerpt, caret }: Problem): string {
  const margin = `${line} | `;
  // Tabs are kept, so that the caret's line is indented like the line above it.
  const before = visible(excerpt.slice(0, Math.max(0, caret - 1))).replace(/[^\t]/g, " ");
  return `${file}:${line}:${column}: ${message}\n${margin}${excerpt}\n${" ".repeat(margin.length)}${before}^\n`;
}
