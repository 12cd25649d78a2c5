/** Faults of data that replaces `fixtures/`, in the same words for calls, scenario files and `--settings`. */

import type { Path } from "../domain/path.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { incoherenceOf } from "../world/fixture-coherence.ts";
import { FixtureError, type Fixtures, fixtureSchemas, loadFixtures, unknownData } from "../world/fixtures.ts";
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
 * The fixtures with these replacements; or the shipped fixtures, and all faults of the replacements.
 * @param root the path under which the user gave the replacements.
 */
export function checkedFixtures(
  replacements: Readonly<Record<string, unknown>>,
  root = "fixtures",
): {
  readonly fixtures: Fixtures;
  readonly faults: readonly FixtureFault[];
} {
  try {
    const fixtures = loadFixtures(replacements);
    const found = incoherenceOf(fixtures, Object.keys(replacements));
    if (found === null) return { fixtures, faults: [] };
    return { fixtures: loadFixtures(), faults: [faultAt(found.path, false, told(root, found.path, found.message))] };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    // It tells the first fault alone.
    const faults = Object.entries(replacements).flatMap(([name, data]) => faultsOf(name, data, root));
    return { fixtures: loadFixtures(), faults };
  }
}

function faultsOf(name: string, data: unknown, root: string): FixtureFault[] {
  const schemas = fixtureSchemas();
  if (!Object.hasOwn(schemas, name)) return [faultAt([name], true, `${root}.${unknownData(name)}`)];
  const schema = schemas[name as keyof Fixtures];
  const { error } = schema.safeParse(data, { ...TO_BE_TOLD, jitless: true });
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [name, ...issue.path];
    if (!hasUnknownKeys(issue)) return [faultAt(path, false, told(root, path, fileWords(issue)))];
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) => {
      const field = [root, ...path, key].map(String).join(".");
      return faultAt([...path, key], true, `unknown field ${JSON.stringify(field)}${nearestKey(key, known)}`);
    });
  });
}

function faultAt(path: Path, isKey: boolean, message: string): FixtureFault {
  return { path: ["fixtures", ...path], isKey, message: message.slice(0, MOST_TOLD) };
}

/** A message that begins with the path; words that are a sentence of their own follow a colon. */
function told(root: string, path: Path, words: string): string {
  return [root, ...path].map(String).join(".") + (/^[a-z]/.test(words) ? ` ${words}` : `: ${words}`);
}
