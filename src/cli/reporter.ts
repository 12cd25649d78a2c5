/** Which report a command line asks for. */
import type { Command } from "commander";
import { UsageError } from "./usage-error.ts";

/** The format that `--reporter` or its short form `--json` asks for. @throws {UsageError} if they ask for two. */
export function chosenReporter<Name extends string>(
  { reporter, json }: { readonly reporter: Name; readonly json?: boolean },
  command: Command,
): Name | "json" {
  if (!json) return reporter;
  const isOther = reporter !== "json" && command.getOptionValueSource("reporter") === "cli";
  if (isOther) throw new UsageError(`--json and --reporter ${reporter} ask for two reports; leave one of them out.`);
  return "json";
}
