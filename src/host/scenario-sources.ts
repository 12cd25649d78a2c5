/** Where scenarios come from: those that are shipped, by name; files and folders; documents in a call. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, extname, join, parse, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asQuestion, nearName, sentence } from "../domain/near-name.ts";
import { type LoadedScenario, loadScenario, type Problem, ScenarioError } from "../scenarios/loader.ts";
import { MAX_FILE_BYTES } from "../scenarios/text-faults.ts";
import type { ScenarioSource, WorldSpec } from "./creation.ts";
import { ScenarioSourceError } from "./start-errors.ts";

/** A scenario with the folder of its file, in which `with` looks for others. */
export interface FoundScenario extends ScenarioSource {
  readonly folder?: string;
}

const folder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** What a world loads unless it is told otherwise; their files are read when the package is built. */
export const DEFAULT_SCENARIOS: readonly string[] = ["happy-path", "magic-values"];

const ENDINGS = [".yaml", ".yml", ".json"];

/** Whether a file of a folder is taken for a scenario. What editors and systems keep beside it begins with a dot. */
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

/** How a refusal of a name goes on: with the shipped scenario that is near. It may be a file's, so none is half alike. */
export function shippedMeant(name: string): string {
  return asQuestion(nearName(name, shippedNames()));
}

/** How a refusal of a file's path goes on: only the command line reads files. */
function insteadOfPath(name: string): string {
  return /[\\/]|\.(ya?ml|json)$/i.test(name) ? "; a file is not read here, give what it says as a document" : "";
}

/** A shipped scenario. @throws {ScenarioSourceError} names the nearest when there is none of the name. */
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
 * Scenarios of a call: shipped ones by name, and documents. Where there are several of these, each is named by its place
 * among them, so that a line of one is not taken for a line of another.
 * @throws {ScenarioSourceError}
 */
export function shippedOrInline(given: readonly (string | Readonly<Record<string, unknown>>)[]): ScenarioSource[] {
  const documents = given.filter((one) => typeof one !== "string");
  let place = 0;
  return given.map((one) => {
    // The command line's word.
    if (one === "none") throw new ScenarioSourceError(`There is no scenario "none"; for none give an empty list.`);
    if (typeof one === "string") return shipped(one);
    place += 1;
    const file = documents.length === 1 ? "inline.json" : `inline-${place}.json`;
    return { file, text: documentText(one) };
  });
}

/** A document as a file would have it. */
export function documentText(document: unknown): string {
  return fileText(JSON.stringify(document, null, 2));
}

