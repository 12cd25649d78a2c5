/** Reads the input of control calls; an unknown field is refused with the nearest known name. */

import type { z } from "zod";
import { MAX_PAGE_ITEMS, PAGE_ITEMS } from "../domain/bounds.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { issueWords } from "../scenarios/file-words.ts";
import { hasUnknownKeys, issueOfNumber, knownKeys } from "../scenarios/schema-words.ts";
import { ControlError } from "./errors.ts";

/** This many faulty fields are named: a caller that has corrected them asks again. */
const MOST_NAMED = 50;

/** @throws {ControlError} 400 `INVALID_REQUEST` that names the fields at fault. */
export function readInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const result = schema.safeParse(given, TO_BE_TOLD);
  if (result.success) return result.data;
  const told = new Map<string, string>();
  for (const issue of result.error.issues) {
    const found = describe(schema, issueOfNumber(given, issue) ?? issue, MOST_NAMED - told.size);
    // A list in the place of a text may also be too short for one.
    for (const [field, words] of found) if (!told.has(field)) told.set(field, words);
    if (told.size === MOST_NAMED) break;
  }
  const problems = [...told.values()];
  throw new ControlError(400, "INVALID_REQUEST", sentence(problems.join("; ")), { problems });
}

/**
 * Reads a query, in which no name may occur twice.
 * @param body the schema of the call's body: a field of it in the query is refused with a hint that it belongs there.
 * @throws {ControlError} 400.
 */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: URLSearchParams,
  body: z.ZodType | null = null,
): z.infer<Schema> {
  const names = [...query.keys()];
  const again = names.find((name, at) => names.indexOf(name) < at);
  if (again !== undefined) {
    throw new ControlError(400, "INVALID_REQUEST", `${again} is given more than once; give it once.`);
  }
  const ofBody = body ? names.filter((name) => knownKeys(body, []).includes(name)) : [];
  if (ofBody.length === 0) return readInput(schema, Object.fromEntries(query));
  const problems = ofBody.map((name) => `"${name}" is a field of the body, and not of the query`);
  throw new ControlError(400, "INVALID_REQUEST", sentence(problems.join("; ")), { problems });
}

/**
 * The fields at fault, and what is wrong with each.
 * @param most how many unknown fields are named.
 */
function describe(schema: z.ZodType, issue: z.core.$ZodIssue, most: number): [field: string, words: string][] {
  const path = issue.path.map(String).join(".");
  if (hasUnknownKeys(issue)) {
    const known = knownKeys(schema, issue.path);
    return issue.keys.slice(0, most).map((key) => {
      const name = path ? `${path}.${key}` : key;
      return [name, `unknown field "${name}"${didYouMean(key, known)}`];
    });
  }
  if (path) return [[path, `${path} ${issueWords(issue)}`]];
  return [[path, issue.code === "custom" ? `the body ${issueWords(issue)}` : "the body must be a JSON object"]];
}

/** The `limit` of a query, {@link PAGE_ITEMS} unless given. @throws {ControlError} 400. */
export function readLimit(text: string | null): number {
  if (text === null) return PAGE_ITEMS;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_PAGE_ITEMS) return limit;
  throw new ControlError(400, "INVALID_REQUEST", `limit must be a whole number from 1 to ${MAX_PAGE_ITEMS}.`);
}

/** The position after which a page begins. @throws {ControlError} 400. */
export function readCursor(text: string | null): number {
  if (text === null) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  refuseCursor();
}

/** For a cursor that no page has given. @throws {ControlError} 400. */
export function refuseCursor(): never {
  throw new ControlError(400, "INVALID_REQUEST", "cursor must be a next_cursor of an earlier answer.");
}
