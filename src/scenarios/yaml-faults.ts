/** Errors of the YAML parser, in words for authors of files, at the place that has to be corrected. */
import type { Document, ErrorCode, Node, YAMLError } from "yaml";
import { withoutStop } from "../domain/words/near-name.ts";
import { quoted } from "./problems.ts";
import type { TextFault } from "./text-faults.ts";
import { yaml } from "./yaml-library.ts";

/** The message for content nested deeper than any scenario needs. */
export const TOO_DEEP = "this is nested too deep";

/** The message for a line that begins with other blanks than spaces. */
export const ODD_BEGINNING = "this line begins with blanks that are no spaces; use spaces";

const INDENTATION =
  "the indentation of this line fits nothing above it; keys that belong together begin in the same column";
const QUOTES_FOR_COLON = 'a text with ": " in it needs quotes';
const ENDED = "the value ended before this; a key needs its own line";
const NO_YAML = "this is no YAML: ";

/** TABLE: mistakes that a line itself shows, whatever the parser's error; each is at the end of the match. */
const slips: readonly { readonly form: RegExp; readonly message: string }[] = [
  {
    form: /^\s*(?=[\u2010-\u2015\u2212]\s)/u,
    message: 'an item of a list begins with the hyphen of the keyboard, "-"',
  },
  { form: /^\s*(?=-(?:[{[]|["'\w][\w.-]*["']?:(?:\s|$)))/, message: 'a blank is missing after the "-"' },
  { form: /^ *(?=[^\P{Zs} ]\s*(?:- |[\w-]+:))/u, message: ODD_BEGINNING },
  {
    form: /^\s*(?:- )?[\w-]+:(?=[^\P{Zs} ])/u,
    message: "what stands here looks like a blank and is none; type a plain one",
  },
];

/** What the words for an error are made from. */
interface Found {
  readonly error: YAMLError;
  readonly text: string;
  /** The text from the error's place on, up to 2000 characters. */
  readonly rest: string;
  /** The last quote or bracket that is not closed, if any. */
  readonly opened: TextFault | null;
}

type Words = (found: Found) => Partial<TextFault> & { readonly message: string };

/** TABLE: words for the parser's errors, by code; an offset, if given, is where the mistake was really made. */
const wordsByCode: Readonly<Partial<Record<ErrorCode, Words>>> = {
  TAB_AS_INDENT: () => ({ message: "a tab cannot indent a line; use spaces" }),
  BAD_INDENT: (found) =>
    extraBracketWords(found) ?? found.opened ?? { offset: firstOfLine(found), message: INDENTATION },
  BLOCK_AS_IMPLICIT_KEY: colonWords,
  MULTILINE_IMPLICIT_KEY: colonWords,
  BLOCK_IN_FLOW: ({ rest }) => ({
    message: /^[^\n]*: /.test(rest)
      ? `a comma is missing before this, or ${QUOTES_FOR_COLON}`
      : "within { } and [ ] all is written with { } and [ ]",
  }),
  MISSING_CHAR: (found) => found.opened ?? missingWords(found),
  BAD_ALIAS: ({ rest }) => ({ message: `a text that begins with ${rest[0] ?? "*"} needs quotes` }),
  BAD_SCALAR_START: ({ rest }) => ({ message: `a text that begins with ${rest[0] ?? "it"} needs quotes` }),
  BAD_DQ_ESCAPE: ({ rest }) => ({
    message: `${rest.slice(0, 2)} means nothing within double quotes; write \\${rest.slice(0, 2)}, or use single quotes`,
  }),
  DUPLICATE_KEY: ({ rest }) => ({ message: `the key ${quoted(/^[^\s:]*/.exec(rest)?.[0] ?? "")} is there already` }),
  KEY_OVER_1024_CHARS: () => ({ message: "a key has at most 1024 characters" }),
  MULTIPLE_DOCS: () => ({ message: "a file is one document; what follows --- goes into a file of its own" }),
  RESOURCE_EXHAUSTION: () => ({ message: TOO_DEEP }),
  TAG_RESOLVE_FAILED: ({ rest }) => ({ message: `${tagWords(/^\S+/.exec(rest)?.[0] ?? "!")}` }),
  UNEXPECTED_TOKEN: (found) => found.opened ?? unexpectedWords(found),
};

/** The message for a tag. */
export function tagWords(tag: string): string {
  return `tags such as ${tag.replace("tag:yaml.org,2002:", "!!")} are not supported; write the value alone, in quotes if it begins with !`;
}

/** The most errors put into words: a file with more is not worth reading on. */
const MOST_ERRORS = 100;

/** @returns at most one fault for each line, since one mistake may cause several errors in it. */
export function syntaxFaults(document: Document, text: string): TextFault[] {
  const version = /^%YAML.*/m.exec(text);
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== "1.2" && version) {
    return [{ offset: version.index, message: `files are YAML 1.2; take the line ${version[0]} out` }];
  }
  const all = [...document.errors, ...document.warnings].sort((left, right) => left.pos[0] - right.pos[0]);
  const beginning = all.length > 0 && indentedBeginning(text);
  if (beginning) return [beginning];
  // After such an error, the parser's further errors mean nothing.
  const last = all.findIndex((error) => isVariable(error, text) || isItem(error, text) || isStray(error, text));
  const errors = all.slice(0, last + 1 || all.length);
  const deep = errors.filter(({ code }) => code === "RESOURCE_EXHAUSTION").slice(0, 1);
  const opened = errors.length === 0 ? null : unclosed(document, text);
  const faults = (deep.length > 0 ? deep : errors.slice(0, MOST_ERRORS)).map((error) => faultOf(error, text, opened));
  const lines = new Map(faults.toReversed().map((fault) => [lineStart(text, fault.offset), fault]));
  const told = [...lines.values()].sort((left, right) => left.offset - right.offset);
  // After a value that ended too early, the errors for what follows mean nothing.
  return told.filter(({ message }, index) => index === 0 || !(message === ENDED || message.startsWith(NO_YAML)));
}

/** A fault if a file's first key is indented and later ones are not, which ends the document for the parser. */
function indentedBeginning(text: string): TextFault | null {
  const first = /^(?![^\S\n]*(?:#|---|%|$)).*$/m.exec(text);
  const indent = /^ +(?=[\w-]+:)/.exec(first?.[0] ?? "")?.[0].length;
  if (!first || indent === undefined || !/^[\w-]+:/m.test(text.slice(first.index))) return null;
  const message = "this line is indented, and keys below it are not; the keys of a file begin in the same column";
  return { offset: first.index + indent, message };
}

/** One of {@link slips} in the line of an error, or in the one that it is indented under; null if there is none. */
function slipIn(text: string, offset: number): TextFault | null {
  const start = lineStart(text, offset);
  // A line with two colons is at fault itself.
  const over = /^[^"'#{[\n]*:\s[^"'#{[\n]*:\s/.test(text.slice(start, start + 2_000))
    ? undefined
    : lineOver(text, start);
  return slipAt(text, start) ?? (over === undefined ? null : slipAt(text, over));
}

function slipAt(text: string, start: number): TextFault | null {
  const [line = ""] = text.slice(start, start + 2_000).split("\n", 1);
  for (const { form, message } of slips) {
    const found = form.exec(line);
    if (found) return { offset: start + found[0].length, message };
  }
  return null;
}

/** Where the line begins that a line is indented under; undefined if none of the 2000 characters above it is one. */
function lineOver(text: string, start: number): number | undefined {
  const from = Math.max(0, start - 2_000);
  const indent = /^[^\S\n]*/.exec(text.slice(start, start + 500))?.[0].length ?? 0;
  const lines = [...text.slice(from, start).matchAll(/^([^\S\n]*)[^\s#]/gm)];
  const over = lines.findLast(([, blanks = ""]) => blanks.length < indent);
  return over && from + over.index;
}

function faultOf(error: YAMLError, text: string, opened: TextFault | null): TextFault {
  const [offset] = error.pos;
  if (isVariable(error, text)) return { offset: offset - 1, message: variableWords(text.slice(offset, offset + 200)) };
  const found = { error, text, rest: text.slice(offset, offset + 2_000), opened };
  const slip = slipIn(text, offset);
  if (slip) return slip;
  const fault = wordsByCode[error.code]?.(found) ?? { message: NO_YAML + lowerFirst(error.message) };
  return { offset: fault.offset ?? offset, message: fault.message };
}

/** Whether an error is at an unquoted `${`, whose brace opens a map where none can be. */
function isVariable({ pos: [offset] }: YAMLError, text: string): boolean {
  return text.slice(Math.max(0, offset - 1), offset + 1) === "${";
}

function variableWords(rest: string): string {
  const [name = "{name}"] = /^\{[^{}\n]*\}/.exec(rest) ?? [];
  return `within { } and [ ] a text with \${ in it needs quotes, as in "$${name}"`;
}

/** Whether an error is at a list item where none can be. */
function isItem({ code, pos: [offset] }: YAMLError, text: string): boolean {
  const isKey = code === "BLOCK_AS_IMPLICIT_KEY" || code === "MULTILINE_IMPLICIT_KEY";
  return isKey && /^\s*- /.test(text.slice(offset, offset + 2_000));
}

/** Whether an error is at a bracket that closes nothing. */
function isStray({ code, pos: [offset] }: YAMLError, text: string): boolean {
  return code === "UNEXPECTED_TOKEN" && BRACKETS.includes(text[offset] ?? "");
}

const BRACKETS: readonly string[] = ["}", "]"];

/** Words for a bracket that closes nothing before the one that closes what is open; null if there is none. */
function extraBracketWords({ text, rest, opened }: Found): { message: string } | null {
  const [, extra, next] = /^([}\]])\s*([}\]])/.exec(rest) ?? [];
  const closing = opened && CLOSING[text[opened.offset] ?? ""];
  return extra !== undefined && extra !== closing && next === closing ? { message: closesNothing(extra) } : null;
}

function closesNothing(bracket: string): string {
  return `this ${bracket} closes nothing`;
}

/** Words for a misplaced item: either the first item below the key lacks its dash, or a dash is in a wrong column. */
function itemWords({ error, text, rest }: Found): ReturnType<Words> {
  const dash = error.pos[0] + rest.search(/\S/);
  const above = text.slice(0, lineStart(text, dash));
  const column = dash - above.length;
  const lines = [...above.matchAll(/^( *)([^\s#].*)$/gm)].map(({ index, 1: indent = "", 2: line = "" }) => {
    return { offset: index + indent.length, column: indent.length, isKey: /:\s*(#.*)?$/.test(line), line };
  });
  const key = lines.findLastIndex((line) => line.column < column || (line.column === column && line.isKey));
  const first = lines[key + 1];
  if (lines[key]?.isKey && first && !first.line.startsWith("-"))
    return { offset: first.offset, message: 'a "- " is missing here; each item of a list begins with one' };
  return {
    offset: dash,
    message: 'this item fits nothing above it; each item of a list begins with "- ", in the same column',
  };
}

/** Words for a colon where none can be: in an unquoted text, or in a line that is indented into the value above. */
function colonWords(found: Found): ReturnType<Words> {
  const { error, text, rest } = found;
  if (isItem(error, text)) return itemWords(found);
  const [first = "", ...others] = rest.split("\n");
  if (/^[^"'{[]*, *[\w-]+:(\s|$)/.test(first))
    return { message: `${QUOTES_FOR_COLON}; several keys in one line stand within { }` };
  if (/^[\w-]+:(\s|$)/.test(first))
    return { message: `${QUOTES_FOR_COLON}; a key goes into the line below, indented, or within { }` };
  if (/:(\s|$)/.test(first)) return { message: QUOTES_FOR_COLON };
  let offset = error.pos[0] + first.length + 1;
  for (const line of others) {
    if (/:(\s|$)/.test(line)) break;
    offset += line.length + 1;
  }
  if (offset >= text.length || offset - error.pos[0] > rest.length)
    return { message: 'a ":" is missing after this key' };
  const isKeyItself = /^\s*$/.test(text.slice(lineStart(text, error.pos[0]), error.pos[0]).replace(/- /g, ""));
  if (isKeyItself) return { message: 'a ":" and a blank are missing after the key in this line' };
  const indent = /^\s*/.exec(text.slice(offset))?.[0].length ?? 0;
  return { offset: offset + indent, message: "this line is indented too far: it reads as part of the value above it" };
}

/** The last quote or bracket that is not closed, where it is opened; null if there is none. */
function unclosed(document: Document, text: string): TextFault | null {
  let opened: TextFault | null = null;
  yaml().visit(document, {
    Node: (_key, node) => {
      const offset = (node as Node).range?.[0] ?? 0;
      const closing = closingOf(node as Node, text, offset);
      if (closing === null || (opened !== null && offset <= opened.offset)) return;
      opened = { offset, message: unclosedWords(text[offset] ?? "", closing) };
    },
  });
  return opened;
}

const QUOTES: Readonly<Record<string, string>> = { '"': "double quote", "'": "single quote" };
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]", '"': '"', "'": "'" };

/** Names quotes in words too, as the sign alone would read as a quotation mark of the sentence. */
function unclosedWords(opening: string, closing: string): string {
  const name = QUOTES[opening];
  if (name === undefined) return `${opening} is opened here and not closed; ${closing} is missing`;
  return `a ${name} (${opening}) is opened here and not closed; the closing ${name} is missing`;
}

/** The sign that should close a node and does not; null if the node is closed or needs none. */
function closingOf(node: Node, text: string, offset: number): string | null {
  const end = (node.range?.[1] ?? 1) - 1;
  const opening = text[offset] ?? "";
  const isQuoted = yaml().isScalar(node) && ["QUOTE_DOUBLE", "QUOTE_SINGLE"].includes(node.type ?? "");
  const isFlow = yaml().isCollection(node) && node.flow === true;
  const closing = CLOSING[opening];
  if ((!isQuoted && !isFlow) || closing === undefined) return null;
  return text[end] === closing && end > offset ? null : closing;
}

function missingWords({ error, text, rest }: Found): { message: string } {
  const [token = ""] = rest;
  const isInText = /\w/.test(text[error.pos[0] - 1] ?? "") && (token === "{" || token === "[");
  if (error.message.includes(" , ") && isInText) return { message: needsQuotes(token) };
  if (error.message.includes(" , ")) return { message: "a comma is missing between this and what stands before it" };
  if (error.message.includes("after :")) return { message: "a blank is missing after the colon" };
  if (error.message.startsWith("Comments"))
    return { message: "a # that begins a comment needs a blank before it; in a text it needs quotes" };
  if (error.message.startsWith("Implicit map keys")) return { message: 'a ":" and a blank are missing after this key' };
  if (error.message.startsWith("Sequence item")) return { message: INDENTATION };
  return { message: NO_YAML + lowerFirst(error.message) };
}

function unexpectedWords({ error, text, rest }: Found): { message: string } {
  const [offset] = error.pos;
  const quote = /(['"])[ \t]*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[1] ?? text[offset - 1];
  if (error.message.startsWith("Unexpected scalar") && (quote === "'" || quote === '"')) {
    const escaped = quote === "'" ? "''" : '\\"';
    return { message: `the text ended at the ${quote} before this; within it, ${quote} is written ${escaped}` };
  }
  if (error.message.includes("block-seq-ind")) return { message: "a list begins in the line below its key" };
  const [, sign] = /([|>])[-+\d]*[ \t]*$/.exec(text.slice(Math.max(0, offset - 200), offset)) ?? [];
  if (sign !== undefined) return { message: `the text after ${sign} begins in the line below, indented` };
  const [token = ""] = rest;
  if (BRACKETS.includes(token)) return { message: closesNothing(token) };
  if (token === ",") return { message: "this comma is one too many" };
  if (token === "{" || token === "[") return { message: needsQuotes(token) };
  const before = text[offset - 1] ?? "";
  if (BRACKETS.includes(before)) return { message: `what was opened ended at the ${before} before this` };
  if (error.message.endsWith("at node end")) return { message: ENDED };
  return { message: NO_YAML + lowerFirst(error.message) };
}

function needsQuotes(sign: string): string {
  return `a text with ${sign} in it needs quotes`;
}

function firstOfLine({ error, text }: Found): number {
  const start = lineStart(text, error.pos[0]);
  return start + (/^ */.exec(text.slice(start, start + 500))?.[0].length ?? 0);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The most characters shown of the parser's own message, which may quote the whole file. */
const MOST_WORDS = 120;

function lowerFirst(sentence: string): string {
  const text = withoutStop(sentence.trim());
  const shown = text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text;
  return shown.charAt(0).toLowerCase() + shown.slice(1);
}
