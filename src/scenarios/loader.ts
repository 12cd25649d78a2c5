/** Reads scenario files; reports all faults of a file at once, each with file, line and column. */

import type { z } from "zod";
import { BUNDLE_FORMAT } from "../domain/bundle-format.ts";
import type { Path } from "../domain/path.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { nestedFields } from "./condition-checks.ts";
import { comparisons } from "./conditions.ts";
import { checkFile } from "./file-checks.ts";
import { fileWords } from "./file-words.ts";
import { filterFields } from "./filters.ts";
import type { Finding } from "./findings.ts";
import { type Problem, quoted, ScenarioError } from "./problems.ts";
import { readyScenario } from "./ready-scenarios.ts";
import { type ScenarioFile, scenarioSchema } from "./schema.ts";
import { hasUnknownKeys, issueOfNumber, knownKeys, nearest, nearestKey } from "./schema-words.ts";
import { stepActions } from "./step-actions.ts";
import { triggerNames } from "./triggers.ts";
import { YamlFile } from "./yaml-file.ts";

/** A scenario with the place of each rule and step. */
export interface LoadedScenario {
  readonly file: string;
  readonly content: ScenarioFile;
  /** `file:line` of rule `index`. */
  readonly ruleAt: (index: number) => string;
  /** Makes a problem at a path, or at a key of the object there, for faults found after loading. */
  readonly problemAt: (path: Path, message: string, key?: string) => Problem;
  /** `file:line` of a path such as `merchant`, 0. */
  readonly placeOf: (...path: PropertyKey[]) => string;
  /** `file:line` of a step of a rule. */
  readonly stepAt: (rule: number, step: number) => string;
}

/**
 * Reads a scenario from YAML or JSON.
 * @param file how the file is named in messages and causes.
 * @param settings the settings it is run with, which include those of scenarios beneath it; its own unless given.
 * @throws {ScenarioError}
 */
export function loadScenario(source: string, file: string, settings?: Plain): LoadedScenario {
  const as = settings ? `${file}\0${JSON.stringify(settings)}` : file;
  const known = loaded.get(source)?.get(as);
  if (known) return known;
  const read = () => readScenario(source, file, (value) => checkFile(value, settings));
  const scenario = readyScenario(source, file, read) ?? read();
  remember(source, as, scenario);
  return scenario;
}

/**
 * Reads a scenario that was let in before: what it says that can never happen, of which newer versions find more, keeps
 * no world from being opened, and no history from being played again. Nor does YAML in a file of JSON.
 * @throws {ScenarioError} if it does not fit the schema.
 */
export function keptScenario(source: string, file: string): LoadedScenario {
  try {
    return loadScenario(source, file);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
  }
  const as = `${file}\0kept`;
  const known = loaded.get(source)?.get(as);
  if (known) return known;
  const scenario = readScenario(source, file, null);
  remember(source, as, scenario);
  return scenario;
}

/**
 * Cache of loaded files, by text, then by file name and settings: worlds are made by the hundred from the same few. The
 * text itself is the key, as the same string is found at once, whereas a concatenated key would have to be hashed anew.
 */
const loaded = new Map<string, Map<string, LoadedScenario>>();
let rememberedFiles = 0;
let rememberedCharacters = 0;
const MOST_FILES = 200;
const MOST_CHARACTERS = 16 * 1024 * 1024;

function remember(source: string, as: string, scenario: LoadedScenario): void {
  const characters = source.length + as.length;
  if (rememberedFiles >= MOST_FILES || rememberedCharacters + characters > MOST_CHARACTERS) {
    loaded.clear();
    [rememberedFiles, rememberedCharacters] = [0, 0];
  }
  loaded.set(source, (loaded.get(source) ?? new Map()).set(as, scenario));
  rememberedFiles++;
  rememberedCharacters += characters;
}

type Check = (value: unknown) => Iterable<Finding>;

