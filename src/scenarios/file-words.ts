/** Schema issues in words, for calls and files; for files with advice, as YAML tells 5 from "5", and yes from true. */
import type { z } from "zod";
import { eventKinds } from "../domain/events.ts";
import { ExactNumber } from "../domain/money.ts";
import { isObject } from "../domain/plain-values.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { ownWords } from "../domain/words/told-issues.ts";
import { wordOf } from "./file-values.ts";
import { quoted } from "./problems.ts";
import { globsLike, nearest, wordMeant } from "./schema-words.ts";
import { durationMeant } from "./time-fields.ts";
import { toldToRulesAlone } from "./triggers.ts";

/** TABLE: zod's names of types, in plain words. */
const EXPECTED: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "a text",
  boolean: "true or false",
  number: "a number",
  int: "a whole number",
};

/** What is wrong, of a value that nothing more can be told of. */
const OTHER = "is none that can be taken";

/**
 * An issue of a file as the rest of a sentence that begins with its field, with what was probably meant.
 * @param issue from a parse as `TO_BE_TOLD` has it.
 */
export function fileWords(issue: z.core.$ZodIssue): string {
  const words = issueWords(issue);
  return issue.input === null ? `is empty; it ${words}` : words + meant(issue, words);
}

/** Like {@link fileWords}, but for calls, without suggestions. @param issue as in {@link fileWords}. */
export function issueWords(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && issue.code !== "custom") return "is missing";
  if (issue.code === "unrecognized_keys") return "must be an object";
  const own = ownWords(issue);
  if (issue.code === "invalid_value") return valueWords(issue.values, issue.input, own);
  const globs = globsLike(issue);
  if (globs) return issue.message + asQuestion(wordMeant(String(issue.input), globs));
  return own ?? plainWords(issue);
}

/** What is wrong, of an issue whose schema has no words for it. */
function plainWords(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeOf(issue)}`;
    case "too_small":
    case "too_big":
      return boundWords(issue);
    case "invalid_union":
      return unionWords(issue);
    default:
      return OTHER;
  }
}

function typeOf({ expected }: z.core.$ZodIssueInvalidType): string {
  return EXPECTED[expected] ?? expected;
}

/** TABLE: the unit of a bound on the size of a text or list. */
const COUNTED: Readonly<Record<string, string>> = { string: "characters", array: "items" };

function boundWords(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const counted = COUNTED[issue.origin];
  const isTooSmall = issue.code === "too_small";
  if (counted && isTooSmall && issue.minimum === 1) return "must not be empty";
  const least = issue.inclusive === false ? "more than" : "at least";
  const bound = isTooSmall ? `${least} ${issue.minimum}` : `at most ${issue.maximum}`;
  return counted ? `must have ${bound} ${counted}` : `must be ${bound}`;
}

/** Up to this many values are listed; of more, only the nearest one is named. */
const TOLD_ONE_BY_ONE = 8;

/** Says which values are allowed, and which was probably meant. @param own the schema's own message, if any. */
function valueWords(values: readonly z.core.util.Primitive[], given: unknown, own: string | null): string {
  if (Array.isArray(given)) return "must be one value, not a list";
  const texts = values.filter((value) => typeof value === "string");
  const ofRules = eventKinds.every((kind) => texts.includes(kind)) ? toldToRulesAlone(given) : null;
  if (ofRules && !texts.includes(String(given))) return ofRules;
  const near = asQuestion(typeof given === "string" ? wordMeant(given, texts) : null);
  if (near && values.length > TOLD_ONE_BY_ONE) return `cannot be ${quoted(String(given))}${near}`;
  const all = values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(", ")}`;
  return (own ?? all) + near;
}

function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  const kinds = issue.inclusive === false ? undefined : issue.options;
  if (kinds && kinds.length > 0) return `must be one of ${kinds.map(String).join(", ")}`;
  const literals = literalsIn(issue);
  return literals.length > 0 ? valueWords(literals, issue.input, null) : typeWords(issue);
}

/** The words for a union that takes values by their types; it does not tell what is wrong within a value. */
function typeWords({ errors }: z.core.$ZodIssueInvalidUnion): string {
  const types = errors.flatMap(([issue]) =>
    issue?.code === "invalid_type" && issue.path.length === 0 ? [typeOf(issue)] : [],
  );
  return types.length === errors.length ? `must be ${[...new Set(types)].join(" or ")}` : OTHER;
}

function literalsIn(issue: z.core.$ZodIssueInvalidUnion): z.core.util.Primitive[] {
  return issue.errors.flat().flatMap((inner) => (inner.code === "invalid_value" ? inner.values : []));
}

/** TABLE: texts that probably mean true or false. */
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ...["yes", "on", "true"].map((word) => [word, true] as const),
  ...["no", "off", "false"].map((word) => [word, false] as const),
]);

/** Advice for values that look right but have the wrong type: YAML tells 5 from "5". */
function meant(issue: z.core.$ZodIssue, words: string): string {
  const { input } = issue;
  if (issue.code === "invalid_type" && issue.expected === "boolean" && typeof input === "string") {
    const word = TRUTH.get(input.toLowerCase());
    return word !== undefined ? `; ${quoted(input)} is a text: did you mean ${word}?` : "";
  }
  const isBare = input instanceof ExactNumber || typeof input === "number" || typeof input === "boolean";
  if (/^must be a (text|string)/.test(words) && isBare) {
    return `; put it in quotes: ${quoted(input instanceof ExactNumber ? input.source : String(input))}`;
  }
  const globs = globsLike(issue);
  if (globs && words === issue.message) return nearest(String(input), globs);
  if (/^must be a duration/.test(words) && !words.endsWith("?")) {
    return asQuestion(durationMeant(typeof input === "number" ? String(input) : input));
  }
  if (words === "must be an object") return objectWords(issue);
  return isQuotedNumber(issue, words) ? "; take the quotes away" : listWords(issue);
}

function isQuotedNumber(issue: z.core.$ZodIssue, words: string): boolean {
  const { input } = issue;
  if (typeof input !== "string" || !/^-?\d+$/.test(input)) return false;
  const isListed = issue.code === "invalid_union" && literalsIn(issue).includes(Number(input));
  return isListed || /^must be a (number|whole number|status)/.test(words);
}

/** Advice for a single value where a list is expected. */
function listWords(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type" || issue.expected !== "array" || issue.input instanceof ExactNumber) return "";
  const [first] = isObject(issue.input) ? Object.keys(issue.input) : [issue.input];
  if (typeof first === "string" && first.startsWith("-")) return "; a - needs a blank after it";
  const isItem = issue.path.length > 0 && typeof issue.input === "object";
  return isItem ? '; each of them begins with "- ", or all stand within [ ]' : "";
}

/** Advice for a single value where an object with that value is expected. */
function objectWords({ path, input }: z.core.$ZodIssue): string {
  const value = wordOf(input);
  if (path.at(-1) === "expect" && /^(\d{3}|lost|malformed)$/.test(value)) return asQuestion(`{ status: ${value} }`);
  const isEvent = path.at(-2) === "expect" && eventKinds.some((kind) => kind === value);
  return isEvent ? asQuestion(`{ event: ${value} }`) : "";
}
