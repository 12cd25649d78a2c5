/** Finds conditions that can never hold: on values that a field never has, or on fields that exclude each other. */

import { ExactNumber, isDecimal } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { INSTANT_EXAMPLE, parseInstant } from "../world/instants.ts";
import { decimalFault } from "./amount-words.ts";
import {
  comparisons,
  figureOf,
  firstInstantOf,
  globOf,
  holdsDecimals,
  matches,
  orderOf,
  textOf,
} from "./conditions.ts";
import { checkByCurrency, scaleFault } from "./currency-checks.ts";
import { struckValues, valuesOf } from "./field-values.ts";
import { wordOf } from "./file-values.ts";
import type { FindingAt } from "./findings.ts";
import type { KnownNames } from "./known-world.ts";
import { quoted } from "./problems.ts";
import { nearest } from "./schema-words.ts";
import { instantMeant } from "./time-fields.ts";
import { condition as conditionSchema } from "./where.ts";

/** What conditions look at. */
interface Conditioned {
  /** The kind of occurrence; null if it may be one of several. */
  readonly kind: string | null;
  /** Its fields, if they are known. */
  readonly fields?: readonly string[] | null | undefined;
  /** The `request` or `delivery` pattern of a fault rule. */
  readonly pattern?: string | undefined;
}

/** A condition that can never hold: as a sentence, and as words to append to the field's path outside of files. */
interface ConditionFinding extends FindingAt {
  readonly behind: string;
}

/** Finds those conditions by field that can never hold. */
export function* checkConditions(
  path: Path,
  where: Plain,
  of: Conditioned,
  known: KnownNames,
): Generator<ConditionFinding> {
  for (const [field, condition] of Object.entries(where)) {
    yield* checkValues(path, [field, condition], of, known);
    yield* checkBounds([...path, field], field, condition);
    yield* checkListed([...path, field], field, condition);
    yield* checkOrder([...path, field], field, condition);
  }
  for (const fault of checkByCurrency(path, where, known)) yield ofWhole(fault);
  yield* checkDecimals(path, where, of, known);
}

/** Finds values that a field never has. @param path that of the conditions, which the field stands below. */
function* checkValues(
  path: Path,
  [field, condition]: readonly [field: string, condition: unknown],
  of: Conditioned,
  known: KnownNames,
): Generator<ConditionFinding> {
  const all = valuesOf(of.kind, field, known);
  const values = (of.pattern === undefined ? null : struckValues(of.pattern, field)) ?? all;
  const isField = of.fields?.includes(field) === true;
  for (const [value, at] of valuesIn(condition, [...path, field])) {
    const decimal = holdsDecimals(field) ? decimalFault(value) : null;
    const fault =
      decimal ?? truthFault(field, value) ?? (isField ? formFault(field, value, at.slice(path.length + 1)) : null);
    if (fault) yield ofField(at, field, fault);
    if (!values || mayBe(values, value)) continue;
    const text = textOf(value);
    const isOfOthers = all?.includes(text) === true;
    const absent = quoted(text) + nearest(text, (isOfOthers ? values : all) ?? []);
    if (isOfOthers) yield ofWhole({ path: at, message: `${quoted(of.pattern ?? "")} has no ${field} ${absent}` });
    else yield { path: at, message: `there is no ${field} ${absent}`, behind: ` cannot be ${absent}` };
  }
}

/** Whether a value or glob fits one of these values. Null always may, as it means absent, and so may a variable. */
function mayBe(values: readonly string[], value: unknown): boolean {
  if (value === null || isObject(value)) return true;
  const text = textOf(value);
  if (text.includes("${")) return true;
  return text.includes("*") ? values.some((one) => globOf(text).test(one)) : values.includes(text);
}

/** A finding about one field. @param words the rest of a sentence that begins with the field's name. */
function ofField(path: Path, field: string, words: string): ConditionFinding {
  return { path, message: `${field} ${words}`, behind: ` ${words}` };
}

