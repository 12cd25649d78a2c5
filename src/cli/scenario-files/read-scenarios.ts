/** What scenario files contain now: which there are, which they name under `with`, and what is in each. */
import { existsSync } from "node:fs";
import { required } from "../../domain/required.ts";
import type { ScenarioSource } from "../../host/creation.ts";
import { type FoundScenario, readScenarioFile } from "../../host/scenario-texts.ts";
import { pathsBeneath, withBeneath } from "../../host/scenarios-beneath.ts";
import { ScenarioSourceError } from "../../host/start-errors.ts";
import { type LoadedScenario, loadScenario } from "../../scenarios/loader.ts";
import { ScenarioError } from "../../scenarios/problems.ts";
import { scenarioPaths } from "./scenario-paths.ts";

/** The paths of all scenario files that still exist, with those that they name under `with`. */
export function pathsOf(names: readonly string[]): string[] {
  return withThoseBeneath(givenOf(names));
}

/** The paths of the scenario files that the given files and folders stand for, as far as they still exist. */
export function givenOf(names: readonly string[]): string[] {
  return names.filter((name) => existsSync(name)).flatMap(scenarioPaths);
}

/** Paths, each before those that its file names under `with`. */
export function withThoseBeneath(paths: readonly string[]): string[] {
  return paths.flatMap((path) => [path, ...pathsBeneath(path)]);
}

/** The name of the last of the scenarios, beneath which the others lie. */
export function nameOf(sources: readonly ScenarioSource[]): string {
  const { text, file } = required(sources.at(-1), "A scenario");
  return loadScenario(text, file).content.scenario;
}

/** The scenario that a file contains now; empty if it is broken or gone. */
export function readScenario(path: string): LoadedScenario[] {
  const source = sourceAt(path);
  try {
    return source === null ? [] : [loadScenario(source.text, source.file)];
  } catch (error) {
    if (error instanceof ScenarioError) return [];
    throw error;
  }
}

/** A file and what it names under `with`; null if something of it is broken. */
export function sourcesOf(path: string): readonly ScenarioSource[] | null {
  try {
    const source = sourceAt(path);
    return source && withBeneath([source]);
  } catch (error) {
    if (error instanceof ScenarioError) return null;
    throw error;
  }
}

/** A file with its text; null if it cannot be read. */
export function sourceAt(path: string): FoundScenario | null {
  try {
    return readScenarioFile(path);
  } catch (error) {
    if (error instanceof ScenarioSourceError) return null;
    throw error;
  }
}
