/** Conditions of `where`: equality, `*` globs, `gte gt lte lt in not`, on the fields of what happened. */
import { compareDecimals, ExactNumber, isDecimal, parseDecimal, plainDecimal } from "../domain/money.ts";
import { parseInstant } from "../world/instants.ts";

/** Comparisons that a condition may name. */
export const comparisons = ["gte", "gt", "lte", "lt", "in", "not"] as const;

/** A text with its references filled in: a `*` in a filled-in value is a plain character, not a wildcard. */
export class FilledText {
  /** The pieces between the `*` that its author wrote. */
  readonly parts: readonly string[];

  constructor(parts: readonly string[]) {
    this.parts = parts;
  }

  toString(): string {
    return this.parts.join("*");
  }
}

type Scalar = string | number | boolean | null | ExactNumber | FilledText;

/** What a field is compared with. */
export type Condition =
  | Scalar
  | { readonly [Name in "gte" | "gt" | "lte" | "lt"]?: Scalar }
  | { readonly in?: readonly Scalar[]; readonly not?: Condition };

/** TABLE: fields of answers and events that hold decimals as texts, which are compared by value. */
const decimalFields: ReadonlySet<string> = new Set([
  ...["amount", "amount_from", "amount_gross", "amount_net", "amount_refunded", "amount_returned_to"],
  ...["amount_reverted_from", "amount_to", "estimated_amount", "from_amount", "refunded_amount", "to_amount"],
  ...["balance", "balance_locked", "new_balance", "old_balance"],
  ...["fee", "fixed", "minimum", "percentage", "rate", "spread"],
  ...["daily_limit", "daily_remaining", "daily_used", "monthly_limit", "monthly_used"],
  ...["per_operation_max", "per_operation_min"],
]);

/** Whether the field at a path holds decimals, so that `150` equals `150.00`. */
export function holdsDecimals(path: string): boolean {
  return decimalFields.has(path.slice(path.lastIndexOf(".") + 1));
}

/** Whether every condition holds; a dotted path looks into nested fields. */
export function matches(where: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(where).every(([path, condition]) => {
    const value = fieldAt(fields, path);
    return holds(condition as Condition, { value, byValue: isNumber(value) || holdsDecimals(path) });
  });
}

/** The value of a field, and whether decimals in it are compared by value. */
interface Given {
  readonly value: unknown;
  readonly byValue: boolean;
}

/** The value at a dotted path such as `payer.name` or `items[0].status`; null if there is none. */
export function fieldAt(fields: unknown, path: string): unknown {
  // Most paths have one part.
  if (!path.includes(".") && !path.includes("[")) return ownOf(fields, path);
  return partsOf(path).reduce(ownOf, fields);
}

function ownOf(value: unknown, name: string): unknown {
  if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return null;
  return (value as Record<string, unknown>)[name] ?? null;
}

/** The parts of a dotted path; `items[0].status` has the same ones as `items.0.status`. */
export function partsOf(path: string): string[] {
  const dotted = path.includes("[") ? path.replace(/\[(\d+)\]/g, ".$1") : path;
  return dotted.split(".");
}

function holds(condition: Condition, given: Given): boolean {
  if (isScalar(condition)) return equal(condition, given);
  return Object.entries(condition).every(([name, operand]) => compare(name, operand, given));
}

function isScalar(condition: Condition): condition is Scalar {
  if (condition === null || typeof condition !== "object") return true;
  return condition instanceof ExactNumber || condition instanceof FilledText;
}

function compare(name: string, operand: unknown, given: Given): boolean {
  if (name === "in") return (operand as Scalar[]).some((candidate) => equal(candidate, given));
  if (name === "not") return !holds(operand as Condition, given);
  const order = isOrdered(given.value) && isOrdered(operand) ? orderOf(figureOf(given.value), figureOf(operand)) : null;
  if (order === null) return false;
  if (name === "gte") return order >= 0;
  if (name === "gt") return order > 0;
  return name === "lte" ? order <= 0 : order < 0;
}

/** Whether a value has an order: true, false, null, lists and objects have none. */
function isOrdered(value: unknown): boolean {
  return typeof value === "string" || isNumber(value) || value instanceof FilledText;
}

function equal(expected: Scalar, { value, byValue }: Given): boolean {
  if (expected === null || value === null) return expected === value;
  if (typeof expected === "boolean" || typeof value === "boolean") return expected === value;
  const [wanted, given] = [textOf(expected), textOf(value)];
  if (wanted === given) return true;
  const order = byValue ? orderOfDecimals(figureOf(expected), figureOf(value)) : null;
  if (order !== null) return order === 0;
  if (isNumber(expected)) return false;
  if (orderOfInstants(wanted, given) === 0) return true;
  if (expected instanceof FilledText) return globOf(expected.parts).test(given);
  const star = wanted.indexOf("*");
  // Most texts differ before the first *, so that no glob has to be made for them.
  return star >= 0 && given.startsWith(wanted.slice(0, star)) && globOf(wanted).test(given);
}

/** Orders decimals by value, instants by time, and other texts as texts; null if only one of them is a decimal. */
export function orderOf(left: string, right: string): number | null {
  if (isDecimal(left) !== isDecimal(right)) return null;
  const instants = () => orderOfInstants(left, firstInstantOf(right) ?? right);
  return orderOfDecimals(left, right) ?? instants() ?? (left < right ? -1 : Number(left > right));
}

/** The first instant, in UTC, of a text that is a month or a day; null for any other text. */
export function firstInstantOf(date: string): string | null {
  const [, month, day = "-01"] = /^(\d{4}-\d{2})(-\d{2})?$/.exec(date) ?? [];
  return month === undefined ? null : `${month}${day}T00:00:00Z`;
}

/** Orders decimals by value; null unless both are decimals. */
function orderOfDecimals(left: string, right: string): number | null {
  if (!isDecimal(left) || !isDecimal(right)) return null;
  return compareDecimals(parseDecimal(left), parseDecimal(right));
}

/** Orders instants of any zone and precision by time; null unless both are instants. */
function orderOfInstants(left: string, right: string): number | null {
  const first = parseInstant(left);
  const second = first === null ? null : parseInstant(right);
  return first === null || second === null ? null : Math.sign(first - second);
}

/** Tests whether texts match a pattern. */
interface Glob {
  test(text: string): boolean;
}

/**
 * Makes a glob of a text in which `*` stands for anything, or of the parts between the `*`. Each part is searched for
 * only once, from the end of the part before it: a regular expression with many `.*` would try all combinations.
 */
export function globOf(pattern: string | readonly string[]): Glob {
  const [first = "", ...others] = typeof pattern === "string" ? pattern.split("*") : pattern;
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

function isNumber(value: unknown): boolean {
  return typeof value === "number" || value instanceof ExactNumber;
}

/** Whether only one text meets a condition; several may meet one with a `*`, a decimal or an instant. */
export function isMetByItselfAlone(condition: unknown): condition is string {
  if (typeof condition !== "string" || condition.includes("*")) return false;
  return condition !== "" && !isDecimal(condition) && parseInstant(condition) === null;
}

/** A value as the text to compare; for a number, its plain decimal. */
export function figureOf(value: unknown): string {
  return isNumber(value) ? plainDecimal(textOf(value)) : textOf(value);
}

/** A value as a text; an {@link ExactNumber} as it was written. */
export function textOf(value: unknown): string {
  return value instanceof ExactNumber ? value.source : String(value);
}
