import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { addRemoteOptions, type RemoteOptions, withWorld } from "../remote.ts";
import { print } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { forWriting } from "../written-file.ts";

/** `payments-sandbox export FILE`: writes all that a world's history follows from, to replay it elsewhere. */
export function exportCommand(): Command {
  const command = new Command("export")
    .description("write the bundle of a world: what came from outside, and its journal, for `replay`")
    .argument("<file>", "file to write; - for stdout")
    .option("--json", "print what was written as JSON")
    .action(exportBundle);
  return addRemoteOptions(command);
}

async function exportBundle(file: string, options: RemoteOptions): Promise<void> {
  if (file === "") throw new UsageError("The file to write must have a name; - stands for stdout.");
  const bundle = await withWorld(options, (world) => world.export());
  const text = `${JSON.stringify(bundle)}\n`;
  if (file === "-") return void process.stdout.write(text);
  forWriting(file, () => writeFileSync(file, text));
  const written = { file, world: bundle.world.id, entries: bundle.journal.length, inputs: bundle.inputs.length };
  const line = `${file}: the world ${written.world}, ${written.entries} entries from ${written.inputs} inputs.\n`;
  print(written, line, options);
}
