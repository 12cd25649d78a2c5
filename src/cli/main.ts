/** The command line: one file per command; exit 0 done, 1 the answer is no, 2 it could not be done. */
import { Command, CommanderError } from "commander";
import { packageVersion } from "../package-version.ts";
import { checkCommand } from "./check.ts";
import { healthCommand } from "./health.ts";
import { serveCommand } from "./serve.ts";
import { UsageError } from "./usage-error.ts";

/** Runs a command line; the exit code is left in `process.exitCode`. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command("payments-sandbox")
    .description("A multi-currency payments service on your own machine, with a clock you steer.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`payments-sandbox: ${text.replace(/^error: /, "")}`) })
    .addCommand(serveCommand(), { isDefault: true })
    .addCommand(checkCommand())
    .addCommand(healthCommand());
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    process.stderr.write(`payments-sandbox: ${error.message}\n`);
    return error.exitCode;
  }
  throw error;
}
