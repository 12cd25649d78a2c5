import { accessSync, constants, existsSync, lstatSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import { isFile, isFolder, makeFolder } from "../../host/files.ts";
import { type CiFile, ciFiles } from "../project-files/ci-files.ts";
import { SETTINGS_FILE, settingsFile, starterScenario } from "../project-files/first-files.ts";
import { print, shellWord } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { forWriting } from "../written-file.ts";

interface RawInitOptions {
  readonly ci: keyof typeof ciFiles | "all";
  readonly force?: boolean;
  readonly json?: boolean;
}

/**
 * `payments-sandbox init [DIR]`: a starter scenario, a settings file and a CI job, for a new project. Exit 1, with
 * nothing written, if one of the files exists; but a given `--ci` adds its own to what exists.
 */
export function initCommand(): Command {
  return new Command("init")
    .description("write a starter scenario, a settings file and a CI job")
    .argument("[dir]", "the folder to write them to", ".")
    .addOption(
      new Option("--ci <kind>", "how CI gets a sandbox").choices([...Object.keys(ciFiles), "all"]).default("github"),
    )
    .option("--force", "write over files that are there")
    .option("--json", "print what was written as JSON")
    .action((folder: string, options: RawInitOptions, command: Command) =>
      init(folder, options, command.getOptionValueSource("ci") === "cli"),
    );
}

const STARTER = "scenarios/starter.yaml";
/** Not in the folder of the scenarios, as all files in it count as scenarios. */
const SCHEMA = "scenario.schema.json";

async function init(folder: string, { ci, force: isForced = false, json = false }: RawInitOptions, isCiNamed: boolean) {
  const chosen = ci === "all" ? Object.values(ciFiles) : [ciFiles[ci]];
  const isThere = (file: string) => existsSync(join(folder, file));
  const isAdding = isCiNamed && !isForced && chosen.some(({ file }) => !isThere(file));
  const all = await filesFor(folder, chosen);
  const files = isAdding ? new Map([...all].filter(([file]) => isMissing(file, isThere))) : all;
  const there = [...files.keys()].filter(isThere);
  if (there.length > 0 && !isForced) {
    const [are, them] = there.length === 1 ? ["is", "it"] : ["are", "them"];
    const named = there.map((file) => join(folder, file)).join(", ");
    throw new UsageError(`${named} ${are} there already, nothing was written; --force writes over ${them}.`, 1);
  }
  for (const file of files.keys()) refuseUnwritable(join(folder, file));
  for (const [file, content] of files) write(join(folder, file), content);
  const written = [...files.keys()].map((file) => join(folder, file));
  const story = join(folder, isThere(STARTER) ? STARTER : dirname(STARTER));
  // A path that begins with a dash would be taken for an option.
  const next = `npx payments-sandbox run ${shellWord(story.replace(/^-/, "./-"))}`;
  const lines = `${written.join("\n")}\nNext: ${next}\n`;
  print({ files: written, next }, lines, { json });
}

/** Whether an existing project lacks a file; one with a folder of scenarios needs no starter. */
function isMissing(file: string, isThere: (file: string) => boolean): boolean {
  const isOfStarter = file === STARTER || file === SCHEMA;
  return !isThere(isOfStarter ? dirname(STARTER) : file);
}

/** The contents to write, by path. */
async function filesFor(folder: string, chosen: readonly CiFile[]): Promise<ReadonlyMap<string, string>> {
  if (folder === "")
    throw new UsageError("The folder of init must have a name; leave it out to write into the current one.");
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new UsageError(`${folder} is no folder.`);
  const installed = installedSchema(resolve(folder));
  const schema = installed ?? join(resolve(folder), SCHEMA);
  const path = relative(dirname(join(resolve(folder), STARTER)), schema).replaceAll("\\", "/");
  const files = new Map([
    [STARTER, starterScenario(path)],
    [SETTINGS_FILE, settingsFile(SETTINGS_FILE)],
    ...chosen.map(({ file, text }): [string, string] => [file, text()]),
  ]);
  if (installed !== null) return files;
  const { scenarioJsonSchemaText } = await import("../../scenarios/json-schema.ts");
  return files.set(SCHEMA, scenarioJsonSchemaText());
}

/** The path of the schema in the installed package, seen from a folder; null if it is not installed. */
function installedSchema(folder: string): string | null {
  const path = join(folder, "node_modules/payments-sandbox/src/scenarios/scenario.schema.json");
  if (existsSync(path)) return path;
  const above = dirname(folder);
  return above === folder ? null : installedSchema(above);
}

/**
 * Checked before anything is written.
 * @throws {UsageError} if something else is in the way of a file or its folders, or one may not be written to.
 */
function refuseUnwritable(path: string, kind: "file" | "folder" = "file"): void {
  // A symbolic link to one can be written through.
  if (kind === "file" ? isFile(path) : isFolder(path)) {
    refuseForbidden(path);
    return;
  }
  const found = forWriting(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (found) throw new UsageError(`${path} is there already and no ${kind}, nothing was written; take it away first.`);
  refuseUnwritable(dirname(path), "folder");
}

function refuseForbidden(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new UsageError(`${path} may not be written to, so nothing was written; give yourself the right to first.`);
  }
}

function write(path: string, content: string): void {
  forWriting(path, () => {
    makeFolder(resolve(dirname(path)));
    writeFileSync(path, content);
  });
}
