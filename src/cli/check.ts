/** `payments-sandbox check FILE…`: validates scenarios, with every fault's place. */
import { Command } from "commander";
import type { ScenarioSource } from "../host/creation.ts";
import { namedOnCommandLine, ScenarioSourceError } from "../host/scenario-sources.ts";
import { loadScenario, type Problem, ScenarioError } from "../scenarios/loader.ts";
import { UsageError } from "./usage-error.ts";

export function checkCommand(): Command {
  return new Command("check")
    .description("validate scenario files")
    .argument("<file...>", "files, folders or names of shipped scenarios")
    .option("--json", "print the problems as JSON")
    .action((files: string[], options: { json?: boolean }) => check(files, options.json === true));
}

function check(names: readonly string[], asJson: boolean): void {
  const sources = names.flatMap(sourcesOf);
  const problems = sources.flatMap(({ text, file }) => problemsOf(text, file));
  if (asJson) {
    process.stdout.write(
      `${JSON.stringify({ ok: problems.length === 0, files: sources.length, problems }, null, 2)}\n`,
    );
  } else {
    for (const problem of problems) process.stdout.write(describe(problem));
    const verdict =
      problems.length === 0 ? "all fine" : `${problems.length} problem${problems.length === 1 ? "" : "s"}`;
    process.stdout.write(`${sources.length} file${sources.length === 1 ? "" : "s"} checked, ${verdict}.\n`);
  }
  if (problems.length > 0) process.exitCode = 1;
}

function sourcesOf(name: string): readonly ScenarioSource[] {
  try {
    const sources = namedOnCommandLine(name);
    if (sources.length === 0) throw new UsageError(`There is no scenario file in the folder ${name}.`);
    return sources;
  } catch (error) {
    if (error instanceof ScenarioSourceError) throw new UsageError(error.message);
    throw error;
  }
}

function problemsOf(text: string, file: string): readonly Problem[] {
  try {
    loadScenario(text, file);
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
}

/** `file:line:column: what`, the line itself, and a caret below the place. */
function describe({ file, line, column, message, excerpt }: Problem): string {
  const margin = `${line} | `;
  const caret = " ".repeat(margin.length + Math.max(0, column - 1));
  return `${file}:${line}:${column}: ${message}\n${margin}${excerpt}\n${caret}^\n`;
}
