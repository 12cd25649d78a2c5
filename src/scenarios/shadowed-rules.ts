/** Finds rules that can never match because a rule above them takes all their matches (interface, section 5). */
import { ExactNumber, isDecimal } from "../domain/money.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { parseInstant } from "../world/instants.ts";
import { firstInstantOf, globOf, holdsDecimals, matches } from "./conditions.ts";
import { isBy } from "./filters.ts";
import type { Finding } from "./findings.ts";
import { currencyOver, type KnownNames } from "./known-world.ts";
import { quoted } from "./problems.ts";
import { whereField } from "./where.ts";

/** A rule that keeps everything it matches from the rules below it. */
interface Taker {
  readonly number: number;
  readonly rule: Plain;
  readonly where: Plain;
}

/** The takers found so far for one trigger pattern; `exact` has them by their fields, then by the values of these. */
interface Takers {
  readonly exact: Map<string, { readonly fields: readonly string[]; readonly byValues: Map<string, Taker> }>;
  /** Those with a condition that several values satisfy, or with a beginning or an end. */
  readonly wide: Taker[];
}

/** The most such rules to compare with one by one, so that files of thousands of rules are checked quickly. */
const MOST_WIDE = 100;

/** TABLE: filters by which a rule leaves some matches to those below it, and whether a value of the filter does so. */
const narrowing: Readonly<Record<string, (value: unknown) => boolean>> = {
  skip: (count) => Number(count) !== 0,
  times: () => true,
  chance: (share) => share !== "100%",
};

const TRIGGERS = ["on", "request", "delivery"] as const;

/** Finds each rule that can never match. */
export function* checkShadowed(rules: readonly unknown[], known: KnownNames): Generator<Finding> {
  const byTrigger = new Map<string, Takers>();
  for (const [index, rule] of rules.entries()) {
    const trigger = isObject(rule) ? TRIGGERS.find((kind) => typeof rule[kind] === "string") : undefined;
    if (!isObject(rule) || trigger === undefined || rule.also === true) continue;
    const { data: where } = whereField.safeParse(rule.where);
    if (where === undefined) continue; // The schema reports the faulty conditions.
    const pattern = `${trigger} ${rule[trigger]}`;
    const takers = byTrigger.get(pattern) ?? { exact: new Map(), wide: [] };
    byTrigger.set(pattern, takers);
    const own = trigger === "on" ? withCurrency(where, known) : where;
    const above = [takers, ...widerThan(pattern, byTrigger)]
      .map((others) => takerOf({ rule, where: own }, others))
      .find(Boolean);
    if (above) yield { path: ["rules", index], message: shadowedWords(above) };
    else if (!leavesSome(rule)) add(takers, { number: index + 1, rule, where });
  }
}

/** The conditions with the currency that follows from their network: what names a network has a currency. */
function withCurrency(where: Plain, known: KnownNames): Plain {
  const { network, currency } = where;
  const only = typeof network === "string" && currency === undefined ? currencyOver(network, known) : null;
  return only === null ? where : { ...where, currency: only };
}

/** Whether a rule is certainly open whenever another one is. */
function isOpenWith(taker: Plain, rule: Plain): boolean {
  const { from = "+0s", until } = taker;
  return (isBy(from, "+0s") || isBy(from, rule.from)) && (until === undefined || isBy(rule.until, until));
}

function leavesSome(rule: Plain): boolean {
  return Object.entries(narrowing).some(([filter, isSo]) => rule[filter] !== undefined && isSo(rule[filter]));
}

/** Takers of wider globs, which match the pattern as a text: a `*` in it can only be matched by one of theirs. */
function widerThan(pattern: string, byTrigger: ReadonlyMap<string, Takers>): Takers[] {
  const wider = [...byTrigger].filter(([other]) => other.includes("*") && other !== pattern);
  return wider.filter(([other]) => globOf(other).test(pattern)).map(([, takers]) => takers);
}

function shadowedWords({ number, rule }: Taker): string {
  const which = typeof rule.name === "string" ? quoted(rule.name) : `number ${number}`;
  return `this rule can never match: rule ${which} above takes all that it matches; put it first, or narrow that one`;
}

function add(takers: Takers, taker: Taker): void {
  const fields = Object.keys(taker.where).sort();
  const isAlwaysOpen = isOpenWith(taker.rule, {});
  const isNarrow = isAlwaysOpen && !fields.some((field) => isWide(taker.where[field]));
  if (!isNarrow && takers.wide.length < MOST_WIDE) takers.wide.push(taker);
  if (!isAlwaysOpen) return;
  const group = takers.exact.get(fields.join()) ?? { fields, byValues: new Map<string, Taker>() };
  takers.exact.set(fields.join(), group);
  const values = valuesKey(taker.where, fields);
  if (!group.byValues.has(values)) group.byValues.set(values, taker);
}

