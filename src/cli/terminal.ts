/** What the terminal of a command can show. */

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
