/** Conditions of `where`: equality, `*` globs, `gte gt lte lt in not`, on the fields of what happened. */
import { ExactNumber, parseDecimal } from "../domain/money.ts";
import { parseInstant } from "../world/instants.ts";

/** Comparisons that a condition may name. */
export const comparisons = ["gte", "gt", "lte", "lt", "in", "not"] as const;

type Scalar = string | number | boolean | null | ExactNumber;

/** What a field is held against. */
export type Condition =
  | Scalar
  | { readonly [Name in "gte" | "gt" | "lte" | "lt"]?: Scalar }
  | { readonly in?: readonly Scalar[]; readonly not?: Condition };

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Whether every condition holds; a dotted path looks into nested fields. */
export function matches(where: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(where).every(([path, condition]) => holds(condition as Condition, fieldAt(fields, path)));
}

/** The value at a dotted path such as `payer.name` or `items[0].status`; null where there is none. */
export function fieldAt(fields: unknown, path: string): unknown {
  let value = fields;
  const dotted = path.includes("[") ? path.replace(/\[(\d+)\]/g, ".$1") : path;
  for (const name of dotted.split(".")) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return null;
    value = (value as Record<string, unknown>)[name];
  }
  return value ?? null;
}

function holds(condition: Condition, value: unknown): boolean {
  if (condition === null || typeof condition !== "object" || condition instanceof ExactNumber) {
    return equal(condition, value);
  }
  return Object.entries(condition).every(([name, operand]) => compare(name, operand, value));
}

function compare(name: string, operand: unknown, value: unknown): boolean {
  if (name === "in") return (operand as Scalar[]).some((candidate) => equal(candidate, value));
  if (name === "not") return !holds(operand as Condition, value);
  const order = value === null ? null : orderOf(textOf(value), textOf(operand));
  if (order === null) return false;
  if (name === "gte") return order >= 0;
  if (name === "gt") return order > 0;
  return name === "lte" ? order <= 0 : order < 0;
}

function equal(expected: Scalar, value: unknown): boolean {
  if (expected === null || value === null) return expected === value;
  if (typeof expected === "boolean" || typeof value === "boolean") return expected === value;
  const [wanted, given] = [textOf(expected), textOf(value)];
  if (wanted === given) return true;
  const numeric = typeof expected !== "string" || typeof value === "number" || given.includes(".");
  if (numeric && orderOf(wanted, given) === 0) return true;
  if (typeof expected !== "string") return false;
  if (orderOfInstants(wanted, given) === 0) return true;
  const star = expected.indexOf("*");
  // Most texts differ before the first *, and are told apart without a pattern being made.
  return star >= 0 && given.startsWith(expected.slice(0, star)) && globOf(expected).test(given);
}

/** Decimals by value, instants by time, else texts; null where they cannot be compared. */
function orderOf(left: string, right: string): number | null {
  const decimal = DECIMAL.test(left) && DECIMAL.test(right);
  if (!decimal && (DECIMAL.test(left) || DECIMAL.test(right))) return null;
  if (!decimal) return orderOfInstants(left, right) ?? (left < right ? -1 : Number(left > right));
  const [first, second] = [parseDecimal(left), parseDecimal(right)];
  const difference = first.digits * 10n ** BigInt(second.scale) - second.digits * 10n ** BigInt(first.scale);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Instants of any zone and precision by time; null where one of them is none. */
function orderOfInstants(left: string, right: string): number | null {
  const first = parseInstant(left);
  const second = first === null ? null : parseInstant(right);
  return first === null || second === null ? null : Math.sign(first - second);
}

/** What tells texts that fit a pattern from those that do not. */
export interface Glob {
  test(text: string): boolean;
}

/**
 * A text in which `*` stands for anything. Each part between two of them is looked for once, from where the one before
 * it ended: an expression with many `.*` would try all their combinations.
 */
export function globOf(pattern: string): Glob {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return { test: (text) => text === first };
  return {
    test: (text) => {
      const end = text.length - last.length;
      if (!text.startsWith(first) || !text.endsWith(last)) return false;
      let from = first.length;
      for (const part of others) {
        const at = text.indexOf(part, from);
        if (at < 0) return false;
        from = at + part.length;
      }
      return from <= end;
    },
  };
}

function textOf(value: unknown): string {
  return value instanceof ExactNumber ? value.source : String(value);
}
