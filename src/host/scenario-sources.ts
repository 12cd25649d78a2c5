/** Where scenarios come from: those that are shipped, by name; files and folders; documents in a call. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { closest } from "fastest-levenshtein";
import type { ScenarioSource } from "./creation.ts";

/** A scenario that cannot be found or read; the message says which and what there is. */
export class ScenarioSourceError extends Error {
  override readonly name = "ScenarioSourceError";
}

const folder = fileURLToPath(new URL("../../scenarios/", import.meta.url));
const SCENARIO_FILE = /\.(ya?ml|json)$/;

/** Names of the scenarios that come with the product. */
export function shippedNames(): string[] {
  return readdirSync(folder)
    .filter((file) => SCENARIO_FILE.test(file))
    .map((file) => file.replace(SCENARIO_FILE, ""))
    .sort();
}

/** A shipped scenario. @throws {ScenarioSourceError} names the nearest when there is none of the name. */
export function shipped(name: string): ScenarioSource {
  const names = shippedNames();
  if (!names.includes(name)) {
    throw new ScenarioSourceError(`There is no scenario "${name}"; did you mean "${closest(name, names)}"?`);
  }
  return { file: `scenarios/${name}.yaml`, text: readFileSync(join(folder, `${name}.yaml`), "utf8") };
}

/** A scenario of a call: a shipped one by name, or a document. */
export function shippedOrInline(given: string | Readonly<Record<string, unknown>>): ScenarioSource {
  if (typeof given === "string") return shipped(given);
  return { file: "inline.json", text: JSON.stringify(given, null, 2) };
}

/** What `--scenario` names: a shipped scenario, a file, or all files of a folder. @throws {ScenarioSourceError} */
export function namedOnCommandLine(name: string): ScenarioSource[] {
  if (shippedNames().includes(name)) return [shipped(name)];
  let isFolder: boolean;
  try {
    isFolder = statSync(name).isDirectory();
  } catch {
    const near = closest(name, shippedNames());
    throw new ScenarioSourceError(`There is no scenario, file or folder "${name}"; did you mean "${near}"?`);
  }
  if (!isFolder) return [readScenarioFile(name)];
  const files = readdirSync(name).filter((file) => SCENARIO_FILE.test(file));
  return files.sort().map((file) => readScenarioFile(join(name, file)));
}

/** A scenario file; in causes it is named as seen from the working folder. @throws {ScenarioSourceError} */
export function readScenarioFile(path: string): ScenarioSource {
  const seen = relative(process.cwd(), resolve(path));
  const file = seen.startsWith("..") ? basename(path) : seen.replaceAll("\\", "/");
  try {
    return { file, text: readFileSync(path, "utf8") };
  } catch (error) {
    throw new ScenarioSourceError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}
