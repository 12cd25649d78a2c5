/** What the terminal of a command can show. */

/** Colours are for terminals whose user has nothing against them. */
export function terminal(): { colours: boolean } {
  return { colours: process.stdout.isTTY === true && !process.env.NO_COLOR };
}

/** Whether stderr is a terminal on which a line may be written over. */
export function showsProgress(): boolean {
  return process.stderr.isTTY === true && process.env.TERM !== "dumb";
}

/** A word of a command to be pasted, in quotes where a shell makes more of it: zsh looks for files by brackets. */
export function shellWord(word: string): string {
  if (/^[\w./\\:-]+$/.test(word)) return word;
  // Between double quotes these stand for something else, too.
  return /["$`]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
