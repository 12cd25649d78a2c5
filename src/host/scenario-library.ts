/** The scenarios that come with the product, by name. */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { asQuestion, nearName, sentence } from "../domain/words/near-name.ts";
import type { ScenarioSource } from "./creation.ts";
import { documentText, isScenarioFile } from "./scenario-texts.ts";
import { ScenarioSourceError } from "./start-errors.ts";

const folder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

/** The scenarios that a world loads by default; their files are parsed when the package is built. */
export const DEFAULT_SCENARIOS: readonly string[] = ["happy-path", "magic-values"];

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
