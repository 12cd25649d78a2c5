/** Reads scenario files; every fault is told with file, line and column, all of a file at once. */
import { closest } from "fastest-levenshtein";
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Document } from "yaml";
import type { z } from "zod";
import { comparisons } from "../domain/conditions.ts";
import { ExactNumber } from "../domain/money.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { type Action, resourceActions } from "../service/actions.ts";
import { type ScenarioFile, scenarioSchema, stepActions } from "./schema.ts";
import { hasUnknownKeys, issueWords, knownKeys } from "./schema-words.ts";
import { triggerFields, triggerNames, triggerSubject } from "./triggers.ts";

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
  for (const [index, rule] of rulesOf(value).entries()) reader.checkRule(rule, index);
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

  /** What the schema cannot know: the fields that the trigger of a rule has. The rule may have faults of its own. */
  checkRule(rule: unknown, index: number): void {
    if (!isObject(rule)) return;
    this.#checkSteps(rule, index);
    if (!isObject(rule.where)) return;
    const known = triggerFields.get(String(rule.on));
    for (const field of Object.keys(rule.where)) {
      if (!known || known.includes(field)) continue;
      const path = ["rules", index, "where"];
      this.#add(this.#keyOffset(path, field), `"${rule.on}" has no field "${field}"${nearest(field, known)}`);
    }
  }

  /** An action must be one of what the trigger is about, with the input that it takes there. */
  #checkSteps(rule: Readonly<Record<string, unknown>>, index: number): void {
    if (!triggerFields.has(String(rule.on))) return;
    const subject = triggerSubject(String(rule.on));
    const steps = Array.isArray(rule.then) ? rule.then : [];
    for (const [number, step] of steps.entries()) {
      if (!isObject(step)) continue;
      for (const name of Object.keys(step).filter((key) => stepActions.includes(key) && key !== "note")) {
        const path = ["rules", index, "then", number, name];
        this.#checkAction(path, subject, name, step[name]);
      }
    }
  }

  #checkAction(path: Path, subject: LifecycleName | null, name: string, given: unknown): void {
    const kinds = subject ? [resourceActions[subject] ?? {}] : Object.values(resourceActions);
    const actions = kinds.find((candidates) => name in candidates);
    if (!actions) {
      const known = kinds.flatMap((candidates) => Object.keys(candidates));
      const offset = this.#keyOffset(path.slice(0, -1), name);
      this.#add(offset, `a ${subject} has no action "${name}"${nearest(name, known)}`);
      return;
    }
    const input = (actions[name] as Action).input;
    if (!isObject(given ?? {})) return; // The schema of the file has said so.
    const result = input.safeParse(given ?? {}, { reportInput: true });
    for (const issue of result.error?.issues ?? []) {
      const placed = { ...issue, path: [...path, ...issue.path] } as z.core.$ZodIssue;
      this.addIssue(placed, { schema: input, depth: path.length });
    }
  }

  #unknownKey(path: Path, key: string, known: readonly string[]): void {
    const words = path[2] === "where" ? comparisons : known;
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

/** The rules of what may not be a scenario. */
function rulesOf(value: unknown): readonly unknown[] {
  return isObject(value) && Array.isArray(value.rules) ? value.rules : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

function nearest(word: string, words: readonly string[]): string {
  if (words.length === 0) return "";
  const candidate = closest(word, words as string[]);
  return `; did you mean "${candidate}"?`;
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
