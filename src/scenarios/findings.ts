/** What checks beyond the schema find in a scenario. */
import type { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";

/** Something wrong at a path. */
export interface FindingAt {
  readonly path: Path;
  readonly message: string;
}

/** Something wrong: at a path or a key of the object there, or as a schema says it of what stands `depth` parts deep. */
export type Finding =
  | (FindingAt & { readonly key?: string })
  | { readonly issue: z.core.$ZodIssue; readonly schema: z.ZodType; readonly depth: number };

/** An object of a file, its members not looked at yet. */
export type Plain = Readonly<Record<string, unknown>>;

/** Whether a value of a file is an object: numbers are kept as they were written. */
export function isObject(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** A text as it is, a number as it was written; empty for all else: an object may refuse to be a text. */
export function wordOf(value: unknown): string {
  if (value instanceof ExactNumber) return value.source;
  return typeof value === "string" ? value : "";
}

/** The items of what should be a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Every text in a value with its path. */
export function* textsIn(value: unknown, path: Path): Generator<[text: string, path: Path]> {
  if (typeof value === "string") yield [value, path];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...path, key]);
}
