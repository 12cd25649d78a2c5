/** What commands print, and what their terminal can show. */
import { sep } from "node:path";
import { visible } from "../domain/words/visible.ts";
import { faultLine } from "../store/storage-fault.ts";

/** Tells something on stderr, on a line of its own; words of files and callers are made safe to print. */
export function tell(words: string): void {
  tellLines(`payments-sandbox: ${words}\n`);
}

/** Tells of a fault of the sandbox, or of a store that takes nothing more. */
export function tellFault(error: unknown): void {
  process.stderr.write(faultLine(error));
}

/** Writes whole lines to stderr, made safe to print. */
export function tellLines(text: string): void {
  process.stderr.write(visible(text));
}

/** What `--json` prints of a value: lines of JSON. */
export function jsonLines(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Prints what a command found or did: as JSON with `--json`, else in words, made safe to print. */
export function print(found: unknown, words: string, { json: isJson = false }: { readonly json?: boolean }): void {
  process.stdout.write(isJson ? jsonLines(found) : visible(words));
}

/** Colours are used on terminals that have them only, and not if `NO_COLOR` is set. */
export function terminal(): { colours: boolean } {
  return { colours: process.stdout.isTTY === true && process.env.TERM !== "dumb" && !process.env.NO_COLOR };
}

/** Whether stderr is a terminal on which a line can be overwritten. */
export function showsProgress(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== "dumb";
}

/** Shows how far a command has come, in place of what was shown before; only where {@link showsProgress}. */
export function showProgress(line: string): void {
  process.stderr.write(`\r${visible(line)}\x1b[K`);
}

/** Takes the progress away, if it is shown, before something else is printed. */
export function clearProgress(): void {
  if (showsProgress()) showProgress("");
}

/** Lets the progress stand, if it is shown; what is printed next comes below it. */
export function endProgress(): void {
  if (showsProgress()) process.stderr.write("\n");
}

/** Words that no shell interprets; on Windows, a backslash stands between folders. */
const PLAIN = sep === "\\" ? /^[\w./\\:-]+$/ : /^[\w./:-]+$/;

/** What shells interpret within double quotes too, such as `!`, by which they repeat a former command. */
const INTERPRETED = sep === "\\" ? /["$`]/ : /["$`!\\]/;

/** A word of a command to paste, quoted if a shell would interpret it: zsh, for one, expands brackets to files. */
export function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  return INTERPRETED.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
