import type { Node, Pair, Scalar } from "yaml";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { isObject } from "../domain/plain-values.ts";
import { jsonFaults, otherThanJson } from "./json-text.ts";
import { LineStarts } from "./line-starts.ts";
import { excerptOf, type Problem, quoted } from "./problems.ts";
import { type TextFault, textFaults, withoutMark } from "./text-faults.ts";
import { sizeFaults } from "./text-size.ts";
import { ODD_BEGINNING, syntaxFaults, TOO_DEEP, tagWords } from "./yaml-faults.ts";
import { yaml } from "./yaml-library.ts";

/** More than any scenario needs, and far less than the stack allows. */
const MAX_DEPTH = 64;

/** The offset of a value in the text, in characters, with the places of its keys and members. */
interface SourcePlace {
  readonly start: number;
  readonly keys?: ReadonlyMap<string, number>;
  readonly members?: ReadonlyMap<PropertyKey, SourcePlace>;
}

/** A parsed YAML file: plain data, and the place of each part of it. */
export class YamlFile {
  /** What keeps the text from being read as a scenario. */
  readonly faults: readonly TextFault[];
  /** Repeated keys of objects; these do not keep the rest of the file from being checked. */
  readonly repeated: TextFault[] = [];
  /** The content as plain data, with ExactNumbers; undefined if the text cannot be parsed. */
  readonly value: unknown;
  readonly #file: string;
  readonly #text: string;
  readonly #lines: LineStarts;
  readonly #root: SourcePlace = { start: 0 };

  /** @param file how the file is named in messages. @param isJson whether it may be JSON alone. */
  constructor(source: string, file: string, isJson: boolean) {
    this.#file = file;
    this.#text = withoutMark(source);
    this.#lines = new LineStarts(this.#text);
    const faults = textFaults(this.#text);
    if (faults.length === 0) faults.push(...sizeFaults(this.#text));
    if (faults.length === 0 && isJson) faults.push(...jsonFaults(this.#text));
    const document = faults.length === 0 ? yaml().parseDocument(this.#text, PARSING) : null;
    if (document) faults.push(...syntaxFaults(document, this.#text));
    if (document && faults.length === 0) {
      const [value, place] = this.#read(document.contents, 0, faults);
      this.value = value;
      this.#root = place;
      if (isObject(value) && isJson) faults.push(...otherThanJson(this.#text));
    }
    this.faults = faults;
  }

  /** The line, from 1, where a path begins; if it is missing, the line of its longest existing part. */
  lineOf(path: Path): number {
    return this.#lines.placeOf(this.offsetOf(path)).line;
  }

  problemAt(offset: number, message: string): Problem {
    const { line, column, text } = this.#lines.placeOf(offset);
    return { file: this.#file, line, column, message, ...excerptOf(text, column) };
  }

  /**
   * The offset where the value at a path begins, or that of a key of the object there; if it is missing, that of its
   * longest existing part.
   */
  offsetOf(path: Path, key?: string): number {
    const place = this.#placeOf(path);
    return (key === undefined ? undefined : place.keys?.get(key)) ?? place.start;
  }

  #placeOf(path: Path): SourcePlace {
    let place = this.#root;
    for (const part of path) {
      const member = place.members?.get(part);
      if (!member) return place;
      place = member;
    }
    return place;
  }

  #read(node: unknown, depth: number, faults: TextFault[]): [unknown, SourcePlace] {
    const start = (node as Node | null)?.range?.[0] ?? 0;
    const fault = nodeFault(node, depth);
    const isTold = fault === TOO_DEEP && faults.some(({ message }) => message === fault);
    if (fault && !isTold) faults.push({ offset: this.#startWithAnchor(node, start), message: fault });
    if (fault) return [null, { start }];
    if (yaml().isMap(node)) return this.#readMap(node.items, { start, depth }, faults);
    if (yaml().isSeq(node)) {
      const read = node.items.map((item) => this.#read(item, depth + 1, faults));
      const members = new Map<PropertyKey, SourcePlace>(read.map(([, place], index) => [index, place]));
      return [read.map(([value]) => value), { start, members }];
    }
    const value = yaml().isScalar(node) ? node.value : null;
    return [typeof value === "number" ? new ExactNumber((node as Scalar).source ?? String(value)) : value, { start }];
  }

  /** Where a node begins, including its anchor, which may be on the line above it. */
  #startWithAnchor(node: unknown, start: number): number {
    const { anchor } = (node ?? {}) as { anchor?: string };
    const at = anchor === undefined ? -1 : this.#text.lastIndexOf(`&${anchor}`, start);
    return at < 0 ? start : at;
  }

  #readMap(pairs: readonly Pair[], { start, depth }: { start: number; depth: number }, faults: TextFault[]) {
    const keys = new Map<string, number>();
    const members = new Map<PropertyKey, SourcePlace>();
    const values: Record<string, unknown> = {};
    for (const { key, value } of pairs) {
      const offset = (key as Node | null)?.range?.[0] ?? start;
      const name = yaml().isScalar(key) && key.value !== null ? (key.source ?? String(key.value)) : null;
      const fault = keyFault(key, name);
      if (fault !== null || name === null) faults.push({ offset, message: fault ?? NO_KEY });
      else if (keys.has(name)) {
        const line = this.#lines.placeOf(keys.get(name) ?? 0).line;
        this.repeated.push({ offset, message: `the key ${quoted(name)} is there already, in line ${line}` });
      } else {
        // Within { }, a key may have no value: the place of its value is then that of the key.
        const [read, place] = value === null ? [null, { start: offset }] : this.#read(value, depth + 1, faults);
        keys.set(name, offset);
        members.set(name, place);
        Object.defineProperty(values, name, { value: read, enumerable: true, writable: true, configurable: true });
      }
    }
    return [values, { start, keys, members }] satisfies [unknown, SourcePlace];
  }
}

/** Options of the parser. Repeated keys are found here instead, as the library compares every pair of keys. */
const PARSING = { uniqueKeys: false, prettyErrors: false, version: "1.2", merge: false } as const;

const NO_KEY = "a key must be a text";

// No-break spaces and other blanks that get into text copied from a web page.
const ODD_BLANK = /^[\u00a0\u2000-\u200b\u3000\ufeff]/;

function keyFault(key: unknown, name: string | null): string | null {
  if (name === null && yaml().isScalar(key)) return "a key is missing before the colon";
  if (name !== null && ODD_BLANK.test(name)) return ODD_BEGINNING;
  return nodeFault(key, 0) ?? (name === "<<" ? "merges are not supported; write it out" : null);
}

/** The message for YAML features that scenarios do not support; null if a node uses none. */
function nodeFault(node: unknown, depth: number): string | null {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (yaml().isAlias(node)) {
    return "anchors and aliases are not supported; write it out, in quotes if it is a text that begins with *";
  }
  const { tag, anchor } = (node ?? {}) as { tag?: string; anchor?: string };
  if (anchor !== undefined)
    return `anchors are not supported; take &${anchor} out, or put it in quotes if it is the beginning of a text`;
  return tag === undefined ? null : tagWords(tag);
}
