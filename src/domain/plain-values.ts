/** Values as they were read from a file or a body, before anything is known of them. */
import { ExactNumber } from "./money.ts";
import type { Path } from "./path.ts";

/** An object with unchecked members. */
export type Plain = Readonly<Record<string, unknown>>;

/** Whether a value is an object; an {@link ExactNumber} is a number, not an object. */
export function isObject(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

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
