/** Where scenarios come from: shipped ones by name, files and folders, and documents in calls. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, parse, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { overlaidSettings } from "../domain/settings.ts";
import { asQuestion, nearName, sentence } from "../domain/words/near-name.ts";
import { unicodeEscape } from "../domain/words/visible.ts";
import { type LoadedScenario, loadScenario, type Problem, ScenarioError } from "../scenarios/loader.ts";
import { MAX_SCENARIO_BYTES } from "../scenarios/text-faults.ts";
import type { ScenarioSource, WorldSpec } from "./creation.ts";
import { ScenarioSourceError } from "./start-errors.ts";

/** A scenario with the folder of its file, in which `with` looks for other files. */
export interface FoundScenario extends ScenarioSource {
  readonly folder?: string;
}

const folder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** The scenarios that a world loads by default; their files are parsed when the package is built. */
export const DEFAULT_SCENARIOS: readonly string[] = ["happy-path", "magic-values"];

const ENDINGS = [".yaml", ".yml", ".json"];

/** Whether a file in a folder is a scenario. Hidden files, which editors and systems make, are not. */
export function isScenarioFile(name: string): boolean {
  return ENDINGS.includes(extname(name)) && !name.startsWith(".");
}

let names: readonly string[] | undefined;
const texts = new Map<string, string>();

/** Names of the scenarios that come with the product. */
export function shippedNames(): readonly string[] {
  names ??= readdirSync(folder)
    .filter(isScenarioFile)
    .map((file) => parse(file).name)
    .sort();
  return names;
}

/** Whether a folder has the shipped scenarios as they are, and no others, as in a checkout of this project. */
export function isLibrary(path: string): boolean {
  if (realpathSync(path) === realpathSync(folder)) return true;
  const files = readdirSync(path).filter(isScenarioFile);
  const all = new Set(shippedNames().map((name) => `${name}.yaml`));
  const isShipped = (file: string) =>
    all.has(file) && readFileSync(join(path, file), "utf8") === shipped(parse(file).name).text;
  return files.length === all.size && files.every(isShipped);
}

/** The end of a message about an unknown name: the nearest shipped scenario, or nothing, as it may mean a file. */
export function shippedMeant(name: string): string {
  return asQuestion(nearName(name, shippedNames()));
}

/** The end of a message about a name that looks like a path, as calls do not read files. */
function insteadOfPath(name: string): string {
  return /[\\/]|\.(ya?ml|json)$/i.test(name) ? "; a file is not read here, give what it says as a document" : "";
}

/** A shipped scenario. @throws {ScenarioSourceError} if there is none of the name; it suggests the nearest. */
export function shipped(name: string): ScenarioSource {
  if (!shippedNames().includes(name)) {
    const meant = shippedMeant(name) || insteadOfPath(name);
    throw new ScenarioSourceError(sentence(`There is no scenario ${JSON.stringify(name)}${meant}`));
  }
  const text = texts.get(name) ?? readFileSync(join(folder, `${name}.yaml`), "utf8");
  texts.set(name, text);
  return { file: `scenarios/${name}.yaml`, text };
}

/**
 * Scenarios of a call: shipped ones by name, and documents. Several documents are numbered, so that their `file:line`
 * places can be told apart.
 * @throws {ScenarioSourceError}
 */
export function shippedOrInline(given: readonly (string | Readonly<Record<string, unknown>>)[]): ScenarioSource[] {
  const documents = given.filter((one) => typeof one !== "string");
  let place = 0;
  return given.map((one) => {
    // "none" is a word of the command line only.
    if (one === "none") throw new ScenarioSourceError(`There is no scenario "none"; for none give an empty list.`);
    if (typeof one === "string") return shipped(one);
    place += 1;
    const file = documents.length === 1 ? "inline.json" : `inline-${place}.json`;
    return { file, text: documentText(one) };
  });
}

/** A document as the text of a file. */
export function documentText(document: unknown): string {
  return fileText(JSON.stringify(document, null, 2));
}

/** JSON as the text of a file: characters that scenario files must not contain become escapes. */
export function fileText(json: string): string {
  return json.replace(/\r\n?/g, "\n").replace(/[\u007f-\u009f\ufffd]/g, unicodeEscape);
}

/**
 * Scenarios, each after those that it names under `with`, each only once.
 * @throws {ScenarioError} at the name of a missing scenario, and at the path of a missing file that the merchant sends.
 */
export function withBeneath(sources: readonly FoundScenario[]): ScenarioSource[] {
  const placed = new Map<string, ScenarioSource>();
  const seen = new Set<string>();
  for (const source of sources) placeBeneath(source, { placed, seen, above: new Map() });
  // One that was named itself is not replaced by its namesake beneath another one.
  for (const { file, text } of sources) placed.set(loadScenario(text, file).content.scenario, { file, text });
  return [...placed.values()];
}

interface Placing {
  readonly placed: Map<string, ScenarioSource>;
  /** Folder and text of those whose `with` was followed: files may be reached in very many ways. */
  readonly seen: Set<string>;
  /** Those that are being placed, from the top down to here, by name. */
  readonly above: ReadonlyMap<string, ScenarioSource>;
}

