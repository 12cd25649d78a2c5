/** What is wrong with an amount that somebody wrote, and what was probably meant. */
import { AmountError, ExactNumber, parseAmount, plainDecimal } from "../domain/money.ts";
import { asQuestion } from "../domain/near-name.ts";
import { quoted } from "./problems.ts";

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** What is longer was not meant to be an amount. */
const LONGEST_MEANT = 100;

/** As many decimals as any currency has. */
const MOST_DECIMALS = 8;

/**
 * Why a value is no amount, as the end of a sentence that begins with its field; null where it is one.
 * @param scale decimals of the currency, where that is known.
 */
export function amountFault(value: unknown, scale: number = MOST_DECIMALS): string | null {
  if (typeof value !== "string" && !(value instanceof ExactNumber)) return null;
  try {
    parseAmount(value, scale);
    return null;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return error.message + amountMeant(value);
  }
}

/** Why a value can never be that of a field that holds decimals; null where it can, or says so by `*` or `${…}`. */
export function decimalFault(value: unknown): string | null {
  if (value instanceof ExactNumber) return numberFault(value);
  if (typeof value !== "string" || DECIMAL.test(value) || value.includes("*") || value.includes("${")) return null;
  return `is a decimal such as 150.00, never ${quoted(value)}${amountMeant(value)}`;
}

/** YAML has numbers such as `0x10`, `0o17` and `.inf`, which no amount is ever written as. */
function numberFault(number: ExactNumber): string | null {
  if (DECIMAL.test(plainDecimal(number.source))) return null;
  const meant = Number.isSafeInteger(number.valueOf()) ? String(number.valueOf()) : null;
  return `is a decimal such as 150.00, never ${quoted(number.source)}${asQuestion(meant)}`;
}

const SIGNS: Readonly<Record<string, string>> = { ">=": "gte", ">": "gt", "<=": "lte", "<": "lt" };

function amountMeant(value: string | ExactNumber): string {
  if (typeof value !== "string") return numberMeant(value);
  if (value.length > LONGEST_MEANT) return "";
  const [, sign, operand = ""] = /^\s*([<>]=?)\s*(.+)$/.exec(value) ?? [];
  const decimal = sign && DECIMAL.test(operand) ? operand : decimalMeant(operand || value);
  if (decimal === null) return "";
  return sign ? `; did you mean { ${SIGNS[sign]}: ${decimal} }?` : asQuestion(decimal);
}

/** YAML takes `010`, `.5` and `+5` for numbers. */
function numberMeant({ source }: ExactNumber): string {
  if (source.length > LONGEST_MEANT || /e/i.test(source)) return "";
  const decimal = plainDecimal(source);
  return decimal === source ? "" : asQuestion(decimal);
}

/** `12,50`, `1.000,00`, `1,000.00` and `R$ 12.50` as decimals. */
function decimalMeant(text: string): string | null {
  const digits = text.trim().replace(/^[^\d-]+|\D+$/g, "");
  const last = Math.max(digits.lastIndexOf(","), digits.lastIndexOf("."));
  const whole = (last < 0 ? digits : digits.slice(0, last)).replace(/[.,\s]/g, "");
  const decimal = last < 0 ? whole : `${whole}.${digits.slice(last + 1)}`;
  return DECIMAL.test(decimal) && decimal !== text ? decimal : null;
}
