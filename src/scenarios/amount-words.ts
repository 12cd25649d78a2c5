/** What is wrong with an amount that somebody wrote, and what was probably meant. */
import { MAX_SCALE } from "../domain/currencies.ts";
import { AmountError, ExactNumber, isDecimal, parseAmount, plainDecimal } from "../domain/money.ts";
import { asQuestion } from "../domain/words/near-name.ts";
import { quoted } from "./problems.ts";

/** Longer texts were not meant as amounts, so that no correction is suggested. */
const LONGEST_MEANT = 100;

/**
 * Why a text or number is not an amount, as the rest of a sentence that begins with its field; null if it is one, and
 * for values of other types.
 * @param scale decimals of the currency; the most that one has if it is not known.
 */
export function amountFault(value: unknown, scale: number = MAX_SCALE): string | null {
  if (typeof value !== "string" && !(value instanceof ExactNumber)) return null;
  try {
    parseAmount(value, scale);
    return null;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return error.message + amountMeant(value);
  }
}

/** Why a field that holds decimals can never have a value; null if it can, or if the value has a `*` or `${…}`. */
export function decimalFault(value: unknown): string | null {
  if (value instanceof ExactNumber) return numberFault(value);
  if (typeof value !== "string" || isDecimal(value) || value.includes("*") || value.includes("${")) return null;
  return `is a decimal such as 150.00, never ${quoted(value)}${amountMeant(value)}`;
}

/** Rejects YAML numbers such as `0x10`, `0o17` and `.inf`, a form that no amount has. */
function numberFault(number: ExactNumber): string | null {
  if (isDecimal(plainDecimal(number.source))) return null;
  const meant = Number.isSafeInteger(number.valueOf()) ? String(number.valueOf()) : null;
  return `is a decimal such as 150.00, never ${quoted(number.source)}${asQuestion(meant)}`;
}

const SIGNS: Readonly<Record<string, string>> = { ">=": "gte", ">": "gt", "<=": "lte", "<": "lt" };

function amountMeant(value: string | ExactNumber): string {
  if (typeof value !== "string") return numberMeant(value);
  if (value.length > LONGEST_MEANT) return "";
  const [, sign, operand = ""] = /^\s*([<>]=?)\s*(.+)$/.exec(value) ?? [];
  const decimal = sign && isDecimal(operand) ? operand : decimalMeant(operand || value);
  if (decimal === null) return "";
  return sign ? `; did you mean { ${SIGNS[sign]}: ${decimal} }?` : asQuestion(decimal);
}

/** The plain form of a number that YAML accepts, such as `010`, `.5` or `+5`. */
function numberMeant({ source }: ExactNumber): string {
  if (source.length > LONGEST_MEANT || /e/i.test(source)) return "";
  const decimal = plainDecimal(source);
  return decimal === source ? "" : asQuestion(decimal);
}

/** Reads `12,50`, `1.000,00`, `1,000.00` and `R$ 12.50` as decimals; null if the text is no such amount. */
function decimalMeant(text: string): string | null {
  const digits = text.trim().replace(/^[^\d-]+|\D+$/g, "");
  const last = Math.max(digits.lastIndexOf(","), digits.lastIndexOf("."));
  const whole = (last < 0 ? digits : digits.slice(0, last)).replace(/[.,\s]/g, "");
  const decimal = last < 0 ? whole : `${whole}.${digits.slice(last + 1)}`;
  return isDecimal(decimal) && decimal !== text ? decimal : null;
}
