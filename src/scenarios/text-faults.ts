/** What can be wrong with the text of a scenario file before it is read as YAML. */

/** Something wrong at a character of a text. */
export interface TextFault {
  readonly offset: number;
  readonly message: string;
}

/** A scenario file has at most so many bytes. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;

/** A text without the mark of UTF-8 that Windows programs write in front. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

// All control characters but tab and the ends of lines.
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** What a byte that is no UTF-8 is decoded to; whoever means the character itself can write "\uFFFD". */
const REPLACEMENT = "\uFFFD";

/** @returns nothing where the text can be read as YAML; else all that is wrong on this level. */
export function textFaults(text: string): TextFault[] {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_BYTES) {
    const most = MAX_FILE_BYTES / 1024 / 1024;
    return [{ offset: 0, message: `the file is too large: a scenario has at most ${most} MiB` }];
  }
  const fault = encodingFault(text);
  if (fault !== null) return [fault];
  if (hasLostItsLines(text)) {
    const message = "the file is one line, and was several; curl keeps the line ends with --data-binary, not with -d";
    return [{ offset: 0, message }];
  }
  return jsonComments(text);
}

/** What shows that a file which was read as UTF-8 is none, or no text at all; null where nothing does. */
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

/** The keys of a file one behind the other, or all of them in the comment that it began with. */
function hasLostItsLines(text: string): boolean {
  const line = text.trim();
  if (line.includes("\n") || line.startsWith("{")) return false;
  const [read = ""] = line.startsWith("#") ? [line] : line.split(" #", 1);
  const name = read.indexOf("scenario:");
  return name >= 0 && /(description|with|settings|rules|merchant|expect):/.test(read.slice(name));
}

/** A text's quote, or a comment; of JavaScript's comments where they begin. */
const QUOTES_AND_COMMENTS = /"|#[^\n]*|(?<=^|[\s,{}[\]"])\/[/*]/gm;

/** What ends a text, and what does not though it holds a quote. */
const ENDS_AND_ESCAPES = /["\n]|\\./g;

/** Comments as JavaScript has them, in a document that is written as JSON. */
function jsonComments(text: string): TextFault[] {
  if (!/^\s*(\{|\/[/*])/.test(text)) return [];
  const faults: TextFault[] = [];
  let place = 0;
  // Quotes of a line of which one is never closed are letters like any other.
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

/** Where the text that begins at a place is closed, or else its line ends. One step at a time: texts have megabytes. */
function endOfText(text: string, from: number): number {
  ENDS_AND_ESCAPES.lastIndex = from;
  for (;;) {
    const found = ENDS_AND_ESCAPES.exec(text);
    if (!found) return text.length;
    if (!found[0].startsWith("\\")) return found.index;
  }
}
