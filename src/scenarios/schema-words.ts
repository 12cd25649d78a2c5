/** The keys and names of a schema, and which of them was probably meant, for files and calls. */
import { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { asQuestion, didYouMean, nearName } from "../domain/words/near-name.ts";

/** Whether an issue is about unknown keys of an object; not of an ExactNumber, which only zod takes for an object. */
export function hasUnknownKeys(issue: z.core.$ZodIssue): issue is z.core.$ZodIssueUnrecognizedKeys {
  return issue.code === "unrecognized_keys" && !((issue.input as unknown) instanceof ExactNumber);
}

/** The issue to report instead if a number stands in place of an object: zod takes an ExactNumber for an object. */
export function issueOfNumber(given: unknown, { path }: z.core.$ZodIssue): z.core.$ZodIssue | null {
  let input = given;
  for (const [depth, key] of path.entries()) {
    if (input instanceof ExactNumber)
      return {
        code: "invalid_type",
        expected: "object",
        path: path.slice(0, depth),
        message: "must be an object",
        input,
      };
    input = (input as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  }
  return null;
}

/** An issue about a key rather than its value. @param path empty if it is about the object as a whole. */
export function atKey(path: readonly string[], message: string) {
  return { code: "custom" as const, path: [...path], message, params: { atKey: path.length > 0 } };
}

/** An issue about a glob that matches nothing, with those that may have been meant. */
export function inPlaceOfGlob(message: string, globs: readonly string[]) {
  return { code: "custom" as const, message, params: { globs: [...new Set(globs)] } };
}

/** The globs of an issue of {@link inPlaceOfGlob}; undefined for any other issue. */
export function globsLike(issue: z.core.$ZodIssue): readonly string[] | undefined {
  return issue.code === "custom" ? issue.params?.globs : undefined;
}

/** Whether the object itself has an unknown key, which was probably meant to be another one. */
export function hasUnknownKey(issues: readonly object[]): boolean {
  const isOwn = (path: unknown) => path === undefined || (Array.isArray(path) && path.length === 0);
  return issues.some(
    (issue) => "code" in issue && issue.code === "unrecognized_keys" && isOwn(Reflect.get(issue, "path")),
  );
}

/** The keys of the object that a schema has at a path; empty if it has no object with fixed keys there. */
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

/** The schema inside of optional, nullable, default and pipe schemas; of a union, the first option that has parts. */
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

/** TABLE: words that other tools use, and ours for them. */
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

/** How to write a number that a comma has split into a value and a key. @param rest the part after the comma. */
function numberWords(rest: string): string {
  return rest.length === 3 ? "a thousand is written 1000" : "ten and a half is written 10.5";
}

/** The word that was probably meant, or else the known words, as the end of a sentence; empty if there are none. */
export function nearest(word: string, words: readonly string[]): string {
  const [name = ""] = word.split(":");
  if (name !== word && words.includes(name)) return `; a colon needs a blank after it, as in "${name}: …"`;
  return asQuestion(wordMeant(word, words)) || didYouMean(word, words);
}

/** The word that was probably meant, by meaning or spelling; null if none is near. */
export function wordMeant(word: string, words: readonly string[]): string | null {
  const lower = word.toLowerCase();
  if (words.includes(lower)) return lower;
  const synonym = SYNONYMS[lower];
  return synonym !== undefined && words.includes(synonym) ? synonym : nearName(word, words);
}

/** Like {@link nearest}, for a key: one of up to three digits is probably a part of a number split by a comma. */
export function nearestKey(key: string, keys: readonly string[]): string {
  if (keys.length > 0 && /^\d{1,3}$/.test(key)) return `; within { } a comma ends a value: ${numberWords(key)}`;
  return nearest(key, keys);
}
