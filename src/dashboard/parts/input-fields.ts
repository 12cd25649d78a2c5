/** Fields of forms, and the request bodies made from them. */
import { plainAmount } from "../words/amounts.ts";

/** A field of a form, which may be left empty unless it is required. */
export interface InputField {
  /** Its place in the body: `payer.name`. */
  readonly path: string;
  readonly label: string;
  /** What applies if it is left empty. */
  readonly hint?: string;
  readonly required?: boolean;
  /** An `area` is sent as typed; an `amount` may have been copied from the page, with its separators. */
  readonly kind?: "text" | "check" | "area" | "number" | "amount" | "secret";
  readonly options?: readonly string[];
  readonly value?: string;
}

/** The typed values make no body; the message says why. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** The body made from a form's fields; empty ones are left out. */
export function readFields(form: HTMLFormElement, fields: readonly InputField[]): Record<string, unknown> {
  return bodyOf(new FormData(form), fields);
}

/** The body made from the given values. */
export function bodyOf(given: FormData, fields: readonly InputField[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { path, kind = "text" } of fields) {
    const typed = String(given.get(path) ?? "");
    if (typed.trim() !== "") put(body, path, readers[kind](typed));
  }
  return body;
}

/** Reads what was typed without blanks at its edges. */
export const trimmed = (typed: string) => typed.trim();

/** TABLE: how typed text is read. An `area` keeps blanks at its edges: they may matter, and lines are counted. */
const readers: Readonly<Record<NonNullable<InputField["kind"]>, (typed: string) => unknown>> = {
  text: trimmed,
  secret: trimmed,
  amount: plainAmount,
  area: (typed) => typed,
  number: (typed) => numberOf(typed.trim()),
  check: (typed) => typed === "on",
};

/** A number if there are only digits; anything else is sent as typed, to be refused. */
function numberOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}

function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = (body[name] ?? {}) as Record<string, unknown>;
  body[name] = inner;
  put(inner, rest.join("."), value);
}
