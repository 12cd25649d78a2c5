/** The command line: one file per command. Exit code 0: done; 1: the answer is no; 2: it could not be done. */
import { Command, CommanderError } from "commander";
import { UserError } from "../domain/user-error.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { faultText } from "../domain/words/thrown.ts";
import { packageVersion } from "../package-version.ts";
import { endOnSignal, leaveOnSignal } from "./signals.ts";
import { tell, tellLines } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";
import { forgetUnsetVariables } from "./variables.ts";

/** Runs a command line; sets `process.exitCode`. */
export async function main(args: readonly string[]): Promise<void> {
  outliveReaders();
  forgetUnsetVariables();
  let program: Command | undefined;
  try {
    refuseUnknownCommand(args);
    refuseWayBack(args);
    const wanted = wantedBy(args);
    if (wanted.length === 1 && wanted[0] === DEFAULT_COMMAND) leaveOnSignal();
    else endOnSignal();
    program = await commandLine(wanted, hintAbout(args));
    refuseOptionForValue(program.commands, args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = exitCodeOf(error, program?.commands ?? [], args);
  }
}

/** TABLE: the commands, each loaded only when needed: a health check need not wait for the server's code. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./commands/serve.ts")).serveCommand(),
  check: async () => (await import("./commands/check.ts")).checkCommand(),
  run: async () => (await import("./commands/run.ts")).runCommand(),
  advance: async () => (await import("./commands/advance.ts")).advanceCommand(),
  trigger: async () => (await import("./commands/trigger.ts")).triggerCommand(),
  tail: async () => (await import("./commands/tail.ts")).tailCommand(),
  resend: async () => (await import("./commands/resend.ts")).resendCommand(),
  explain: async () => (await import("./commands/explain.ts")).explainCommand(),
  export: async () => (await import("./commands/export.ts")).exportCommand(),
  replay: async () => (await import("./commands/replay.ts")).replayCommand(),
  report: async () => (await import("./commands/report.ts")).reportCommand(),
  coverage: async () => (await import("./commands/coverage.ts")).coverageCommand(),
  health: async () => (await import("./commands/health.ts")).healthCommand(),
  init: async () => (await import("./commands/init.ts")).initCommand(),
  schema: async () => (await import("./commands/schema.ts")).schemaCommand(),
  openapi: async () => (await import("./commands/openapi.ts")).openapiCommand(),
};

const DEFAULT_COMMAND = "serve";

/** First arguments whose output is about all commands. */
const ABOUT_ALL: readonly string[] = ["help", "-h", "--help", "-V", "--version"];

/** First arguments for which no command has to be loaded. */
const ABOUT_NONE: readonly string[] = ["-V", "--version"];

/** The command that the arguments are for; all commands if they are for none of them. */
function wantedBy([first]: readonly string[]): readonly string[] {
  if (first !== undefined && ABOUT_NONE.includes(first)) return [];
  if (first !== undefined && first in commands) return [first];
  if (first === undefined || (first.startsWith("-") && !ABOUT_ALL.includes(first))) return [DEFAULT_COMMAND];
  return Object.keys(commands);
}

/** A hint at the end of a refusal if options stand before the command: there they count as the server's. */
function hintAbout([first = "", ...others]: readonly string[]): string {
  const named = others.find((word) => Object.hasOwn(commands, word));
  const isBefore = first.startsWith("-") && !ABOUT_ALL.includes(first) && named !== undefined;
  return isBefore ? ` (options go behind the command: payments-sandbox ${named} …)` : "";
}

/** The command line with the named commands. @param hint ends refusals of options and arguments. */
export async function commandLine(
  names: readonly string[] = Object.keys(commands),
  hint: string = "",
): Promise<Command> {
  const program = new Command("payments-sandbox")
    .description("A multi-currency payments service on your own machine, with a clock you steer.")
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text) => tell(refusal(text, hint)) })
    .addHelpText("after", "\nThe options of the server: payments-sandbox serve --help");
  for (const name of names) {
    const command = await commands[name]?.();
    if (command) program.addCommand(command, { isDefault: name === DEFAULT_COMMAND });
  }
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  return program;
}

/** Tells what ended a command: an error that its user can correct in a line, any other as a fault of the sandbox. */
function exitCodeOf(error: unknown, ran: readonly Command[], args: readonly string[]): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UserError) {
    tell(withVariable(error.message, ran, args));
    return error instanceof UsageError ? error.exitCode : 2;
  }
  if (isWithoutFolder(error)) tell("The working folder is gone: change to one that is there.");
  else tellLines(faultText(error));
  return 2;
}

/** Whether a path could not be resolved because somebody removed the folder that the command runs in. */
function isWithoutFolder(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.syscall === "uv_cwd";
}

/** If a message begins with an option whose value came from the environment, names the variable in front of it. */
function withVariable(message: string, ran: readonly Command[], args: readonly string[]): string {
  const [flag = ""] = /^--[\w-]+/.exec(message) ?? [];
  const options = ran.flatMap((command) => command.options).filter(({ long }) => long === flag);
  // A value that is refused while it is read has no source yet: it is the variable's if the option is not given.
  const isGiven = args.some((word) => word === flag || word.startsWith(`${flag}=`));
  const variable = options.find(({ envVar }) => envVar && process.env[envVar] !== undefined)?.envVar;
  return variable && !isGiven ? message.replace(flag, `${variable} (${flag})`) : message;
}

/** Commander passes an unknown command to the default one, which would complain about too many arguments. */
function refuseUnknownCommand([first, second]: readonly string[]): void {
  const named = first === "help" ? second : first;
  if (named === undefined || named.startsWith("-")) return;
  const names = [...Object.keys(commands), "help"];
  if (names.includes(named)) return;
  throw new UsageError(sentence(`There is no command "${named}"${didYouMean(named, names)}`));
}

/** Refuses a negative duration, which Commander would take for an option. */
function refuseWayBack([command, ...words]: readonly string[]): void {
  const back = command === "advance" ? words.find((word) => /^-(P|\d)/.test(word)) : undefined;
  if (back === undefined) return;
  const way = "to come back to an instant, take a snapshot there and restore it";
  throw new UsageError(`The clock goes forward only, and not by ${back}; ${way}.`);
}

/** Commander takes the next word as a value even if it is an option; `--option=--other` is how to mean that. */
function refuseOptionForValue([command, ...others]: readonly Command[], args: readonly string[]): void {
  if (command === undefined || others.length > 0) return;
  const known = ["--", "-h", "--help", ...command.options.map(({ long }) => long)];
  for (const [index, word] of args.entries()) {
    if (word === "--") return;
    const next = args[index + 1];
    const wantsValue = command.options.some(({ long, required }) => required && long === word);
    if (next === undefined || !wantsValue || !known.includes(next.replace(/=.*/s, ""))) continue;
    throw new UsageError(`${word} is given no value: ${next} comes right behind it.`);
  }
}

/** Puts the refusal on one line; Commander's suggestion, if there is one, is better than the hint. */
function refusal(text: string, hint: string): string {
  const line = text
    .replace(/^error: /, "")
    .trim()
    .replaceAll("\n", " ");
  return line.includes("Did you mean") ? line : line + hint;
}

/**
 * A reader of stdout that goes away, as in `payments-sandbox | head -1`, does not end the process; another error of
 * stdout, such as a full disk, does. Errors of stderr are ignored: nobody could be told.
 */
function outliveReaders(): void {
  process.stderr.on("error", () => {});
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    const reason = code === "ENOSPC" ? "the disk is full" : message;
    tell(`Standard output takes nothing more: ${reason}.`);
    process.exit(2);
  });
}
