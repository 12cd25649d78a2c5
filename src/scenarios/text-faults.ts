/** What can be wrong with the text of a scenario file before it is read as YAML. */

/** Something wrong at a character of a text. */
export interface TextFault {
  readonly offset: number;
  readonly message: string;
}

/** A scenario file has at most so many bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

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
  if (text.includes("\0")) {
    return [{ offset: 0, message: "the file is no text in UTF-8; if it is text, save it as UTF-8" }];
  }
  const undecoded = text.indexOf(REPLACEMENT);
  if (undecoded >= 0) return [{ offset: undecoded, message: "this character is not in UTF-8; save the file as UTF-8" }];
  const control = CONTROL.exec(text);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return [{ offset: control.index, message: `the control character U+${code} has no place in a text; take it out` }];
  }
  return jsonComments(text);
}

/** TABLE: what a JSON text is made of, as far as comments are concerned; of a text with the quote that closes it. */
const JSON_PARTS = /"[^"\\\n]*(?:\\.[^"\\\n]*)*("?)|#[^\n]*|(?<=^|[\s,{}[\]"])\/[/*]/gm;

/** The same beyond a quote that nothing closes in its line. */
const UNQUOTED_PARTS = /#[^\n]*|(?<=^|[\s,{}[\]"])\/[/*]/gm;

/** Comments as JavaScript has them, in a document that is written as JSON. */
function jsonComments(text: string): TextFault[] {
  if (!/^\s*(\{|\/[/*])/.test(text)) return [];
  const offsets = [...text.matchAll(JSON_PARTS)].flatMap(({ 0: part, 1: closed, index }) => {
    if (part.startsWith("/")) return [index];
    return closed === "" ? commentsIn(part).map((offset) => index + offset) : [];
  });
  return offsets.map((offset) => ({
    offset,
    message: "JSON has no comments; in YAML they begin with #",
  }));
}

/** Where comments begin in a part that a quote begins and none ends. */
function commentsIn(part: string): number[] {
  return [...part.matchAll(UNQUOTED_PARTS)].filter(([found]) => found.startsWith("/")).map(({ index }) => index);
}
