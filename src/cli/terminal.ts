/** What commands print, and what their terminal can show. */
import { visible } from "../domain/words/visible.ts";

/** Tells something on stderr, on a line of its own; words of files and callers are made safe to print. */
export function tell(words: string): void {
  process.stderr.write(`payments-sandbox: ${visible(words)}\n`);
}

/** What `--json` prints of a value: lines of JSON. */
export function jsonLines(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Colours are used on terminals only, and not if `NO_COLOR` is set. */
export function terminal(): { colours: boolean } {
  return { colours: process.stdout.isTTY === true && !process.env.NO_COLOR };
}

/** Whether stderr is a terminal on which a line can be overwritten. */
export function showsProgress(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== "dumb";
}

/** A word of a command to paste, quoted if a shell would interpret it: zsh, for one, expands brackets to files. */
export function shellWord(word: string): string {
  if (/^[\w./\\:-]+$/.test(word)) return word;
  // Shells interpret these characters within double quotes too.
  return /["$`]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
