import { readFileSync } from "node:fs";
import { text as textIn } from "node:stream/consumers";
import { Command } from "commander";
import { counted } from "../../domain/words/counted.ts";
import { sentence, withoutStop } from "../../domain/words/near-name.ts";
import { type Bundle, type BundledEntry, BundleError, readBundle } from "../../history/bundle.ts";
import { type ReplayOutcome, replay } from "../../history/replay.ts";
import { playersOf } from "../../http/players.ts";
import { packageVersion } from "../../package-version.ts";
import { withoutMark } from "../../scenarios/text-faults.ts";
import { print, tellFault } from "../terminal.ts";
import { reasonUnread } from "../unread-file.ts";
import { UsageError } from "../usage-error.ts";

/** `payments-sandbox replay FILE`: replays a bundle in this process, and compares the result with its journal. */
export function replayCommand(): Command {
  return new Command("replay")
    .description("play a bundle again and say whether its journal is the same byte for byte, or where it differs")
    .argument("<file>", "a bundle that `export` wrote; - for stdin")
    .option("--json", "print the outcome as JSON")
    .action(replayFile);
}

/** Exit 1 if it differs. */
async function replayFile(file: string, options: { json?: boolean }): Promise<void> {
  const { bundle, outcome } = await played(file);
  print(outcome, pretty(file, bundle, outcome), options);
  if (!outcome.identical) process.exitCode = 1;
}

/** @throws {UsageError} if the file cannot be read, is no bundle of this version, or makes no world. */
async function played(file: string): Promise<{ bundle: Bundle; outcome: ReplayOutcome }> {
  const given = parsed(file, await textOf(file));
  try {
    const bundle = readBundle(given);
    const { outcome } = await replay(bundle, playersOf(tellFault));
    return { bundle, outcome };
  } catch (error) {
    if (error instanceof BundleError) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return file === "-" ? await textIn(process.stdin) : readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${reasonUnread(error)}.`);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(withoutMark(text));
  } catch {
    const why = text.includes("\0") ? "it is no text in UTF-8" : "it is no JSON, or only the beginning of it";
    throw new UsageError(`${file}: This is no bundle: ${why}.`);
  }
}

function pretty(file: string, bundle: Bundle, { entries, difference, made_by }: ReplayOutcome): string {
  const size = counted(entries, "entry", "entries");
  if (!difference) return `${file}: identical, ${size}.\n`;
  const { sequence, expected, actual, reason } = difference;
  const last = bundle.journal.length;
  const place = sequence > last ? `after its last entry, ${last}` : `at entry ${sequence} of ${last}`;
  const why = reason === null ? "" : `: ${withoutStop(reason)}`;
  const own = packageVersion();
  return [
    sentence(`${file}: differs ${place}${why}`),
    // All entries may be there, and fewer operations than there were.
    ...(expected || actual ? [`expected  ${shown(expected)}`, `actual    ${shown(actual)}`] : []),
    ...(own === made_by ? [] : [`The bundle was made by version ${made_by}; this is ${own}.`]),
    "",
  ].join("\n");
}

function shown(entry: BundledEntry | null): string {
  return entry === null ? "nothing" : JSON.stringify(entry);
}
