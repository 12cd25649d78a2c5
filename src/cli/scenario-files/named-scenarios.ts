/** The scenarios that a command line names, each with the path by which the user knows it. */
import { join, resolve } from "node:path";
import { asQuestion } from "../../domain/words/near-name.ts";
import { isFolder, isReadableFile, whyUnreadable } from "../../host/files.ts";
import { shipped, shippedNames } from "../../host/scenario-library.ts";
import { type FoundScenario, readScenarioFile, scenarioFilesIn } from "../../host/scenario-texts.ts";
import { filesNamedBy, namedBy } from "../../host/scenarios-beneath.ts";
import { settingsOfRun } from "../../host/world-spec.ts";
import { checkOwnAccounts, checkOwnUsernames } from "../../scenarios/known-world.ts";
import { type LoadedScenario, loadScenario } from "../../scenarios/loader.ts";
import { type Problem, ScenarioError } from "../../scenarios/problems.ts";
import { tell } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { callWarnings } from "./call-warnings.ts";
import { scenarioFoldersIn, scenarioPaths } from "./scenario-paths.ts";
import { scriptWarnings } from "./script-warnings.ts";
import { stateWarnings } from "./state-warnings.ts";
import { timeWarnings } from "./time-warnings.ts";

/** A scenario; worlds and bundles name it as `source` does, without revealing the folders of this machine. */
export interface NamedScenario {
  readonly source: FoundScenario;
  /** The path that messages show. */
  readonly path: string;
}

/** A shipped scenario, a file, or all scenarios of a folder. @throws {UserError} */
function namedScenarios(name: string): NamedScenario[] {
  if (shippedNames().includes(name)) return [namedShipped(name)];
  const files = scenarioPaths(name);
  if (files.length === 0) throw new UsageError(`There is no scenario file in the folder "${name}"${belowMeant(name)}`);
  return files.map(namedFile);
}

/**
 * All that names stand for. Folders are not searched for others: who sorts scenarios into several is told which of them
 * stay out.
 * @throws {UserError}
 */
export function allNamed(names: readonly string[]): NamedScenario[] {
  const scenarios = names.flatMap(namedScenarios);
  const named = names.map((name) => resolve(name));
  const within = names.filter(isFolder).flatMap(scenarioFoldersIn);
  for (const path of within.filter((each) => !named.includes(resolve(each)))) {
    tell(`the scenarios in ${path} are left out; name that folder too.`);
  }
  return scenarios;
}

/** Suggests the folder in which `init` puts scenarios, if its project was named instead. */
function belowMeant(name: string): string {
  const below = join(name, "scenarios");
  return isFolder(below) && whyUnreadable(below) === null && scenarioFilesIn(below).length > 0
    ? asQuestion(below)
    : ".";
}

/**
 * Problems of scenarios and of those that they name under `with`; one found by two of them is listed once. `count` is
 * that of all, those of large files included that are not told.
 */
export function problemsIn(scenarios: readonly NamedScenario[]): { problems: Problem[]; count: number } {
  const untold = new Map<string, number>();
  const found = scenarios.flatMap((scenario) => problemsOf(scenario, new Set(), untold));
  const problems = [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
  return { problems, count: [...untold.values()].reduce((sum, more) => sum + more, problems.length) };
}

/** What scenarios without problems probably mean otherwise; a run takes rules and settings of those under `with`. */
export function warningsIn(scenarios: readonly NamedScenario[]): Problem[] {
  return scenarios.flatMap((scenario) => {
    if (problemsOf(scenario, new Set()).length > 0) return [];
    const loaded = asRun(scenario.source, loadedAs(scenario));
    const ofScript = [...scriptWarnings(loaded), ...callWarnings(loaded, scenario.source)];
    return [...ofScript, ...timeWarnings(loaded), ...stateWarnings(loaded)];
  });
}

/** Warnings about scenarios of the same name, of which a server keeps the last; unreadable files are skipped. */
export function namesakesIn(scenarios: readonly NamedScenario[]): Problem[] {
  const before = new Map<string, string>();
  return scenarios.flatMap((scenario) => {
    if (problemsOf(scenario, new Set()).length > 0) return [];
    const { content, problemAt } = loadedAs(scenario);
    const other = before.get(content.scenario);
    before.set(content.scenario, scenario.path);
    const message = `the scenario of ${other} is called "${content.scenario}" too; a server takes this one in its place`;
    return other === undefined || other === scenario.path ? [] : [problemAt(["scenario"], message)];
  });
}

/**
 * @param seen files that were checked already, by whatever path they were reached.
 * @param untold is given how many problems of a file are not told.
 */
function problemsOf(
  scenario: NamedScenario,
  seen: Set<string>,
  untold = new Map<string, number>(),
): readonly Problem[] {
  const { source, path } = scenario;
  const isFirst = seen.size === 0;
  if (seen.has(resolve(path))) return [];
  seen.add(resolve(path));
  try {
    const loaded = loadedAs(scenario);
    // What cannot be read is told where it is named.
    const files = source.folder === undefined ? [] : filesNamedBy(loaded, path).filter(isReadableFile);
    const beneath = files.flatMap((file) => problemsOf(namedFile(file), seen, untold));
    const unfound = unfoundIn(loaded, source.folder);
    if (beneath.length > 0) return [...unfound, ...(isFirst ? ownProblems(loaded) : []), ...beneath];
    if (unfound.length > 0) return unfound;
    if (loaded.content.with) loadScenario(source.text, path, settingsOfRun(source));
    return isFirst ? ownProblems(asRun(source, loaded)) : [];
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    untold.set(resolve(path), error.count - error.problems.length);
    return error.problems;
  }
}

/** Problems of what a scenario names and what is not there. */
function unfoundIn(loaded: LoadedScenario, folder: string | undefined): readonly Problem[] {
  try {
    namedBy(loaded, folder);
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
}

function loadedAs({ source, path }: NamedScenario): LoadedScenario {
  return loadScenario(source.text, path);
}

/** The scenario with the settings that a run uses, those of the files under `with` included. */
function asRun(source: FoundScenario, loaded: LoadedScenario): LoadedScenario {
  return { ...loaded, content: { ...loaded.content, settings: settingsOfRun(source) } };
}

/** What would keep a run of the file from starting or from going on: unknown accounts and usernames. */
function ownProblems({ content, problemAt }: LoadedScenario): Problem[] {
  const found = [...checkOwnAccounts(content), ...checkOwnUsernames(content)];
  return found.map(({ path, message }) => problemAt(path, message));
}

function namedShipped(name: string): NamedScenario {
  const source = shipped(name);
  return { source, path: source.file };
}

/** Named by its path from the working folder if it lies below that; otherwise as it was given. */
function namedFile(path: string): NamedScenario {
  const source = readScenarioFile(path);
  return { source, path: resolve(source.file) === resolve(path) ? source.file : path };
}
