/** What is wrong with data in place of `fixtures/`, told alike in scenario files and in the file of `--settings`. */
import { FixtureError, loadFixtures } from "../world/fixtures.ts";
import { EXPECTED } from "./schema-words.ts";

/** As much is told of a fault: names may come from a file of any kind. */
const MOST_TOLD = 1_000;

/** A fault at a path below the settings: at its last key, where there is no such data, else at the value there. */
export interface FixtureFault {
  readonly path: readonly PropertyKey[];
  readonly isKey: boolean;
  /** Without a stop at its end. */
  readonly message: string;
}

/** The first fault of such data; null where there is none. */
export function fixtureFault(replacements: Readonly<Record<string, unknown>>): FixtureFault | null {
  try {
    loadFixtures(replacements);
    return null;
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    const { path, said } = error;
    const isKey = said === null;
    const message = isKey ? error.message.replace(/\.$/, "") : `fixtures.${path.map(String).join(".")}${words(said)}`;
    return { path: ["fixtures", ...path], isKey, message: message.slice(0, MOST_TOLD) };
  }
}

/** What the schema of the data says, as the end of a sentence that begins with the place. */
function words(said: string): string {
  const [, expected] = /^Invalid (?:input|option): expected (.+?)(?:, received .*)?$/.exec(said) ?? [];
  if (expected !== undefined) return ` must be ${EXPECTED[expected] ?? expected}`;
  return said.startsWith("must ") ? ` ${said}` : `: ${said}`;
}
