/** `payments-sandbox check FILE…`: validates scenarios, with every fault's place. */
import { statSync } from "node:fs";
import { Command } from "commander";
import {
  type FoundScenario,
  namedOnCommandLine,
  scenarioFilesIn,
  ScenarioSourceError,
  withBeneath,
} from "../host/scenario-sources.ts";
import { type Problem, ScenarioError } from "../scenarios/loader.ts";
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
  // A file that two others name under `with` has its problems once.
  const found = sources.flatMap(problemsOf).map((problem) => [JSON.stringify(problem), problem] as const);
  const problems = [...new Map(found).values()];
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

function sourcesOf(name: string): readonly FoundScenario[] {
  try {
    const isFolder = statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
    const sources = (isFolder ? scenarioFilesIn(name) : [name]).flatMap(namedOnCommandLine);
    if (sources.length === 0) throw new UsageError(`There is no scenario file in the folder ${name}.`);
    return sources;
  } catch (error) {
    if (error instanceof ScenarioSourceError) throw new UsageError(error.message);
    throw error;
  }
}

/** What is wrong with a scenario, or with those that it names under `with`. */
function problemsOf(source: FoundScenario): readonly Problem[] {
  try {
    withBeneath([source]);
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    if (error instanceof ScenarioSourceError) throw new UsageError(error.message);
    throw error;
  }
}

/** `file:line:column: what`, the line itself, and a caret below the place. */
function describe({ file, line, column, message, excerpt, caret }: Problem): string {
  const margin = `${line} | `;
  // A tab is as wide in the line below as it is in the line itself.
  const before = excerpt.slice(0, Math.max(0, caret - 1)).replace(/[^\t]/g, " ");
  return `${file}:${line}:${column}: ${message}\n${margin}${excerpt}\n${" ".repeat(margin.length)}${before}^\n`;
}
