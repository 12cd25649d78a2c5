/** The text of scenarios: of files, alone or in folders, and of documents in calls. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { unicodeEscape } from "../domain/words/visible.ts";
import { MAX_SCENARIO_BYTES } from "../scenarios/text-faults.ts";
import type { ScenarioSource } from "./creation.ts";
import { ScenarioSourceError } from "./start-errors.ts";

/** A scenario with the folder of its file, in which `with` looks for other files. */
export interface FoundScenario extends ScenarioSource {
  readonly folder?: string;
}

/** The endings of scenario files, which some systems write in capitals. */
export const SCENARIO_ENDINGS = [".yaml", ".yml", ".json"];

/** Whether a file in a folder is a scenario. Hidden files, which editors and systems make, are not. */
export function isScenarioFile(name: string): boolean {
  return SCENARIO_ENDINGS.includes(extname(name).toLowerCase()) && !name.startsWith(".");
}

/** Paths of the scenario files in a folder, in order. */
export function scenarioFilesIn(folder: string): string[] {
  const files = readdirSync(folder).filter(isScenarioFile);
  return files.sort().map((file) => join(folder, file));
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

/** A document as the text of a file. */
export function documentText(document: unknown): string {
  return fileText(JSON.stringify(document, null, 2));
}

/** JSON as the text of a file: characters that scenario files must not contain become escapes. */
export function fileText(json: string): string {
  return json.replace(/\r\n?/g, "\n").replace(/[\u007f-\u009f\ufffd]/g, unicodeEscape);
}
