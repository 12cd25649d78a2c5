/** `payments-sandbox check FILE…`: validates scenarios, with every fault's place. */
import { Command } from "commander";
import { visible } from "../domain/visible.ts";
import type { Problem } from "../scenarios/loader.ts";
import { namedScenarios, problemsIn } from "./named-scenarios.ts";

export function checkCommand(): Command {
  return new Command("check")
    .description("validate scenario files")
    .argument("<file...>", "files, folders or names of shipped scenarios")
    .option("--json", "print the problems as JSON")
    .action((files: string[], options: { json?: boolean }) => check(files, options.json === true));
}

function check(names: readonly string[], asJson: boolean): void {
  const scenarios = names.flatMap(namedScenarios);
  const problems = problemsIn(scenarios);
  if (asJson) {
    process.stdout.write(
      `${JSON.stringify({ ok: problems.length === 0, files: scenarios.length, problems }, null, 2)}\n`,
    );
  } else {
    for (const problem of problems) process.stdout.write(describe(problem));
    const verdict =
      problems.length === 0 ? "all fine" : `${problems.length} problem${problems.length === 1 ? "" : "s"}`;
    process.stdout.write(`${scenarios.length} file${scenarios.length === 1 ? "" : "s"} checked, ${verdict}.\n`);
  }
  if (problems.length > 0) process.exitCode = 1;
}

/** `file:line:column: what`, the line itself, and a caret below the place. */
function describe({ file, line, column, message, excerpt, caret }: Problem): string {
  const margin = `${line} | `;
  // A tab is as wide in the line below as it is in the line itself.
  const before = visible(excerpt.slice(0, Math.max(0, caret - 1))).replace(/[^\t]/g, " ");
  return visible(
    `${file}:${line}:${column}: ${message}\n${margin}${excerpt}\n${" ".repeat(margin.length)}${before}^\n`,
  );
}
