/** What a scenario file holds, through all its lists and objects. */
import { ExactNumber } from "../domain/money.ts";

/** The same lists and objects with other leaves. @param replace takes each leaf: a text, a number, true, false or null. */
export function withLeaves(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withLeaves(item, replace));
  if (value === null || typeof value !== "object" || value instanceof ExactNumber) return replace(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withLeaves(member, replace)]));
}