function placeBeneath(source: FoundScenario, placing: Placing): void {
  const { file, text } = source;
  const { placed, above } = placing;
  const loaded = loadScenario(text, file);
  const { scenario: name } = loaded.content;
  if (above.has(name)) return;
  if (loaded.content.with) followWith(source, loaded, placing);
  // A scenario named twice keeps its first position, beneath all that build on it.
  if (!placed.has(name) || placed.get(name)?.text !== text) placed.set(name, { file, text });
}

function followWith(source: FoundScenario, loaded: LoadedScenario, { placed, seen, above }: Placing): void {
  const { text, folder } = source;
  const key = `${folder}\0${text}`;
  if (seen.has(key)) return;
  seen.add(key);
  const below = { placed, seen, above: new Map([...above, [loaded.content.scenario, source]]) };
  const beneath = namedBy(loaded, folder);
  refuseNamesakes(loaded, beneath, below.above);
  for (const other of beneath) placeBeneath(other, below);
}

/**
 * Refuses different scenarios of the same name: a world holds only one of them, and the other would vanish silently.
 * @throws {ScenarioError} at each name under `with` whose scenario has the name of another one above or before it.
 */
function refuseNamesakes(
  loaded: LoadedScenario,
  beneath: readonly FoundScenario[],
  above: ReadonlyMap<string, ScenarioSource>,
): void {
  const known = new Map(above);
  const problems = beneath.flatMap((source, index) => {
    const { scenario: name } = loadScenario(source.text, source.file).content;
    const other = known.get(name);
    known.set(name, source);
    if (other === undefined || other.text === source.text) return [];
    const message = `the scenario of ${source.file} is called "${name}", as that of ${other.file} is; give one another name`;
    return [loaded.problemAt(["with", index], message)];
  });
  if (problems.length > 0) throw new ScenarioError(problems);
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
        if (typeof file !== "string" || file.includes("${") || isFile(join(folder, file))) return [];
        return [problemAt(["merchant", step, "form", field, index], `there is no file "${file}" beside the scenario`)];
      }),
    ),
  );
}

/** Whether there is a file, not a folder, at a path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** A shipped scenario, or a file beside the one that names it; else a message that says what is wrong. */
function findBeside(name: string, folder: string | undefined): FoundScenario | string {
  if (shippedNames().includes(name)) return shipped(name);
  const path = folder === undefined ? undefined : join(folder, name);
  if (path !== undefined && isFile(path)) return readScenarioFile(path);
  const near = besideMeant(name, folder) || shippedMeant(name);
  if (near) return `there is no scenario "${name}"${near}`;
  if (folder === undefined) return `there is no shipped scenario "${name}", and this one has no folder with others`;
  return `there is no file "${name}" beside the scenario, and no shipped one of that name`;
}

/** Suggests the file that a name without its ending probably means. */
function besideMeant(name: string, folder: string | undefined): string {
  if (folder === undefined) return "";
  const meant = ENDINGS.map((ending) => name + ending).find((path) => isFile(join(folder, path)));
  return asQuestion(meant ?? null);
}

/** Paths of the scenario files in a folder, in order. */
export function scenarioFilesIn(folder: string): string[] {
  const files = readdirSync(folder).filter(isScenarioFile);
  return files.sort().map((file) => join(folder, file));
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

/** Paths of what a scenario file names under `with`, without shipped scenarios. */
function filesNamedIn(path: string): string[] {
  try {
    const { text, file } = readScenarioFile(path);
    const { with: others = [] } = loadScenario(text, file).content;
    return others.filter((name) => !shippedNames().includes(name)).map((name) => join(dirname(path), name));
  } catch (error) {
    if (error instanceof ScenarioError || error instanceof ScenarioSourceError) return [];
    throw error;
  }
}

/** The name of a scenario file in causes: relative to the working folder, or without folders if it is outside of it. */
export function scenarioFileName(path: string): string {
  const seen = relative(process.cwd(), resolve(path));
  return seen.startsWith("..") ? basename(path) : seen.replaceAll("\\", "/");
}

/** Reads a scenario file. @throws {ScenarioSourceError} */
export function readScenarioFile(path: string): FoundScenario {
  const file = scenarioFileName(path);
  try {
    return { file, text: textOf(path), folder: dirname(resolve(path)) };
  } catch (error) {
    throw new ScenarioSourceError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** The text of a file; if it is too large for a scenario, only as much as shows that. */
function textOf(path: string): string {
  if (statSync(path).size <= MAX_SCENARIO_BYTES) return readFileSync(path, "utf8");
  const beginning = Buffer.alloc(MAX_SCENARIO_BYTES + 1);
  const file = openSync(path, "r");
  try {
    readSync(file, beginning);
  } finally {
    closeSync(file);
  }
  return beginning.toString("latin1");
}

/** What scenarios ask of the world that they are loaded into; of several, the last one counts. */
export function wishesOf(sources: readonly ScenarioSource[]) {
  const contents = sources.map(({ text, file }) => loadScenario(text, file).content);
  const last = <Key extends "seed" | "clock" | "accounts">(key: Key) =>
    contents.map((content) => content[key]).findLast((value) => value !== undefined);
  const settings = overlaidSettings(...contents.map((content) => content.settings));
  return {
    settings,
    seed: last("seed"),
    clock: last("clock"),
    accounts: last("accounts") as WorldSpec["accounts"] | undefined,
  };
}

/** The settings of a run: those of a scenario, over those of the scenarios beneath it. */
export function settingsOfRun(source: FoundScenario): Readonly<Record<string, unknown>> {
  return wishesOf(withBeneath([source])).settings;
}