/** JSON as a file would have it: signs that no file can hold as they are stand there by their numbers. */
export function fileText(json: string): string {
  return json
    .replace(/\r\n?/g, "\n")
    .replace(/[\u007f-\u009f\ufffd]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Scenarios with those that they name under `with` beneath them, each once.
 * @throws {ScenarioError} at the name of one that is not there, and at the path of a file that the merchant sends.
 */
export function withBeneath(sources: readonly FoundScenario[]): ScenarioSource[] {
  const placed = new Map<string, ScenarioSource>();
  const seen = new Set<string>();
  for (const source of sources) placeBeneath(source, { placed, seen, above: new Map() });
  return [...placed.values()];
}

interface Placing {
  readonly placed: Map<string, ScenarioSource>;
  /** Folders and texts of those whose `with` was followed: in a lattice of files there is no end of ways to each. */
  readonly seen: Set<string>;
  /** Those that are being placed, by name. */
  readonly above: ReadonlyMap<string, ScenarioSource>;
}

function placeBeneath(source: FoundScenario, placing: Placing): void {
  const { file, text } = source;
  const { placed, above } = placing;
  const loaded = loadScenario(text, file);
  const { scenario: name } = loaded.content;
  if (above.has(name)) return;
  if (loaded.content.with) followWith(source, loaded, placing);
  // What is named twice stays where it was named first, beneath all that build on it.
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
 * Of two scenarios of one name a world has one: the other would vanish without a word.
 * @throws {ScenarioError} at the name of one that is called as one above it, or before it, and is another one.
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

/** The scenarios that one names under `with`. @throws {ScenarioError} of what is not beside it. */
export function namedBy(loaded: LoadedScenario, folder: string | undefined): FoundScenario[] {
  const beneath = (loaded.content.with ?? []).map((other) => findBeside(other, folder));
  const unfound = beneath.flatMap((found, index) =>
    typeof found === "string" ? [loaded.problemAt(["with", index], found)] : [],
  );
  const missing = [...unfound, ...missingFiles(loaded, folder)];
  if (missing.length > 0) throw new ScenarioError(missing);
  return beneath.filter((found) => typeof found !== "string");
}

/** Files that the merchant sends in forms, and that are not beside the scenario. */
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

/** Whether there is a file at a path, and no folder. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** A shipped scenario, or a file beside another one; else what is wrong. */
function findBeside(name: string, folder: string | undefined): FoundScenario | string {
  if (shippedNames().includes(name)) return shipped(name);
  const path = folder === undefined ? undefined : join(folder, name);
  if (path !== undefined && isFile(path)) return readScenarioFile(path);
  const near = besideMeant(name, folder) || shippedMeant(name);
  if (near) return `there is no scenario "${name}"${near}`;
  if (folder === undefined) return `there is no shipped scenario "${name}", and this one has no folder with others`;
  return `there is no file "${name}" beside the scenario, and no shipped one of that name`;
}

/** The file that a name without its ending is probably meant for. */
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

/** Paths of the files that a scenario file names under `with`, and of those that these name; none of a broken one. */
export function pathsBeneath(path: string, seen = new Set([resolve(path)])): string[] {
  return filesNamedIn(path).flatMap((other) => {
    if (seen.has(resolve(other)) || !isFile(other)) return [];
    seen.add(resolve(other));
    return [other, ...pathsBeneath(other, seen)];
  });
}

/** Paths of what a scenario file names under `with` beside those that are shipped. */
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

/** How a scenario file is named in causes: as seen from the working folder, elsewhere without its folders. */
export function scenarioFileName(path: string): string {
  const seen = relative(process.cwd(), resolve(path));
  return seen.startsWith("..") ? basename(path) : seen.replaceAll("\\", "/");
}

/** A scenario file. @throws {ScenarioSourceError} */
export function readScenarioFile(path: string): FoundScenario {
  const file = scenarioFileName(path);
  try {
    return { file, text: textOf(path), folder: dirname(resolve(path)) };
  } catch (error) {
    throw new ScenarioSourceError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** The text of a file; of one that is too large to be a scenario, no more than shows that it is. */
function textOf(path: string): string {
  if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, "utf8");
  const beginning = Buffer.alloc(MAX_FILE_BYTES + 1);
  const file = openSync(path, "r");
  try {
    readSync(file, beginning);
  } finally {
    closeSync(file);
  }
  return beginning.toString("latin1");
}

/** What scenarios want of the world that they are loaded into; the last one that says so counts. */
export function wishesOf(sources: readonly ScenarioSource[]) {
  const contents = sources.map(({ text, file }) => loadScenario(text, file).content);
  const last = <Key extends "seed" | "clock" | "accounts">(key: Key) =>
    contents.map((content) => content[key]).findLast((value) => value !== undefined);
  const settings: Record<string, unknown> = Object.assign({}, ...contents.map((content) => content.settings ?? {}));
  return {
    settings,
    seed: last("seed"),
    clock: last("clock"),
    accounts: last("accounts") as WorldSpec["accounts"] | undefined,
  };
}

/**
 * The accounts that scenarios want; null where they want none of their own.
 * @param postbackUrl where webhooks of the default one are to go, whatever the file says: what is given counts before it.
 */
export function accountsWished(
  { accounts }: Pick<ReturnType<typeof wishesOf>, "accounts">,
  postbackUrl: string | null | undefined,
): WorldSpec["accounts"] {
  const [first, ...others] = accounts ?? [];
  if (!first || typeof postbackUrl !== "string") return accounts ?? null;
  return [{ ...first, postback_url: postbackUrl }, ...others];
}

/** The settings of a run: those of a scenario, and those that the ones beneath it are written for. */
export function settingsOfRun(source: FoundScenario): Readonly<Record<string, unknown>> {
  return wishesOf(withBeneath([source])).settings;
}
