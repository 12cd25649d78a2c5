/** The command line of `npm run bench`. */
import { parseArgs } from "node:util";
import type { Scale } from "./results.ts";

/** What is to be done. */
export interface Options {
  /** Measures, in the order of the table. */
  readonly names: readonly string[];
  readonly scale: Scale;
  /** Where the figures go: a file, "-" for standard output. */
  readonly json: string;
  /** A file of figures to show in place of measuring; null to measure. */
  readonly from: string | null;
  /** Whether the table goes into the README. */
  readonly readme: boolean;
}

/** A command line that says nothing that can be done; the message says why. */
export class OptionsError extends Error {
  override readonly name = "OptionsError";
}

/** Ignored by git. */
const DEFAULT_JSON = "bench/latest.json";

/** As much as fits into a few minutes, and as much as the targets speak of. */
const USUAL: Scale = { transactions: 100_000, pending: 1_000_000 };
const FULL: Scale = { transactions: 1_000_000, pending: 1_000_000 };

/**
 * Reads the arguments.
 * @param known names of measures. @param onlyByName those that are left out unless they are named.
 * @throws {OptionsError}
 */
export function readOptions(args: readonly string[], known: readonly string[], onlyByName: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new OptionsError(`There is no measure "${unknown}"; there are ${known.join(", ")}.`);
  }
  const names = known.filter((name) =>
    positionals.length > 0 ? positionals.includes(name) : !onlyByName.includes(name),
  );
  const { json = DEFAULT_JSON, from = null, readme = false, full = false } = values;
  if (readme && positionals.length > 0) {
    throw new OptionsError("The README shows all figures of one run: leave out the names, or --readme.");
  }
  if (from !== null && positionals.length > 0) {
    throw new OptionsError("--from shows what was measured before: leave out the names, or --from.");
  }
  return { names, scale: full ? FULL : USUAL, json, from, readme };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: "string" },
        from: { type: "string" },
        readme: { type: "boolean" },
        full: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new OptionsError(
      `${(error as Error).message.split(".")[0]}; there are --json FILE, --full, --readme, --from FILE.`,
    );
  }
}
