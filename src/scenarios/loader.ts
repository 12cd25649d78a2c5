/** Reads scenario files; every fault is told with file, line and column, all of a file at once. */
import { closest } from "fastest-levenshtein";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import { type ScenarioFile, type ScenarioRule, scenarioSchema, stepActions } from "./schema.ts";
import { triggerFields, triggerNames } from "./triggers.ts";

/** One fault of a file. Lines and columns count from 1. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line itself. */
  readonly excerpt: string;
}

/** A file that is no scenario; `problems` has every fault found. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems.map((problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`).join("\n"),
    );
    this.problems = problems;
  }
}

/** A scenario with the place of each rule and step. */
export interface LoadedScenario {
  readonly file: string;
  readonly content: ScenarioFile;
  /** `file:line` of rule `index`. */
  readonly ruleAt: (index: number) => string;
  /** `file:line` of a step of a rule. */
  readonly stepAt: (rule: number, step: number) => string;
}

type Path = readonly PropertyKey[];

/**
 * Reads a scenario from YAML or JSON.
 * @param file how the file is named in messages and causes.
 * @throws {ScenarioError}
 */
export function loadScenario(source: string, file: string): LoadedScenario {
  const reader = new Reader(source, file);
  const result = scenarioSchema.safeParse(reader.value());
  reader.fail();
  if (!result.success) for (const issue of result.error.issues) reader.addIssue(issue);
  for (const [index, rule] of (result.data?.rules ?? []).entries()) reader.checkRule(rule, index);
  reader.fail();
  return {
    file,
    content: result.data as ScenarioFile,
    ruleAt: (index) => `${file}:${reader.lineOf(["rules", index])}`,
    stepAt: (rule, step) => `${file}:${reader.lineOf(["rules", rule, "then", step])}`,
  };
}

class Reader {
  readonly #file: string;
  readonly #lines: string[];
  readonly #counter = new LineCounter();
  readonly #document: Document;
  readonly #problems: Problem[] = [];

  constructor(source: string, file: string) {
    this.#file = file;
    this.#lines = source.split(/\r?\n/);
    this.#document = parseDocument(source, { lineCounter: this.#counter, uniqueKeys: true, prettyErrors: false });
    for (const error of this.#document.errors) this.#add(error.pos[0], sentence(error.message));
  }

  /** The content as plain data, numbers as they were written. */
  value(): unknown {
    return this.#document.errors.length > 0 ? undefined : this.#plain(this.#document.contents);
  }

  fail(): void {
    if (this.#problems.length === 0) return;
    this.#problems.sort((left, right) => left.line - right.line || left.column - right.column);
    throw new ScenarioError(this.#problems);
  }

  lineOf(path: Path): number {
    return this.#counter.linePos(this.#offsetOf(path)).line;
  }

  addIssue(issue: z.core.$ZodIssue): void {
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) this.#unknownKey(issue.path, key);
    } else if (issue.path.at(-1) === "on" && issue.code === "invalid_value") {
      const given = this.#document.getIn(issue.path as never);
      this.#addAt(issue.path, `unknown trigger "${String(given)}"${nearest(String(given), triggerNames)}`);
    } else {
      this.#addAt(issue.path, sentence(`${nameOf(issue.path)}${wordsOf(issue)}`));
    }
  }

  /** What the schema cannot know: the fields that the trigger of a rule has. */
  checkRule(rule: ScenarioRule, index: number): void {
    const known = triggerFields.get(rule.on) ?? [];
    for (const field of Object.keys(rule.where)) {
      if (known.includes(field)) continue;
      const path = ["rules", index, "where"];
      this.#add(this.#keyOffset(path, field), `"${rule.on}" has no field "${field}"${nearest(field, known)}`);
    }
  }

  #unknownKey(path: Path, key: string): void {
    const inStep = path.length >= 4 && path[2] === "then" && path.length === 4;
    const words = inStep ? ["after", "at", ...stepActions] : knownKeys(path);
    this.#add(this.#keyOffset(path, key), `unknown key "${key}"${nearest(key, words)}`);
  }

  #addAt(path: Path, message: string): void {
    this.#add(this.#offsetOf(path), message);
  }

  #add(offset: number, message: string): void {
    const { line, col } = this.#counter.linePos(offset);
    this.#problems.push({ file: this.#file, line, column: col, message, excerpt: this.#lines[line - 1] ?? "" });
  }

  /** Where a path begins; where it is missing, the part of it that is there. */
  #offsetOf(path: Path): number {
    for (let length = path.length; length >= 0; length--) {
      const part = path.slice(0, length);
      const node = length === 0 ? this.#document.contents : this.#document.getIn(part as never, true);
      const range = (node as Node | undefined)?.range;
      if (range) return range[0];
    }
    return 0;
  }

  #keyOffset(path: Path, key: string): number {
    const map = path.length === 0 ? this.#document.contents : this.#document.getIn(path as never, true);
    if (!isMap(map)) return this.#offsetOf(path);
    const pair = map.items.find((item) => isScalar(item.key) && item.key.value === key);
    return (pair?.key as Node | undefined)?.range?.[0] ?? this.#offsetOf(path);
  }

  #plain(node: unknown): unknown {
    if (isMap(node))
      return Object.fromEntries(node.items.map((item) => [this.#key(item.key), this.#plain(item.value)]));
    if (isSeq(node)) return node.items.map((item) => this.#plain(item));
    if (isAlias(node)) {
      this.#add(node.range?.[0] ?? 0, "anchors and aliases are not supported; write it out");
      return null;
    }
    if (!isScalar(node)) return null;
    return typeof node.value === "number" ? new ExactNumber(node.source ?? String(node.value)) : node.value;
  }

  #key(node: unknown): string {
    return isScalar(node) ? String(node.value) : "";
  }
}

function knownKeys(path: Path): string[] {
  if (path.length === 0) return Object.keys(scenarioSchema.shape);
  if (path.length === 2) return Object.keys(scenarioSchema.shape.rules.unwrap().element.shape);
  return ["amount", "payer", "name", "document", "tx_hash", "reason", "gte", "gt", "lte", "lt", "in", "not"];
}

function nearest(word: string, words: readonly string[]): string {
  if (words.length === 0) return "";
  const candidate = closest(word, words as string[]);
  return `; did you mean "${candidate}"?`;
}

function nameOf(path: Path): string {
  const last = path.at(-1);
  return typeof last === "string" ? `${last} ` : "";
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.input === undefined) return "is missing";
  return issue.message.replace(/^Invalid input: expected /, "must be ");
}

function sentence(text: string): string {
  return text.trim().replace(/\.$/, "");
}
