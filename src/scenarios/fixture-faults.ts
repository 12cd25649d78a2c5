/** What is wrong with data in place of `fixtures/`, told alike in scenario files and in the file of `--settings`. */
import type { z } from "zod";
import { FixtureError, type Fixtures, loadFixtures } from "../world/fixtures.ts";
import { fileWords } from "./file-words.ts";
import { hasUnknownKeys } from "./schema-words.ts";

/** As much is told of a fault: names may come from a file of any kind. */
const MOST_TOLD = 1_000;

/** A fault at a path below the settings: at its last key, where there is no such data, else at the value there. */
export interface FixtureFault {
  readonly path: readonly PropertyKey[];
  readonly isKey: boolean;
  /** Without a stop at its end. */
  readonly message: string;
}

/** The data with these in its place, and their first fault; where there is one, the data as it is shipped. */
export function checkedFixtures(replacements: Readonly<Record<string, unknown>>): {
  readonly fixtures: Fixtures;
  readonly fault: FixtureFault | null;
} {
  try {
    return { fixtures: loadFixtures(replacements), fault: null };
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { fixtures: loadFixtures(), fault: faultOf(error) };
  }
}

function faultOf({ message, path: within, issue }: FixtureError): FixtureFault {
  const path = ["fixtures", ...within];
  const told = issue === null ? message.replace(/\.$/, "") : path.map(String).join(".") + endOf(issue);
  return { path, isKey: issue === null, message: told.slice(0, MOST_TOLD) };
}

/** The end of a sentence that begins with the place; what a schema says in sentences of its own stands behind a colon. */
function endOf(issue: z.core.$ZodIssue): string {
  const words = hasUnknownKeys(issue) ? issue.message : fileWords(issue);
  return /^[a-z]/.test(words) ? ` ${words}` : `: ${words}`;
}
