/** Faults of data that replaces `fixtures/`, in the same words for calls, scenario files and `--settings`. */
import type { Path } from "../domain/path.ts";
import { incoherenceOf } from "../world/fixture-coherence.ts";
import { FixtureError, type Fixtures, fixtureSchemas, loadFixtures } from "../world/fixtures.ts";
import { fileWords } from "./file-words.ts";
import { hasUnknownKeys, knownKeys, nearestKey } from "./schema-words.ts";

/** The most characters of a message: it may quote names from any file. */
const MOST_TOLD = 1_000;

/** A fault at a path below the settings: at its last key if that is unknown, else at the value. */
export interface FixtureFault {
  readonly path: Path;
  readonly isKey: boolean;
  /** Without a full stop. */
  readonly message: string;
}

/**
 * The fixtures with these replacements, and null; or the shipped fixtures, and the first fault of the replacements.
 * @param root the path under which the user gave the replacements.
 */
export function checkedFixtures(
  replacements: Readonly<Record<string, unknown>>,
  root = "fixtures",
): {
  readonly fixtures: Fixtures;
  readonly fault: FixtureFault | null;
} {
  try {
    const fixtures = loadFixtures(replacements);
    const found = incoherenceOf(fixtures, Object.keys(replacements));
    if (found === null) return { fixtures, fault: null };
    return { fixtures: loadFixtures(), fault: faultAt(found.path, false, told(root, found.path, found.message)) };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { fixtures: loadFixtures(), fault: faultOf(error, root) };
  }
}

function faultOf({ message, path, issue }: FixtureError, root: string): FixtureFault {
  if (issue === null) return faultAt(path, true, message.replace(/^fixtures/, root).replace(/\.$/, ""));
  if (!hasUnknownKeys(issue)) return faultAt(path, false, told(root, path, fileWords(issue)));
  const [key = ""] = issue.keys;
  const name = [root, ...path, key].map(String).join(".");
  const known = knownKeys(fixtureSchemas()[path[0] as keyof Fixtures], path.slice(1));
  return faultAt([...path, key], true, `unknown field ${JSON.stringify(name)}${nearestKey(key, known)}`);
}

function faultAt(path: Path, isKey: boolean, message: string): FixtureFault {
  return { path: ["fixtures", ...path], isKey, message: message.slice(0, MOST_TOLD) };
}

/** A message that begins with the path; words that are a sentence of their own follow a colon. */
function told(root: string, path: Path, words: string): string {
  return [root, ...path].map(String).join(".") + (/^[a-z]/.test(words) ? ` ${words}` : `: ${words}`);
}
