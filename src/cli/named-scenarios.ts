/** The scenarios that a command line names, each with the path that the user finds it by. */
import { dirname, join, resolve } from "node:path";
import { asQuestion } from "../domain/near-name.ts";
import { isFolder } from "../host/files.ts";
import {
  type FoundScenario,
  isFile,
  namedBy,
  readScenarioFile,
  scenarioFilesIn,
  settingsOfRun,
  shipped,
  shippedNames,
} from "../host/scenario-sources.ts";
import { ScenarioSourceError } from "../host/start-errors.ts";
import { checkOwnAccounts, checkOwnUsernames } from "../scenarios/known-world.ts";
import { type LoadedScenario, loadScenario, type Problem, ScenarioError } from "../scenarios/loader.ts";
import { scenarioPaths } from "./scenario-paths.ts";
import { scriptWarnings } from "./script-warnings.ts";
import { stateWarnings } from "./state-warnings.ts";
import { timeWarnings } from "./time-warnings.ts";
import { UsageError } from "./usage-error.ts";

/** Worlds and bundles name a scenario as `source` does, which tells nothing of this machine's folders. */
export interface NamedScenario {
  readonly source: FoundScenario;
  /** As the user is told of it. */
  readonly path: string;
}

/** A shipped scenario, a file, or all scenarios of a folder. @throws {UsageError} */
export function namedScenarios(name: string): NamedScenario[] {
  if (shippedNames().includes(name)) return [namedShipped(name)];
  const files = scenarioPaths(name);
  if (files.length === 0) throw new UsageError(`There is no scenario file in the folder "${name}"${belowMeant(name)}`);
  return files.map(namedFile);
}

/** Where `init` puts scenarios: a project is easily named instead of the folder in it. */
function belowMeant(name: string): string {
  const below = join(name, "scenarios");
  return isFolder(below) && scenarioFilesIn(below).length > 0 ? asQuestion(below) : ".";
}

/** What is wrong with scenarios, or with those that they name under `with`; what two of them name is told once. */
export function problemsIn(scenarios: readonly NamedScenario[]): Problem[] {
  const found = scenarios.flatMap((scenario) => problemsOf(scenario, new Set()));
  return [...new Map(found.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** What scenarios without problems probably mean otherwise; of what lies beneath them a run takes rules and settings. */
export function warningsIn(scenarios: readonly NamedScenario[]): Problem[] {
  return scenarios.flatMap((scenario) => {
    if (problemsOf(scenario, new Set()).length > 0) return [];
    const loaded = asRun(scenario.source, loadedAs(scenario));
    return [...scriptWarnings(loaded), ...timeWarnings(loaded), ...stateWarnings(loaded)];
  });
}

/** Of scenarios of one name a server has the last alone; files that cannot be read are passed over. */
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

/** @param seen files that were looked at already, on whatever way. */
function problemsOf(scenario: NamedScenario, seen: Set<string>): readonly Problem[] {
  const { source, path } = scenario;
  const isFirst = seen.size === 0;
  if (seen.has(resolve(path))) return [];
  seen.add(resolve(path));
  try {
    const loaded = loadedAs(scenario);
    const beneath = filesBeneath(scenario, loaded).flatMap((file) => problemsOf(namedFile(file), seen));
    if (beneath.length > 0) return isFirst ? [...ownProblems(loaded), ...beneath] : beneath;
    namedBy(loaded, source.folder);
    if (loaded.content.with) loadScenario(source.text, path, settingsOfRun(source));
    return isFirst ? ownProblems(asRun(source, loaded)) : [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    if (error instanceof ScenarioSourceError) throw new UsageError(error.message);
    throw error;
  }
}

function loadedAs({ source, path }: NamedScenario): LoadedScenario {
  return loadScenario(source.text, path);
}

/** With the settings that it is run with. */
function asRun(source: FoundScenario, loaded: LoadedScenario): LoadedScenario {
  return { ...loaded, content: { ...loaded.content, settings: settingsOfRun(source) } };
}

/** What a run of the file could not begin with, or come to; of what lies beneath it a run takes rules and settings. */
function ownProblems({ content, problemAt }: LoadedScenario): Problem[] {
  const found = [...checkOwnAccounts(content), ...checkOwnUsernames(content)];
  return found.map(({ path, message }) => problemAt(path, message));
}

/** Paths of the files that a scenario names under `with`. */
function filesBeneath({ source, path }: NamedScenario, { content }: LoadedScenario): string[] {
  if (source.folder === undefined) return [];
  const own = (content.with ?? []).filter((name) => !shippedNames().includes(name));
  return own.map((name) => join(dirname(path), name)).filter(isFile);
}

function namedShipped(name: string): NamedScenario {
  const source = shipped(name);
  return { source, path: source.file };
}

/** In the working folder and below it, a file is named as it is seen from there; elsewhere, as it was given. */
function namedFile(path: string): NamedScenario {
  try {
    const source = readScenarioFile(path);
    return { source, path: resolve(source.file) === resolve(path) ? source.file : path };
  } catch (error) {
    if (error instanceof ScenarioSourceError) throw new UsageError(error.message);
    throw error;
  }
}
