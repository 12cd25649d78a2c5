/** Makes text of files and callers safe to print: a terminal would obey the control characters in it. */

// All control characters but tab and line feed.
const CONTROL = /[^\P{Cc}\t\n]/gu;

/** A text with its control characters escaped as `\u001b`; those for the terminal, such as colours, are added later. */
export function visible(text: string): string {
  return text.replace(CONTROL, unicodeEscape);
}

/** A text on one line: the line breaks in words of files and callers must not start a line of their own. */
export function oneLine(text: string): string {
  // Blanks in front of a break stay: to look for them from each blank on would take quadratic time.
  return text.replace(/\r?\n\s*/g, " ");
}

/** A character as the escape that JSON has for it: `\u001b`. */
export function unicodeEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