/** @param check finds what is well formed and cannot happen; null for a scenario that was let in before. */
function readScenario(source: string, file: string, check: Check | null): LoadedScenario {
  const yaml = new YamlFile(source, file, check !== null && /\.json$/i.test(file));
  const { value } = yaml;
  if (yaml.faults.length > 0)
    throw new ScenarioError(yaml.faults.map(({ offset, message }) => yaml.problemAt(offset, message)));
  if (!isObject(value)) throw new ScenarioError([yaml.problemAt(yaml.offsetOf([]), noObject(value))]);
  if (value.format === BUNDLE_FORMAT) throw new ScenarioError([yaml.problemAt(yaml.offsetOf([], "format"), A_BUNDLE)]);
  const problems = new Problems(yaml);
  const result = scenarioSchema().safeParse(value, TO_BE_TOLD);
  const issues = (result.error?.issues ?? []).flatMap(issuesWithin);
  for (const issue of issues) problems.addIssue(issueOfNumber(value, issue) ?? issue);
  for (const finding of check?.(value) ?? []) problems.addFinding(finding);
  for (const path of prototypesIn(value)) problems.addPrototype(path);
  problems.fail();
  return {
    file,
    content: result.data as ScenarioFile,
    ruleAt: (index) => `${file}:${yaml.lineOf(["rules", index])}`,
    problemAt: (path, message, key) => yaml.problemAt(yaml.offsetOf(path, key), message),
    placeOf: (...path) => `${file}:${yaml.lineOf(path)}`,
    stepAt: (rule, step) => `${file}:${yaml.lineOf(["rules", rule, "then", step])}`,
  };
}

