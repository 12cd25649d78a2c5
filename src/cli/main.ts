/** The command line: one file per command; exit 0 done, 1 the answer is no, 2 it could not be done. */
import { Command, CommanderError } from "commander";
import { closest } from "fastest-levenshtein";
import { packageVersion } from "../package-version.ts";
import { advanceCommand } from "./advance.ts";
import { checkCommand } from "./check.ts";
import { coverageCommand } from "./coverage.ts";
import { explainCommand } from "./explain.ts";
import { exportCommand } from "./export.ts";
import { healthCommand } from "./health.ts";
import { initCommand } from "./init.ts";
import { openapiCommand } from "./openapi.ts";
import { replayCommand } from "./replay.ts";
import { reportCommand } from "./report.ts";
import { resendCommand } from "./resend.ts";
import { runCommand } from "./run.ts";
import { schemaCommand } from "./schema.ts";
import { serveCommand } from "./serve.ts";
import { tailCommand } from "./tail.ts";
import { triggerCommand } from "./trigger.ts";
import { UsageError } from "./usage-error.ts";

/** Runs a command line; the exit code is left in `process.exitCode`. */
export async function main(args: readonly string[]): Promise<void> {
  outliveReaders();
  forgetEmptyVariables();
  const program = commandLine();
  try {
    refuseUnknownCommand(program, args[0]);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

/** The command line with all its commands. */
export function commandLine(): Command {
  const program = new Command("payments-sandbox")
    .description("A multi-currency payments service on your own machine, with a clock you steer.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`payments-sandbox: ${oneLine(text)}\n`) })
    .addHelpText("after", "\nThe options of the server: payments-sandbox serve --help")
    .addCommand(serveCommand(), { isDefault: true })
    .addCommand(checkCommand())
    .addCommand(runCommand())
    .addCommand(advanceCommand())
    .addCommand(triggerCommand())
    .addCommand(tailCommand())
    .addCommand(resendCommand())
    .addCommand(explainCommand())
    .addCommand(exportCommand())
    .addCommand(replayCommand())
    .addCommand(reportCommand())
    .addCommand(coverageCommand())
    .addCommand(healthCommand())
    .addCommand(initCommand())
    .addCommand(schemaCommand())
    .addCommand(openapiCommand());
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  return program;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    process.stderr.write(`payments-sandbox: ${error.message}\n`);
    return error.exitCode;
  }
  throw error;
}

/** Commander passes what it does not know on to the default command, which would complain of too many arguments. */
function refuseUnknownCommand(program: Command, first: string | undefined): void {
  if (first === undefined || first.startsWith("-")) return;
  const names = [...program.commands.map((command) => command.name()), "help"];
  if (names.includes(first)) return;
  throw new UsageError(`There is no command "${first}"; did you mean "${closest(first, names)}"?`);
}

/** Commander puts its suggestion on a line of its own. */
function oneLine(text: string): string {
  return text
    .replace(/^error: /, "")
    .trim()
    .replaceAll("\n", " ");
}

/** A reader that goes away, as in `payments-sandbox | head -1`, does not take the process with it. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** A variable that is set to nothing, as compose files do for those that are optional, is not set. */
function forgetEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith("PAYMENTS_SANDBOX_") && value === "") delete process.env[name];
  }
}
