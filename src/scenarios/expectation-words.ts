/** Expectations as sentences, for verdicts and reports. */
import { ExactNumber } from "../domain/money.ts";
import { type Expectation, kindOf } from "./script-schema.ts";

/** The name of an expectation, or else its content in a few words: `chargeback.lost once where amount = 150.00`. */
export function expectationWords(expected: Expectation): string {
  if (expected.name) return expected.name;
  const kind = kindOf(expected);
  const within = expected.within === undefined ? "" : ` within ${expected.within}`;
  const count = expected.count === undefined ? "" : ` ${countWords(expected.count)}`;
  const where = whereWords(expected.where);
  if (kind === "event") return `${expected.event}${count}${where}${within}`;
  if (kind === "no_event") return `no ${expected.no_event}${count}${where}${within}`;
  if (kind === "balance")
    return `balance ${expected.of ? `of ${expected.of} ` : ""}${conditionsWords(expected.balance)}`;
  if (kind === "webhook") {
    return `webhook ${expected.webhook}${expected.status ? ` ${expected.status}` : ""}${count}${where}`;
  }
  const named = expected[kind];
  if (typeof named === "string") return `${kind} ${named}${count}${where}`;
  return `${kind}${count}${whereWords({ ...(named as object | null), ...expected.where })}`;
}

/** `once`, `3 times`, `≥ 2 times`. */
function countWords(count: unknown): string {
  const words = operandWords(count);
  return words === "1" ? "once" : `${words} times`;
}

function whereWords(where: unknown): string {
  const words = conditionsWords(where);
  return words ? ` where ${words}` : "";
}

/** Conditions by field in readable form: `currency = BRL, amount ≥ 100`; empty if there are none. */
export function conditionsWords(where: unknown): string {
  return Object.entries((where ?? {}) as object)
    .map(([field, condition]) => conditionWords(field, condition))
    .join(", ");
}

/** TABLE: comparisons as signs. */
const SIGNS: Readonly<Record<string, string>> = { gte: "≥", gt: ">", lte: "≤", lt: "<" };

function conditionWords(field: string, condition: unknown): string {
  return `${field} ${isComparison(condition) ? "" : "= "}${operandWords(condition)}`;
}

/** `BRL`, `≥ 100 and < 1000`, `in (USDT, USDC)`, `not in (USDT, USDC)`, `not (> 1 and < 3)`. */
function operandWords(condition: unknown): string {
  if (!isComparison(condition)) return valueWords(condition);
  return Object.entries(condition)
    .map(([name, operand]) => {
      if (name === "in") return `in (${(operand as unknown[]).map(valueWords).join(", ")})`;
      if (name !== "not") return `${SIGNS[name]} ${valueWords(operand)}`;
      const words = operandWords(operand);
      return isComparison(operand) && Object.keys(operand).length > 1 ? `not (${words})` : `not ${words}`;
    })
    .join(" and ");
}

function isComparison(condition: unknown): condition is object {
  return condition !== null && typeof condition === "object" && !(condition instanceof ExactNumber);
}

function valueWords(value: unknown): string {
  if (value instanceof ExactNumber) return value.source;
  return typeof value === "string" ? value : JSON.stringify(value);
}
