/** Finds what is not JSON in a `.json` file, in terms of JSON rather than YAML. */
import { createRequire } from "node:module";
import type { ParseError } from "jsonc-parser";
import { isJson } from "../domain/written-json.ts";
import { quoted } from "./problems.ts";
import type { TextFault } from "./text-faults.ts";

type Library = typeof import("jsonc-parser");

const OF_YAML = "a file of YAML ends with .yaml, and is posted as application/yaml";
const NO_JSON = `this is no JSON, where names and texts are in double quotes; ${OF_YAML}`;

/** So much of a wrong number is looked at, on both sides of the fault. */
const MAX_DIGITS = 40;

/** TABLE: words of other languages for values of JSON. */
const MEANT: ReadonlyMap<string, string> = new Map(["None", "nil", "undefined", "NaN"].map((word) => [word, "null"]));

/** TABLE: messages by the library's name of a fault; null if the YAML parser's message is better. */
const wordsByFault: Readonly<Record<string, (found: string) => string | null>> = {
  CommaExpected: (found) => bracketWords(found) ?? "a comma is missing between this and what stands before it",
  ColonExpected: () => 'a ":" is missing before this',
  InvalidCharacter: () => "a tab within a text of JSON is written \\t",
  UnexpectedEndOfString: () => "a text of JSON is closed in its line; a line break within it is written \\n",
  EndOfFileExpected: (found) => bracketWords(found) ?? "the document ended before this",
  InvalidCommentToken: () => `JSON has no comments, but YAML has; ${OF_YAML}`,
  InvalidSymbol: symbolWords,
  PropertyNameExpected: (found) => (/^[,}\]]/.test(found) ? commaWords(found) : NO_JSON),
  ValueExpected: commaWords,
};

/** A fault for a text that is valid YAML, but not JSON. */
export function otherThanJson(text: string): TextFault[] {
  return isJson(text) ? [] : [{ offset: 0, message: NO_JSON }];
}

/** The first fault of a text that begins like a JSON object, if it can be told by the rules of JSON; else none. */
export function jsonFaults(text: string): TextFault[] {
  if (!text.trimStart().startsWith("{") || isJson(text)) return [];
  const found = firstFault(text);
  if (found === null) return [];
  const number = numberFault(text, found.offset);
  if (number) return [number];
  const message = wordsByFault[found.name]?.(text.slice(found.offset, found.offset + 200));
  return message ? [{ offset: found.offset, message }] : [];
}

/** The library's first fault, or null; null also if the text is nested too deep for the library. */
function firstFault(text: string): { name: string; offset: number } | null {
  const errors: ParseError[] = [];
  const { parse, printParseErrorCode } = createRequire(import.meta.url)("jsonc-parser") as Library;
  try {
    parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  const [first] = errors;
  if (!first) return null;
  const name = printParseErrorCode(first.error);
  return { name, offset: placeOf(name, first.offset, text) };
}

/** Where a fault lies in what begins as a number, such as `01`, `.5`, `+1` or `5s`: what is wrong with that. */
function numberFault(text: string, offset: number): TextFault | null {
  const [begun = ""] = /[+-]?[\d.]*$/.exec(text.slice(Math.max(0, offset - MAX_DIGITS), offset)) ?? [];
  const [rest = ""] = /^[^\s,:{}[\]"']+/.exec(text.slice(offset, offset + MAX_DIGITS)) ?? [];
  const number = begun + rest;
  if (rest === "" || !/^[+-]?\.?\d/.test(number) || isJson(number)) return null;
  const words = /^([+-]?0\d|[+-]?\.\d|\+\d|-?\d+\.$)[\d.]*$/.test(number)
    ? ", which has no + and no further 0 in front, and a digit before and behind a point"
    : "; a text is in double quotes";
  return { offset: offset - begun.length, message: `${quoted(number)} is no number of JSON${words}` };
}

/** Where a fault is: a trailing comma itself rather than the closing bracket after it, a tab rather than its text. */
function placeOf(name: string, offset: number, text: string): number {
  if (name === "InvalidCharacter") return text.indexOf("\t", offset);
  const isClosing = /^[}\]]/.test(text.slice(offset, offset + 1));
  const before = text.slice(0, offset).trimEnd();
  return isClosing && before.endsWith(",") ? before.length - 1 : offset;
}

function bracketWords(found: string): string | null {
  const [bracket] = /^[}\]]/.exec(found) ?? [];
  return bracket === undefined ? null : `this ${bracket} closes nothing`;
}

function commaWords(found: string): string | null {
  if (found.startsWith(",")) return "this comma is one too many: a .json file is JSON";
  return found === "" ? null : NO_JSON;
}

function symbolWords(found: string): string {
  if (found.startsWith(";")) return "a comma stands between values of JSON, and no ;";
  if (found.startsWith("#")) return "JSON has no comments; in YAML they begin with #";
  const [word = ""] = /^\w+/.exec(found) ?? [];
  const small = word.toLowerCase();
  const meant = ["true", "false", "null"].includes(small) ? small : MEANT.get(word);
  return meant === undefined ? NO_JSON : `${quoted(word)} is no value of JSON; did you mean ${meant}?`;
}
