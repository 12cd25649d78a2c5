/** What is wrong with data in place of `fixtures/`, told alike of calls, of scenario files and of `--settings`. */
import type { Path } from "../domain/path.ts";
import { incoherenceOf } from "../world/fixture-coherence.ts";
import { FixtureError, type Fixtures, fixtureSchemas, loadFixtures } from "../world/fixtures.ts";
import { fileWords } from "./file-words.ts";
import { hasUnknownKeys, knownKeys, nearestKey } from "./schema-words.ts";

/** As much is told of a fault: names may come from a file of any kind. */
const MOST_TOLD = 1_000;

/** A fault at a path below the settings: at its last key, where there is no such data, else at the value there. */
export interface FixtureFault {
  readonly path: Path;
  readonly isKey: boolean;
  /** Without a stop at its end. */
  readonly message: string;
}

/**
 * The data with these in its place, and their first fault; where there is one, the data as it is shipped.
 * @param root how whoever gave them would find them.
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

/** A sentence that begins with the place; what is said in a sentence of its own stands behind a colon. */
function told(root: string, path: Path, words: string): string {
  return [root, ...path].map(String).join(".") + (/^[a-z]/.test(words) ? ` ${words}` : `: ${words}`);
}
