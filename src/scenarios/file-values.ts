/** Values of a scenario file, of which nothing is known yet. */
import { ExactNumber } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { isObject } from "../domain/plain-values.ts";

/** A text as it is, a number as it was written; empty for anything else, as not all objects convert to text. */
export function wordOf(value: unknown): string {
  if (value instanceof ExactNumber) return value.source;
  return typeof value === "string" ? value : "";
}

/** The items of a value that should be a list; empty if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Every text in a value with its path. */
export function* textsIn(value: unknown, path: Path): Generator<[text: string, path: Path]> {
  if (typeof value === "string") yield [value, path];
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* textsIn(item, [...path, index]);
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...path, key]);
}
