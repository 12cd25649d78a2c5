/** Keys and names that a schema knows, and which of them was probably meant: in files and in calls alike. */
import { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import { asQuestion, didYouMean, nearName } from "../domain/near-name.ts";
import type { Path } from "../domain/path.ts";

/** Whether an object has keys that its schema does not know. A number kept as written is an object to zod alone. */
export function hasUnknownKeys(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys {
  return issue.code === "unrecognized_keys" && !((issue.input as unknown) instanceof ExactNumber);
}

/** An issue about a key rather than about its value. @param path none where it is about the object as a whole. */
export function atKey(path: readonly string[], message: string) {
  return { code: "custom" as const, path: [...path], message, params: { atKey: path.length > 0 } };
}

/** Whether an object has a key that is none: it was meant to be another one. */
export function hasUnknownKey(issues: readonly object[]): boolean {
  const isOwn = (path: unknown) => path === undefined || (Array.isArray(path) && path.length === 0);
  return issues.some(
    (issue) => "code" in issue && issue.code === "unrecognized_keys" && isOwn(Reflect.get(issue, "path")),
  );
}

/** The keys that a schema knows at a path; none where it takes no keys of its own choosing there. */
export function knownKeys(schema: z.ZodType, path: Path): string[] {
  let current: unknown = schema;
  for (const part of path) {
    const inner = unwrapped(current);
    if (inner instanceof z.ZodObject) current = (inner.shape as Record<PropertyKey, unknown>)[part];
    else if (inner instanceof z.ZodRecord) current = inner.valueType;
    else current = inner instanceof z.ZodArray ? inner.element : undefined;
  }
  const object = unwrapped(current);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

/** The schema within: what is optional, has a default or is prepared before it is read, and what has parts of a choice. */
function unwrapped(schema: unknown): unknown {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodPipe) inner = inner.out;
    else if (inner instanceof z.ZodUnion) inner = inner.options.find(hasParts);
    else if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
      inner = inner.unwrap();
    } else return inner;
  }
}

function hasParts(schema: unknown): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodArray || schema instanceof z.ZodRecord;
}

/** TABLE: what words are elsewhere. */
const SYNONYMS: Readonly<Record<string, string>> = {
  steps: "then",
  actions: "then",
  do: "then",
  when: "where",
  if: "where",
  filter: "where",
  match: "where",
  trigger: "on",
  event: "on",
  cron: "every",
  schedule: "every",
  for: "until",
  wait: "after",
  sleep: "after",
  probability: "chance",
  limit: "times",
  title: "name",
  expectations: "expect",
  assert: "expect",
  paid: "confirmed",
};

/** How the number is written that a comma has split. @param rest what followed the comma. */
function numberWords(rest: string): string {
  return rest.length === 3 ? "a thousand is written 1000" : "ten and a half is written 10.5";
}

/** The word that was probably meant, or those that there are, as the end of a sentence; nothing where there are none. */
export function nearest(word: string, words: readonly string[]): string {
  const [name = ""] = word.split(":");
  if (name !== word && words.includes(name)) return `; a colon needs a blank after it, as in "${name}: …"`;
  return asQuestion(wordMeant(word, words)) || didYouMean(word, words);
}

/** The word that was probably meant, by its meaning or its spelling; null where none is near. */
export function wordMeant(word: string, words: readonly string[]): string | null {
  const synonym = SYNONYMS[word.toLowerCase()];
  return synonym !== undefined && words.includes(synonym) ? synonym : nearName(word, words);
}

/** The same of a key: one of few digits is what a comma has left of a number, which a value may well be. */
export function nearestKey(key: string, keys: readonly string[]): string {
  if (keys.length > 0 && /^\d{1,3}$/.test(key)) return `; within { } a comma ends a value: ${numberWords(key)}`;
  return nearest(key, keys);
}