function takerOf({ rule, where }: Omit<Taker, "number">, takers: Takers): Taker | undefined {
  for (const { fields, byValues } of takers.exact.values()) {
    const taker = fields.every((field) => field in where) ? byValues.get(valuesKey(where, fields)) : undefined;
    if (taker) return taker;
  }
  return takers.wide.find(
    (taker) =>
      isOpenWith(taker.rule, rule) &&
      Object.entries(taker.where).every(
        ([field, condition]) => field in where && implies(field, where[field], condition),
      ),
  );
}

function valuesKey(where: Plain, fields: readonly string[]): string {
  return keyOf(fields.map((field) => shortest(field, where[field])));
}

/**
 * A text that is the same for conditions on the same values alone: `007` and `7` are two external ids, though one
 * number; `7` and `"7"` are one.
 */
function keyOf(value: unknown): string {
  if (value instanceof ExactNumber) return isDecimal(value.source) ? JSON.stringify(value.source) : value.source;
  if (Array.isArray(value)) return `[${value.map(keyOf).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}:${keyOf(part)}`)
    .join()}}`;
}

/** The shortest form of a decimal, as `5.0` and `5.00` are one amount; other values as they are. */
function shortest(field: string, value: unknown): unknown {
  if (!holdsDecimals(field) || !isExact(value)) return value;
  const text = value instanceof ExactNumber ? value.source : String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

function isWide(condition: unknown): boolean {
  return isObject(condition) || (typeof condition === "string" && condition.includes("*"));
}

/** Whether every value that satisfies the condition `own` of a field certainly satisfies `wide`. */
function implies(field: string, own: unknown, wide: unknown): boolean {
  if (keyOf(own) === keyOf(wide)) return true;
  if (Array.isArray(own) || (isObject(wide) && "not" in wide)) return false;
  if (isObject(own)) return impliesBounds(field, own, wide);
  if (typeof own === "string" && own.includes("*")) return globImplies(own, wide);
  // A number also equals texts with more zeros, and a glob may match only some of these.
  const isNumber = own instanceof ExactNumber || /^-?\d/.test(String(own));
  if (isNumber && JSON.stringify(wide).includes("*")) return false;
  const name = field.slice(field.lastIndexOf(".") + 1);
  return matches({ [name]: wide }, { [name]: own instanceof ExactNumber ? own.source : own });
}

/** TABLE: for each bound, the bounds of another condition that can lie within it. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  gte: ["gte", "gt"],
  gt: ["gt"],
  lte: ["lte", "lt"],
  lt: ["lt"],
};

function impliesBounds(field: string, own: Plain, wide: unknown): boolean {
  if (Array.isArray(own.in)) return own.in.every((value) => implies(field, value, wide));
  if (!isObject(wide)) return false;
  return Object.entries(wide).every(([name, bound]) => {
    const comparison = name.startsWith("g") ? "gte" : "lte";
    const tighter = (WITHIN[name] ?? []).map((other) => own[other]).filter((value) => haveOneOrder(value, bound));
    return tighter.some((value) => matches({ value: { [comparison]: bound } }, { value }));
  });
}

/** Whether every text that a glob matches certainly satisfies another condition. */
function globImplies(glob: string, wide: unknown): boolean {
  if (typeof wide === "string") return globOf(wide).test(glob);
  const [start = ""] = glob.split("*", 1);
  // What begins as numbers do may be one, and have another order.
  if (!isObject(wide) || !/^[^\d-]/.test(start)) return false;
  return Object.entries(wide).every(([name, bound]) => {
    if (!isPlainText(bound)) return false;
    return bound.startsWith(start)
      ? name === "gte" && bound === start
      : matches({ value: { [name]: bound } }, { value: start });
  });
}

/** Whether all values are compared with both bounds in the same way: by value, or as texts. */
function haveOneOrder(one: unknown, other: unknown): boolean {
  return (isExact(one) && isExact(other)) || (isPlainText(one) && isPlainText(other));
}

/** Whether a bound is neither a decimal nor an instant. */
function isPlainText(bound: unknown): bound is string {
  return typeof bound === "string" && !isDecimal(bound) && parseInstant(firstInstantOf(bound) ?? bound) === null;
}

function isExact(value: unknown): boolean {
  return value instanceof ExactNumber || (typeof value === "string" && isDecimal(value));
}
