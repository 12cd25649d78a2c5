import type { Node, Pair, Scalar } from "yaml";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { isObject } from "./findings.ts";
import { jsonFaults, otherThanJson } from "./json-text.ts";
import { LineStarts } from "./line-starts.ts";
import { excerptOf, type Problem, quoted } from "./problems.ts";
import { type TextFault, textFaults, withoutMark } from "./text-faults.ts";
import { syntaxFaults, TOO_DEEP, tagWords } from "./yaml-faults.ts";
import { yaml } from "./yaml-library.ts";

/** Deeper than any scenario, and far from where the stack ends. */
const MAX_DEPTH = 64;

/** Where something begins, in characters from the start of the text, with the places of what is in it. */
interface Place {
  readonly start: number;
  readonly keys?: ReadonlyMap<string, number>;
  readonly members?: ReadonlyMap<PropertyKey, Place>;
}

/** A scenario file as YAML has it: plain data, and where each part of it stands. */
export class YamlFile {
  /** What makes the text no YAML that a scenario can be read from. */
  readonly faults: readonly TextFault[];
  /** Keys that an object has twice: the rest of the file can be looked at all the same. */
  readonly repeated: TextFault[] = [];
  /** The content as plain data, numbers as they were written; undefined where there are faults. */
  readonly value: unknown;
  readonly #file: string;
  readonly #text: string;
  readonly #lines: LineStarts;
  readonly #root: Place = { start: 0 };

  /** @param file how the file is named in messages. */
  constructor(source: string, file: string) {
    this.#file = file;
    this.#text = withoutMark(source);
    this.#lines = new LineStarts(this.#text);
    const faults = textFaults(this.#text);
    if (faults.length === 0 && file.endsWith(".json")) faults.push(...jsonFaults(this.#text));
    const document = faults.length === 0 ? yaml().parseDocument(this.#text, PARSING) : null;
    if (document) faults.push(...syntaxFaults(document, this.#text));
    if (document && faults.length === 0) {
      const [value, place] = this.#read(document.contents, 0, faults);
      this.value = value;
      this.#root = place;
      if (isObject(value) && file.endsWith(".json")) faults.push(...otherThanJson(this.#text));
    }
    this.faults = faults;
  }

  /** The line, from 1, where a path begins; where it is missing, that of the part of it that is there. */
  lineOf(path: Path): number {
    return this.#lines.placeOf(this.offsetOf(path)).line;
  }

  problemAt(offset: number, message: string): Problem {
    const { line, column, text } = this.#lines.placeOf(offset);
    return { file: this.#file, line, column, message, ...excerptOf(text, column) };
  }

  /** Where a path begins; where it is missing, the part of it that is there. */
  offsetOf(path: Path): number {
    return this.#placeOf(path).start;
  }

  /** Where a key of the object at a path stands. */
  keyOffset(path: Path, key: string): number {
    const place = this.#placeOf(path);
    return place.keys?.get(key) ?? place.start;
  }

  #placeOf(path: Path): Place {
    let place = this.#root;
    for (const part of path) {
      const member = place.members?.get(part);
      if (!member) return place;
      place = member;
    }
    return place;
  }

  #read(node: unknown, depth: number, faults: TextFault[]): [unknown, Place] {
    const start = (node as Node | null)?.range?.[0] ?? 0;
    const fault = nodeFault(node, depth);
    const isTold = fault === TOO_DEEP && faults.some(({ message }) => message === fault);
    if (fault && !isTold) faults.push({ offset: this.#beginningOf(node, start), message: fault });
    if (fault) return [null, { start }];
    if (yaml().isMap(node)) return this.#readMap(node.items, { start, depth }, faults);
    if (yaml().isSeq(node)) {
      const read = node.items.map((item) => this.#read(item, depth + 1, faults));
      const members = new Map<PropertyKey, Place>(read.map(([, place], index) => [index, place]));
      return [read.map(([value]) => value), { start, members }];
    }
    const value = yaml().isScalar(node) ? node.value : null;
    return [typeof value === "number" ? new ExactNumber((node as Scalar).source ?? String(value)) : value, { start }];
  }

  /** Where a node begins with its anchor, which may stand in the line above it. */
  #beginningOf(node: unknown, start: number): number {
    const { anchor } = (node ?? {}) as { anchor?: string };
    const at = anchor === undefined ? -1 : this.#text.lastIndexOf(`&${anchor}`, start);
    return at < 0 ? start : at;
  }

  #readMap(pairs: readonly Pair[], { start, depth }: { start: number; depth: number }, faults: TextFault[]) {
    const keys = new Map<string, number>();
    const members = new Map<PropertyKey, Place>();
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
        // Within { } a key may stand alone: what it lacks is missing there.
        const [read, place] = value === null ? [null, { start: offset }] : this.#read(value, depth + 1, faults);
        keys.set(name, offset);
        members.set(name, place);
        Object.defineProperty(values, name, { value: read, enumerable: true, writable: true, configurable: true });
      }
    }
    return [values, { start, keys, members }] satisfies [unknown, Place];
  }
}

/** Keys are held against each other here: the library would compare each with each. */
const PARSING = { uniqueKeys: false, prettyErrors: false, version: "1.2", merge: false } as const;

const NO_KEY = "a key must be a text";

// No-break and other blanks, as they come along with what is copied from a page.
const ODD_BLANK = /^[\u00a0\u2000-\u200b\u3000\ufeff]/;

function keyFault(key: unknown, name: string | null): string | null {
  if (name === null && yaml().isScalar(key)) return "a key is missing before the colon";
  if (name !== null && ODD_BLANK.test(name)) return "this line begins with blanks that are no spaces; use spaces";
  return nodeFault(key, 0) ?? (name === "<<" ? "merges are not supported; write it out" : null);
}

/** What a scenario has no use for. An anchor that nobody refers to does no harm. */
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
