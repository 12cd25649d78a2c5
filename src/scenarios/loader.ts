/** Reads scenario files; every fault is told with file, line and column, all of a file at once. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { comparisons } from "../domain/conditions.ts";
import { ExactNumber } from "../domain/money.ts";
import { checkFile } from "./file-checks.ts";
import { checkRule, type Finding, isObject, type Path } from "./rule-checks.ts";
import { type ScenarioFile, scenarioSchema } from "./schema.ts";
import { hasUnknownKeys, issueWords, knownKeys, nearest } from "./schema-words.ts";
import { triggerNames } from "./triggers.ts";

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
  /** A problem at a path, found later than the file was read. */
  readonly problemAt: (path: Path, message: string) => Problem;
  /** `file:line` of a path such as `merchant`, 0. */
  readonly placeOf: (...path: PropertyKey[]) => string;
  /** `file:line` of a step of a rule. */
  readonly stepAt: (rule: number, step: number) => string;
}

/**
 * Reads a scenario from YAML or JSON.
 * @param file how the file is named in messages and causes.
 * @throws {ScenarioError}
 */
export function loadScenario(source: string, file: string): LoadedScenario {
  const key = `${file}\n${source}`;
  const known = loaded.get(key);
  if (known) return known;
  const scenario = readScenario(source, file);
  if (loaded.size >= REMEMBERED_FILES) loaded.clear();
  loaded.set(key, scenario);
  return scenario;
}

/** Files read before: worlds are made by the hundred from the same few. */
const loaded = new Map<string, LoadedScenario>();
const REMEMBERED_FILES = 200;

function readScenario(source: string, file: string): LoadedScenario {
  const reader = new Reader(source, file);
  const value = reader.value();
  reader.fail();
  const result = scenarioSchema.safeParse(value, { reportInput: true });
  for (const issue of result.error?.issues ?? []) reader.addIssue(issue);
  for (const [index, rule] of rulesOf(value).entries()) {
    for (const finding of checkRule(rule, index)) reader.addFinding(finding);
  }
  for (const finding of checkFile(value)) reader.addFinding(finding);
  reader.fail();
  return {
    file,
    content: result.data as ScenarioFile,
    ruleAt: (index) => `${file}:${reader.lineOf(["rules", index])}`,
    problemAt: (path, message) => reader.problemAt(path, message),
    placeOf: (...path) => `${file}:${reader.lineOf(path)}`,
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

  /** @param part the schema that found the issue, and how deep in the file it stands. */
  addIssue(
    issue: z.core.$ZodIssue,
    part: { schema: z.ZodType; depth: number } = { schema: scenarioSchema, depth: 0 },
  ): void {
    if (hasUnknownKeys(issue)) {
      const known = knownKeys(part.schema, issue.path.slice(part.depth));
      for (const key of issue.keys) this.#unknownKey(issue.path, key, known);
    } else if (issue.path.at(-1) === "on" && typeof issue.input === "string") {
      this.#addAt(issue.path, `unknown trigger "${issue.input}"${nearest(issue.input, triggerNames)}`);
    } else {
      this.#addAt(issue.path, sentence(`${nameOf(issue.path)}${issueWords(issue)}`));
    }
  }

  /** Adds what was found beyond the schema. */
  addFinding(finding: Finding): void {
    if ("issue" in finding) this.addIssue(finding.issue, finding);
    else if (finding.key === undefined) this.#addAt(finding.path, finding.message);
    else this.#add(this.#keyOffset(finding.path, finding.key), finding.message);
  }

  #unknownKey(path: Path, key: string, known: readonly string[]): void {
    const words = path[2] === "where" ? comparisons : known;
    this.#add(this.#keyOffset(path, key), `unknown key "${key}"${nearest(key, words)}`);
  }

  problemAt(path: Path, message: string): Problem {
    return this.#problemAt(this.#offsetOf(path), message);
  }

  #addAt(path: Path, message: string): void {
    this.#add(this.#offsetOf(path), message);
  }

  #add(offset: number, message: string): void {
    this.#problems.push(this.#problemAt(offset, message));
  }

  #problemAt(offset: number, message: string): Problem {
    const { line, col } = this.#counter.linePos(offset);
    return { file: this.#file, line, column: col, message, excerpt: this.#lines[line - 1] ?? "" };
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

/** The rules of what may not be a scenario. */
function rulesOf(value: unknown): readonly unknown[] {
  return isObject(value) && Array.isArray(value.rules) ? value.rules : [];
}

/** What a problem is about: the key, or the item of a list. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return "the file ";
  return typeof last === "string" ? `${last} ` : "this item ";
}

function sentence(text: string): string {
  return text.trim().replace(/\.$/, "");
}
