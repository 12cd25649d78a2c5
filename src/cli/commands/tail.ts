import { Command } from "commander";
import type { JournalEntryInfo } from "../../client/control-types.ts";
import { didYouMean, sentence } from "../../domain/words/near-name.ts";
import { oneLine, visible } from "../../domain/words/visible.ts";
import { entrySentences, tellEntry } from "../../insight/sentences/entry-sentences.ts";
import { globOf } from "../../scenarios/conditions.ts";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { tell } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

interface RawTailOptions extends RemoteOptions {
  readonly kind?: string[];
  readonly subject?: string;
  readonly after?: string;
  readonly all?: boolean;
}

/** `payments-sandbox tail`: follows the journal of a running sandbox. */
export function tailCommand(): Command {
  const command = new Command("tail")
    .description("follow what happens in a world, through resets and restores, until it goes away")
    .option("--kind <glob...>", "only entries of these kinds, such as webhook.* or transition")
    .option("--subject <id>", "only entries about this resource")
    .option("--all", "begin with the first entry of the journal")
    .option("--after <sequence>", "begin after this entry")
    .option("--json", "print one JSON object a line")
    .addHelpText("after", `\nKinds of entries:\n${kindsByFamily().join("\n")}`)
    .action(tail);
  return addRemoteOptions(command);
}

/** A line for each family of kinds, such as `webhook.*`; the last line has the kinds without a family. */
function kindsByFamily(): string[] {
  const families = Map.groupBy(Object.keys(entrySentences), (kind) => (kind.includes(".") ? kind.split(".")[0] : ""));
  const alone = families.get("") ?? [];
  families.delete("");
  return [...families.values(), alone].map((kinds) => `  ${kinds.join(", ")}`);
}

async function tail(options: RawTailOptions): Promise<void> {
  if (options.all && options.after !== undefined) {
    throw new UsageError("--all and --after begin at two places; leave one of them out.");
  }
  const after = options.all ? "0" : options.after;
  if (after !== undefined && !/^\d{1,15}$/.test(after)) {
    throw new UsageError(`--after takes the number of a journal entry, not "${after}".`);
  }
  if (options.subject === "") throw new UsageError("--subject takes the id of a resource, and is empty.");
  for (const glob of options.kind ?? []) refuseUnknownKind(glob);
  const kinds = options.kind?.map(globOf);
  // The reader has seen enough, as in `tail --all | head -1`.
  process.stdout.once("error", () => process.exit());
  await withWorld(options, async (world) => {
    for await (const entry of world.follow(after, { onNewHistory: tellNewHistory })) {
      const wanted = !kinds || kinds.some((kind) => kind.test(entry.kind));
      const about = options.subject === undefined || entry.subject === options.subject;
      if (wanted && about) process.stdout.write(options.json ? `${JSON.stringify(entry)}\n` : line(entry));
    }
  });
}

function tellNewHistory(): void {
  tell("The world was reset or restored: this is its new history, from the start.");
}

/** @throws {UsageError} for a glob that matches no kind of entry, with the nearest that does. */
function refuseUnknownKind(glob: string): void {
  const kinds = Object.keys(entrySentences);
  if (kinds.some((kind) => globOf(glob).test(kind))) return;
  const families = kinds.filter((kind) => kind.includes(".")).map((kind) => kind.replace(/\..*/, ".*"));
  const names = glob.includes("*") ? [...new Set(families)] : kinds;
  throw new UsageError(sentence(`No entry of the journal is of the kind "${glob}"${didYouMean(glob, names)}`));
}

function line(entry: JournalEntryInfo): string {
  const { at, subject, rule } = entry;
  const text = tellEntry({ ...entry, at: Date.parse(at) }, undefined);
  const about = subject !== null && !text.includes(subject) ? ` [${subject}]` : "";
  const why = rule && !text.includes(rule) ? ` (${rule})` : "";
  return `${visible(oneLine(`${at} ${text}${about}${why}`))}\n`;
}