/** A finding about more than the field at its path. */
function ofWhole({ path, message }: FindingAt): ConditionFinding {
  return { path, message, behind: `: ${message}` };
}

/** TABLE: fields that are true or false, of attempts and of lists. */
const TRUTHS: readonly string[] = ["manual", "duplicate", "has_next", "has_prev"];

/** Why a field that is true or false never equals a value, such as a text in quotes; null if it may. */
export function truthFault(field: string, value: unknown): string | null {
  if (!TRUTHS.includes(field.slice(field.lastIndexOf(".") + 1))) return null;
  const isText = typeof value === "string" && !value.includes("${");
  if (!isText && !(value instanceof ExactNumber)) return null;
  const isQuoted = /^(true|false)$/.test(textOf(value));
  return `is true or false, never the ${isText ? "text" : "number"} ${textOf(value)}${isQuoted ? "; take the quotes away" : ""}`;
}

/** TABLE: fields that have fields of their own. */
export const nestedFields: readonly string[] = ["payer", "receiver"];

/**
 * Why a field that holds an instant, or further fields, can never have a value; null if it can, or if the value has a
 * `*` or `${…}`.
 * @param compared the comparisons that lead to the value, such as `not` and `gte`.
 */
function formFault(field: string, value: unknown, compared: Path): string | null {
  if (nestedFields.includes(field)) {
    const isOfField = compared.every((part) => typeof part === "number" || comparisons.includes(part as never));
    return isOfField && value !== null ? `is no value: it has fields of its own, such as ${field}.name` : null;
  }
  if (!field.endsWith("_at") || !(typeof value === "string" || value instanceof ExactNumber)) return null;
  const text = textOf(value);
  if (parseInstant(text) !== null || /\*|\$\{/.test(text)) return null;
  // A month or a day can be compared by order, as its first instant, but never equals an instant.
  if (ORDERED.some((name) => name === compared.at(-1)) && firstInstantOf(text) !== null) return null;
  return `is an instant such as ${INSTANT_EXAMPLE}, never ${quoted(text)}${asQuestion(instantMeant(text))}`;
}

/** TABLE: comparisons by order. */
const ORDERED = ["gte", "gt", "lte", "lt"] as const;

/** The values that a condition compares a field with, each with its path. */
export function* valuesIn(condition: unknown, path: Path): Generator<[value: unknown, path: Path]> {
  if (Array.isArray(condition)) {
    for (const [index, item] of condition.entries()) yield [item, [...path, index]];
  } else if (isObject(condition)) {
    for (const [name, operand] of Object.entries(condition)) yield* valuesIn(operand, [...path, name]);
  } else yield [condition, path];
}

/** Finds bounds that no value has an order to: decimals have none to texts. */
function* checkOrder(path: Path, field: string, condition: unknown): Generator<ConditionFinding> {
  if (!isObject(condition) || holdsDecimals(field) || field.endsWith("_at")) return;
  const bounds = ORDERED.map((name) => condition[name]).filter((bound) => !/^$|\$\{/.test(wordOf(bound)));
  const isFigure = (bound: unknown) => isDecimal(figureOf(bound));
  const [decimal, text] = [bounds.find(isFigure), bounds.find((bound) => !isFigure(bound))].map(wordOf);
  if (!decimal || !text) return;
  yield ofField(path, field, `has no order to both the decimal ${quoted(decimal)} and the text ${quoted(text)}`);
}

/** TABLE: the least value of fields that count from there. */
const LEAST: ReadonlyMap<string, string> = new Map([
  ["attempt", "1"],
  ["attempts", "0"],
]);

/** Finds bounds that no value lies between, and one that every value lies above. */
export function* checkBounds(path: Path, field: string, condition: unknown): Generator<ConditionFinding> {
  if (!isObject(condition)) return;
  const { gte, gt, lte, lt } = condition;
  const lows = boundsIn([gte, false], [gt, true]);
  const highs = boundsIn([lte, false], [lt, true]);
  const highBelow = (low: (typeof lows)[number]) =>
    highs.find(({ at, excludes }) => {
      const order = orderOfBounds(field, low.at, at);
      return order !== null && (order > 0 || (order === 0 && (low.excludes || excludes)));
    });
  for (const low of lows) {
    const high = highBelow(low);
    if (!high) continue;
    yield ofField(path, field, `is never both from ${low.at} and up to ${high.at}`);
    return;
  }
  const least = LEAST.get(field);
  if (least && highBelow({ at: least, excludes: false })) yield ofField(path, field, `is never below ${least}`);
}

/** Finds a list of values of which the comparisons beside it let none be. */
function* checkListed(path: Path, field: string, condition: unknown): Generator<ConditionFinding> {
  if (!isObject(condition) || !Array.isArray(condition.in) || !conditionSchema.safeParse(condition).success) return;
  const isSaved = [...valuesIn(condition, path)].some(([value]) => textOf(value).includes("${"));
  if (isSaved || condition.in.some((value) => textOf(value).includes("*"))) return;
  // Without the path to it, as it stands alone here.
  const name = field.slice(field.lastIndexOf(".") + 1).replace(/\[.*$/, "");
  if (condition.in.some((value) => matches({ [name]: condition }, { [name]: value }))) return;
  yield ofField(path, field, "can be none of the values under in: what stands beside them excludes each");
}

/** The bounds that are given, and whether each excludes its own value. */
function boundsIn(...given: readonly [bound: unknown, excludes: boolean][]) {
  return given.flatMap(([bound, excludes]) => {
    const at = bound instanceof ExactNumber ? figureOf(bound) : wordOf(bound);
    return at === "" ? [] : [{ at, excludes }];
  });
}

/** How two bounds of a field are ordered: decimals, or in a field that holds an instant two of these; else null. */
function orderOfBounds(field: string, low: string, high: string): number | null {
  if (isDecimal(low) && isDecimal(high)) return orderOf(low, high);
  const [first, second] = [low, high].map((text) => firstInstantOf(text) ?? text);
  if (!field.endsWith("_at") || first === undefined || second === undefined) return null;
  return parseInstant(first) === null || parseInstant(second) === null ? null : orderOf(first, second);
}

/** Finds `count` conditions that every number of events meets, or none does. */
export function* checkCount(path: Path, condition: unknown): Generator<FindingAt> {
  if (!isObject(condition) || !conditionSchema.safeParse(condition).success) return;
  const named = [...valuesIn(condition, path)].map(([value]) => numberIn(value));
  if (named.some((number) => number === null)) return;
  const counts = [0, ...named.flatMap((number) => [Number(number) - 1, Number(number), Number(number) + 1])];
  const met = counts.filter((count) => count >= 0).map((count) => matches({ count: condition }, { count }));
  if (met.every(Boolean)) yield { path, message: "count holds of any number of them: it can make no difference" };
  if (!met.some(Boolean)) yield { path, message: "count holds of no number of them" };
}

/** The number of a value, if it is short enough to be exact as a double; null otherwise. */
function numberIn(value: unknown): number | null {
  const text = wordOf(value);
  return /^-?\d{1,12}(\.\d{1,3})?$/.test(text) ? Number(text) : null;
}

/** TABLE: fields that hold an amount of the currency beside them, with the decimals that it has. */
const AMOUNTS = ["amount", "amount_gross", "amount_net", "amount_refunded", "refunded_amount"] as const;

/** Finds amounts with more decimals than the currency beside them has. */
function* checkDecimals(
  path: Path,
  where: Plain,
  { fields }: Conditioned,
  { currencies }: KnownNames,
): Generator<ConditionFinding> {
  for (const field of AMOUNTS.filter((name) => fields?.includes(name) ?? true)) {
    const words = scaleFault(where[field], where.currency, currencies);
    if (words !== null) yield ofField([...path, field], field, words);
  }
}
