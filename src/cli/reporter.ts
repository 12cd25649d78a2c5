/** Which report a command line asks for. */
import type { Command } from "commander";
import { UsageError } from "./usage-error.ts";

/** What `--reporter` and its short form `--json` come to. @throws {UsageError} where they ask for two reports. */
export function chosenReporter<Name extends string>(
  { reporter, json }: { readonly reporter: Name; readonly json?: boolean },
  command: Command,
): Name | "json" {
  if (!json) return reporter;
  const isOther = reporter !== "json" && command.getOptionValueSource("reporter") === "cli";
  if (isOther) throw new UsageError(`--json and --reporter ${reporter} ask for two reports; leave one of them out.`);
  return "json";
}
