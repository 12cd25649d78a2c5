/** The scenarios that others name under `with`, and that lie beneath these in a world. */
import { dirname, join, resolve } from "node:path";
import { asQuestion } from "../domain/words/near-name.ts";
import { type LoadedScenario, loadScenario } from "../scenarios/loader.ts";
import { type Problem, quoted, ScenarioError } from "../scenarios/problems.ts";
import type { ScenarioSource } from "./creation.ts";
import { isFile, whyUnreadable } from "./files.ts";
import { shipped, shippedMeant, shippedNames } from "./scenario-library.ts";
import { type FoundScenario, readScenarioFile, SCENARIO_ENDINGS } from "./scenario-texts.ts";
import { ScenarioSourceError } from "./start-errors.ts";

/**
 * Scenarios, each after those that it names under `with`, each only once.
 * @throws {ScenarioError} at the name of a missing scenario, and at the path of a missing file that the merchant sends.
 */
export function withBeneath(sources: readonly FoundScenario[]): ScenarioSource[] {
  const placed = new Map<string, ScenarioSource>();
  const seen = new Set<string>();
  for (const source of sources) placeBeneath(source, { placed, seen, beside: new Map(), above: new Map() });
  // One that was named itself is not replaced by its namesake beneath another one.
  for (const { file, text } of sources) placed.set(loadScenario(text, file).content.scenario, { file, text });
  return [...placed.values()];
}

interface Placing {
  readonly placed: Map<string, ScenarioSource>;
  /** Folder and text of those whose `with` was followed: files may be reached in very many ways. */
  readonly seen: Set<string>;
  /** Those that were placed beneath the same scenario of the sources, by name. */
  readonly beside: Map<string, ScenarioSource>;
  /** Those that are being placed, from the top down to here, by name. */
  readonly above: ReadonlyMap<string, ScenarioSource>;
}

function placeBeneath(source: FoundScenario, placing: Placing): void {
  const { file, text } = source;
  const { placed, beside, above } = placing;
  const loaded = loadScenario(text, file);
  const { scenario: name } = loaded.content;
  if (above.has(name)) return;
  if (loaded.content.with) followWith(source, loaded, placing);
  beside.set(name, source);
  // A scenario named twice keeps its first position, beneath all that build on it.
  if (!placed.has(name) || placed.get(name)?.text !== text) placed.set(name, { file, text });
}

/** @throws {ScenarioError} at each name under `with` whose scenario has the name of another one above or beside it. */
function followWith(source: FoundScenario, loaded: LoadedScenario, placing: Placing): void {
  const { seen } = placing;
  const { text, folder } = source;
  const key = `${folder}\0${text}`;
  if (seen.has(key)) return;
  seen.add(key);
  const below = { ...placing, above: new Map([...placing.above, [loaded.content.scenario, source]]) };
  const problems = namedBy(loaded, folder).flatMap((other, index) => {
    const message = namesakeWords(other, below);
    if (message === null) placeBeneath(other, below);
    return message === null ? [] : [loaded.problemAt(["with", index], message)];
  });
  if (problems.length > 0) throw new ScenarioError(problems);
}

/** Says that another scenario has its name: a world holds only one of them, and the other would vanish silently. */
function namesakeWords({ text, file }: FoundScenario, { above, beside }: Placing): string | null {
  const { scenario: name } = loadScenario(text, file).content;
  const other = above.get(name) ?? beside.get(name);
  if (other === undefined || other.text === text) return null;
  return `the scenario of ${file} is called "${name}", as that of ${other.file} is; give one another name`;
}

/** The scenarios that one names under `with`. @throws {ScenarioError} if one, or a file of a form, is missing. */
export function namedBy(loaded: LoadedScenario, folder: string | undefined): FoundScenario[] {
  const beneath = (loaded.content.with ?? []).map((other) => findBeside(other, folder));
  const unfound = beneath.flatMap((found, index) =>
    typeof found === "string" ? [loaded.problemAt(["with", index], found)] : [],
  );
  const missing = [...unfound, ...missingFiles(loaded, folder)];
  if (missing.length > 0) throw new ScenarioError(missing);
  return beneath.filter((found) => typeof found !== "string");
}

/** Problems of files that the merchant sends in forms, but that are not beside the scenario. */
function missingFiles({ content, problemAt }: LoadedScenario, folder: string | undefined): Problem[] {
  if (folder === undefined) return [];
  return (content.merchant ?? []).flatMap(({ form = {} }, step) =>
    Object.entries(form).flatMap(([field, files]) =>
      (Array.isArray(files) ? files : []).flatMap((file, index) => {
        if (typeof file !== "string" || file.includes("${")) return [];
        const unread = unreadWords(file, folder);
        if (unread === null && isFile(join(folder, file))) return [];
        const message = unread ?? `there is no file "${file}" beside the scenario`;
        return [problemAt(["merchant", step, "form", field, index], message)];
      }),
    ),
  );
}

/** A shipped scenario, or a file beside the one that names it; else a message that says what is wrong. */
function findBeside(name: string, folder: string | undefined): FoundScenario | string {
  if (shippedNames().includes(name)) return shipped(name);
  const unread = folder === undefined ? null : unreadWords(name, folder);
  if (unread !== null) return unread;
  if (folder !== undefined && isFile(join(folder, name))) return readScenarioFile(join(folder, name));
  const near = besideMeant(name, folder) || shippedMeant(name);
  if (near) return `there is no scenario "${name}"${near}`;
  if (folder === undefined) return `there is no shipped scenario "${name}", and this one has no folder with others`;
  return `there is no file "${name}" beside the scenario, and no shipped one of that name`;
}

/** Says why a file beside a scenario cannot be read; null if it can, or is not there. */
function unreadWords(name: string, folder: string): string | null {
  const reason = whyUnreadable(join(folder, name));
  return reason && `${quoted(name)} cannot be read: ${reason}`;
}

/** Suggests the file that a name without its ending probably means. */
function besideMeant(name: string, folder: string | undefined): string {
  if (folder === undefined) return "";
  const meant = SCENARIO_ENDINGS.map((ending) => name + ending).find((path) => isFile(join(folder, path)));
  return asQuestion(meant ?? null);
}

/** Paths of the files that a scenario file names under `with`, directly or not; a broken file counts as naming none. */
export function pathsBeneath(path: string): string[] {
  return pathsNamed(path).filter(isFile);
}

/** The same, with the paths at which there is no file. */
export function pathsNamed(path: string, seen = new Set([resolve(path)])): string[] {
  return filesNamedIn(path).flatMap((other) => {
    if (seen.has(resolve(other))) return [];
    seen.add(resolve(other));
    return [other, ...pathsNamed(other, seen)];
  });
}

/** The same of one file alone. */
function filesNamedIn(path: string): string[] {
  try {
    const { text, file } = readScenarioFile(path);
    return filesNamedBy(loadScenario(text, file), path);
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof ScenarioSourceError) return [];
    throw error;
  }
}

/** Paths of what a scenario names under `with`, without shipped scenarios. @param path that of its own file. */
export function filesNamedBy({ content }: LoadedScenario, path: string): string[] {
  const others = (content.with ?? []).filter((name) => !shippedNames().includes(name));
  return others.map((name) => join(dirname(path), name));
}
