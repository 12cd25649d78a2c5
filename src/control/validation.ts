/** Reads the input of control calls; an unknown field is refused with the nearest known name. */
import { closest } from "fastest-levenshtein";
import { z } from "zod";
import { ControlError } from "./errors.ts";

/** @throws {ControlError} 400 `INVALID_REQUEST` that names every field at fault. */
export function readInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap((issue) => describe(schema, issue));
  throw new ControlError(400, "INVALID_REQUEST", `${problems.join("; ")}.`, { problems });
}

function describe(schema: z.ZodType, issue: z.core.$ZodIssue): string[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(schema, issue.path);
    return issue.keys.map((key) => {
      const name = path ? `${path}.${key}` : key;
      return `unknown field "${name}"${known.length > 0 ? `; did you mean "${closest(key, known)}"?` : ""}`;
    });
  }
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  const words = missing ? "is missing" : issue.message.replace(/^Invalid (input|option): expected /, "must be ");
  return [path ? `${path} ${words}` : "the body must be a JSON object"];
}

function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const part of path) {
    const inner = unwrapped(current);
    if (inner instanceof z.ZodObject) current = (inner.shape as Record<PropertyKey, unknown>)[part];
    else if (inner instanceof z.ZodArray) current = inner.element;
  }
  const object = unwrapped(current);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  return inner;
}

/** A number of query text such as `limit`. @throws {ControlError} 400. */
export function readLimit(text: string | null): number {
  if (text === null) return 100;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new ControlError(400, "INVALID_REQUEST", "limit must be a whole number from 1 to 1000.");
}

/** The position that a page goes on after. @throws {ControlError} 400. */
export function readCursor(text: string | null): number {
  if (text === null) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ControlError(400, "INVALID_REQUEST", "cursor must be a next_cursor of an earlier answer.");
}
