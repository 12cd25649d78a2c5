/** The paths of the scenario files that a command line names. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, normalize } from "node:path";
import { nearName, sentence } from "../../domain/words/near-name.ts";
import { isFolder, isReadableFile, whyUnreadable } from "../../host/files.ts";
import { shippedMeant } from "../../host/scenario-library.ts";
import { scenarioFilesIn } from "../../host/scenario-texts.ts";
import { ciFiles } from "../project-files/ci-files.ts";
import { SETTINGS_FILE } from "../project-files/first-files.ts";
import { UsageError } from "../usage-error.ts";

/** The path of a scenario file, or those of a folder. @throws {UsageError} if it is neither, or cannot be read. */
export function scenarioPaths(name: string): string[] {
  try {
    if (statSync(name, { throwIfNoEntry: false })) {
      return isFolder(name) ? scenarioFilesIn(name).filter(isMeantAsScenario) : [normalize(name)];
    }
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}.`);
  }
  throw new UsageError(sentence(`There is no scenario, file or folder "${name}"${shippedMeant(name)}`));
}

/**
 * The folders within a folder that have scenario files of their own, which are not taken with those of the folder. What
 * cannot be read is passed over: nobody asked for it.
 */
export function scenarioFoldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const within = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
  const paths = within.map(({ name }) => join(folder, name)).sort();
  const readable = paths.filter((path) => whyUnreadable(path) === null);
  return readable.filter((path) => scenarioFilesIn(path).some(beginsAsScenario));
}

/** Whether a file has the key that every scenario has; without it, it may as well be a settings file of another tool. */
function beginsAsScenario(path: string): boolean {
  return isReadableFile(path) && /^[\s{]*["']?scenario["']?\s*:/m.test(readFileSync(path, "utf8"));
}

/** Names of files that `init` writes and that are not scenarios. */
const WRITTEN_BESIDE: readonly string[] = [SETTINGS_FILE, ...Object.values(ciFiles).map(({ file }) => basename(file))];

/** Whether a file of a folder is meant as a scenario: a broken one is, a report or a settings file is not. */
export function isMeantAsScenario(path: string): boolean {
  if (isFolder(path) || WRITTEN_BESIDE.includes(basename(path))) return false;
  return !/\.json$/i.test(path) || isMeantInJson(readJson(path));
}

/** True for broken JSON, and for an object with a key `scenario`, even if misspelt. */
function isMeantInJson(content: unknown): boolean {
  if (content === undefined) return true;
  if (typeof content !== "object" || content === null || Array.isArray(content)) return false;
  // The report of `run` has a list `scenarios`.
  return Object.keys(content).some((key) => key !== "scenarios" && nearName(key, ["scenario"]) !== null);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