/** For a union with just one branch that fits the value's type, the issues of that branch; else the issue itself. */
function issuesWithin(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const isOfKind = (found: readonly z.core.$ZodIssue[]) =>
    found.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys");
  const [branch, ...others] = issue.errors.filter(isOfKind);
  if (branch === undefined || others.length > 0) return [issue];
  return branch.flatMap((inner) => issuesWithin({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The key that schemas of records drop silently. */
const PROTOTYPE = "__proto__";

/** Paths of the objects that have the key {@link PROTOTYPE}. */
function* prototypesIn(value: unknown, path: Path = []): Generator<Path> {
  if (value === null || typeof value !== "object") return;
  for (const [key, member] of Object.entries(value)) {
    if (key === PROTOTYPE) yield path;
    else yield* prototypesIn(member, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

/** The message for what an exploration or `export` has written. */
const A_BUNDLE = "the file is a bundle and no scenario; payments-sandbox replay plays it";

/** The message for a file that is not an object. */
function noObject(value: unknown): string {
  const such = "the file must be an object that begins with its name, such as scenario: my-scenario";
  if (value === null || value === undefined) return `${such}; it is empty`;
  if (Array.isArray(value)) return `${such}; it is a list`;
  const isKey = typeof value === "string" && /^\w+:\S/.test(value);
  return isKey ? `${such}; a colon needs a blank after it` : `${such}; it is one value`;
}

/** The most problems kept, which is more than are told, as the first one found need not come first in the file. */
const MOST_KEPT = 1_000;

/** Collects the problems of a file from schemas and checks. */
class Problems {
  readonly #yaml: YamlFile;
  readonly #found = new Map<string, Problem>();
  /** Offsets of the problems kept. */
  readonly #places = new Set<number>();
  #untold = 0;

  constructor(yaml: YamlFile) {
    this.#yaml = yaml;
    for (const { offset, message } of yaml.repeated) this.#add(offset, () => message);
  }

  /** @throws {ScenarioError} if there are any problems, in the order of the file. */
  fail(): void {
    if (this.#found.size === 0) return;
    const problems = [...this.#found.values()];
    problems.sort((left, right) => left.line - right.line || left.column - right.column);
    throw new ScenarioError(problems, this.#untold);
  }

  /** @param part the schema that found the issue, and how deep in the file its value is. */
  addIssue(
    issue: z.core.$ZodIssue,
    part: { schema: z.ZodType; depth: number } = { schema: scenarioSchema(), depth: 0 },
  ): void {
    const { path } = issue;
    const words = () => `${nameOf(path)} ${fileWords(issue)}`;
    if (hasUnknownKeys(issue)) {
      const known = () => knownKeys(part.schema, path.slice(part.depth));
      for (const key of issue.keys) this.#add(this.#yaml.offsetOf(path, key), () => unknownKey(path, key, known()));
    } else if (path.at(-1) === "on" && typeof issue.input === "string") {
      const { input } = issue;
      this.#addAt(path, () => unknownTrigger(input));
    } else if (issue.code === "custom" && issue.params?.atKey === true) {
      this.#add(this.#yaml.offsetOf(path.slice(0, -1), String(path.at(-1))), words);
    } else {
      this.#addAt(path, words);
    }
  }

  /** Adds a finding of a check beyond the schema. */
  addFinding(finding: Finding): void {
    if ("issue" in finding) this.addIssue(finding.issue, finding);
    else this.#add(this.#yaml.offsetOf(finding.path, finding.key), () => finding.message);
  }

  /** Adds a problem for the key {@link PROTOTYPE}, unless a problem at its place is known already. */
  addPrototype(path: Path): void {
    const offset = this.#yaml.offsetOf(path, PROTOTYPE);
    if (!this.#places.has(offset)) this.#add(offset, () => `unknown key ${quoted(PROTOTYPE)}`);
  }

  #addAt(path: Path, words: () => string): void {
    this.#add(this.#yaml.offsetOf(path), words);
  }

  /** Adds a problem, once if two checks find the same; beyond {@link MOST_KEPT}, problems are only counted. */
  #add(offset: number, words: () => string): void {
    if (this.#found.size >= MOST_KEPT) {
      this.#untold++;
      return;
    }
    const message = words();
    this.#places.add(offset);
    this.#found.set(`${offset} ${message}`, this.#yaml.problemAt(offset, message));
  }
}

function unknownKey(path: Path, key: string, known: readonly string[]): string {
  if (path.length === 2 && path[0] === "rules" && stepActions.includes(key)) {
    return `unknown key ${quoted(key)}; an action stands in the list under then`;
  }
  if (path.at(-1) === "inject" && Object.hasOwn(filterFields, key)) {
    return `unknown key ${quoted(key)}; it stands beside inject, not within it`;
  }
  const isCondition = known.length === 0 && path.some((part) => CONDITIONED.includes(part as string));
  const words = isCondition ? comparisons : known;
  const within =
    isCondition && nestedFields.includes(path.at(-1) as string)
      ? `; a field within it is written ${String(path.at(-1))}.${key}`
      : null;
  return `unknown key ${quoted(key)}${within ?? nearestKey(key, words)}`;
}

/** Keys under which fields have conditions. */
const CONDITIONED: readonly string[] = ["where", "data", "balance", "transaction", "dispute", "count"];

function unknownTrigger(name: string): string {
  if (name.includes("*"))
    return `unknown trigger ${quoted(name)}; on names one trigger, without *: write a rule for each`;
  return `unknown trigger ${quoted(name)}${nearest(name, triggerNames)}`;
}

/** TABLE: names for the items of lists. */
const ITEMS: ReadonlyMap<PropertyKey | undefined, string> = new Map([
  ["rules", "rule"],
  ["then", "step"],
  ["merchant", "step"],
  ["expect", "expectation"],
  ["accounts", "account"],
  ["with", "name"],
  ["files", "file"],
]);

/** The subject of a message: the key, or the item of a list. */
function nameOf(path: Path): string {
  const last = path.at(-1);
  if (typeof last === "string") return last;
  return last === undefined ? "the file" : `this ${ITEMS.get(path.at(-2)) ?? "item"}`;
}
