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

/** A value to store as JSON: numbers that would not come back as written, such as 0.00000001, become texts. */
export function storable(value: unknown): unknown {
  return withLeaves(value, (leaf) => {
    return leaf instanceof ExactNumber && String(Number(leaf.source)) !== leaf.source ? leaf.source : leaf;
  });
}
