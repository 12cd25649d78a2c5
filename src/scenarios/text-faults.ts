/** Faults of a scenario file's text that are found before it is parsed as YAML. */
import { inMebibytes } from "../domain/words/mebibytes.ts";

/** A fault at a character of a text. */
export interface TextFault {
  readonly offset: number;
  readonly message: string;
}

/** The most bytes of a scenario file. */
export const MAX_SCENARIO_BYTES = 2 * 1024 * 1024;

/** A text without the byte order mark that Windows programs write at the beginning. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

// All control characters except tab, line feed and carriage return.
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** The character that invalid UTF-8 is decoded to; a file that means the character itself can write "\uFFFD". */
const REPLACEMENT = "\uFFFD";

/** @returns all faults of a text on this level; empty if it can be parsed as YAML. */
export function textFaults(text: string): TextFault[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SCENARIO_BYTES) {
    const message = `the file is too large: a scenario has at most ${inMebibytes(MAX_SCENARIO_BYTES)}`;
    return [{ offset: 0, message }];
  }
  const fault = encodingFault(text);
  if (fault !== null) return [fault];
  if (hasLostItsLines(text)) {
    const message = text.includes("\r")
      ? "the lines of the file end as on old Macs, with a carriage return alone; save it with line feeds"
      : "the file is one line, and was several; curl keeps the line ends with --data-binary, not with -d";
    return [{ offset: 0, message }];
  }
  return jsonComments(text);
}

/** A fault that shows that a file is not UTF-8, or not text at all; null if there is none. */
export function encodingFault(text: string): TextFault | null {
  if (text.includes("\0")) {
    return { offset: 0, message: "the file is no text in UTF-8; if it is text, save it as UTF-8" };
  }
  const undecoded = text.indexOf(REPLACEMENT);
  if (undecoded >= 0) return { offset: undecoded, message: "this character is not in UTF-8; save the file as UTF-8" };
  const control = CONTROL.exec(text);
  if (!control) return null;
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return { offset: control.index, message: `the control character U+${code} has no place in a text; take it out` };
}

/** Whether a file's line ends were lost: its keys are all on one line, or all in the comment that it began with. */
function hasLostItsLines(text: string): boolean {
  const line = text.trim();
  if (line.includes("\n") || line.startsWith("{")) return false;
  const [read = ""] = line.startsWith("#") ? [line] : line.split(" #", 1);
  const name = read.indexOf("scenario:");
  return name >= 0 && /(description|with|settings|rules|merchant|expect):/.test(read.slice(name));
}

/** A quote, a YAML comment, or the beginning of a JavaScript comment. */
const QUOTES_AND_COMMENTS = /"|#[^\n]*|(?<=^|[\s,{}[\]"])\/[/*]/gm;

/** A quote or line end, which ends a quoted text, or an escape, which does not. */
const ENDS_AND_ESCAPES = /["\n]|\\./g;

/** Finds JavaScript comments in a document written as JSON. */
function jsonComments(text: string): TextFault[] {
  if (!/^\s*(\{|\/[/*])/.test(text)) return [];
  const faults: TextFault[] = [];
  let place = 0;
  // After a quote that is not closed on its line, the rest of the line is not read as quoted texts.
  let unclosedUntil = 0;
  for (;;) {
    QUOTES_AND_COMMENTS.lastIndex = place;
    const found = QUOTES_AND_COMMENTS.exec(text);
    if (!found) return faults;
    const [part] = found;
    place = found.index + part.length;
    if (part.startsWith("/")) {
      faults.push({ offset: found.index, message: "JSON has no comments; in YAML they begin with #" });
    } else if (part === '"' && place > unclosedUntil) {
      const end = endOfText(text, place);
      if (text[end] === '"') place = end + 1;
      else unclosedUntil = end;
    }
  }
}

/** Where a quoted text is closed, or else its line ends. Goes step by step, as texts may have megabytes. */
function endOfText(text: string, from: number): number {
  ENDS_AND_ESCAPES.lastIndex = from;
  for (;;) {
    const found = ENDS_AND_ESCAPES.exec(text);
    if (!found) return text.length;
    if (!found[0].startsWith("\\")) return found.index;
  }
}
