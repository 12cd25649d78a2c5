/** Walks through all lists and objects of a value from a scenario file. */
import { ExactNumber } from "../domain/money.ts";

/**
 * Copies lists and objects with other leaves.
 * @param replace gets each leaf (a text, a number, true, false or null) and the key that it is under.
 */
export function withLeaves(value: unknown, replace: (leaf: unknown, key: string) => unknown, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withLeaves(item, replace, key));
  if (value === null || typeof value !== "object" || value instanceof ExactNumber) return replace(value, key);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withLeaves(member, replace, name)]));
}
