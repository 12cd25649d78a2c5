/** Text of files and callers on a terminal, which would obey the control characters in it. */

// All control characters but tab and the end of a line.
const CONTROL = /[^\P{Cc}\t\n]/gu;

/** A text with its control characters written as `\u001b`; what a terminal is to obey is added after it. */
export function visible(text: string): string {
  return text.replace(CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
