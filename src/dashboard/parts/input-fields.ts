/** What fields of forms are, and the bodies of calls that are made of them. */
import { plainAmount } from "../words/amounts.ts";

/** A field of a form, which may be left empty unless it is required. */
export interface InputField {
  /** The place in the body: `payer.name`. */
  readonly path: string;
  readonly label: string;
  /** What holds where it is left empty. */
  readonly hint?: string;
  readonly required?: boolean;
  /** An `area` is sent as it was typed; an `amount` may have been copied from the page. */
  readonly kind?: "text" | "check" | "area" | "number" | "amount" | "secret";
  readonly options?: readonly string[];
  readonly value?: string;
}

/** What was typed makes no body; the message says why. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/** The body that a form's fields make; those left empty are left out. */
export function readFields(form: HTMLFormElement, fields: readonly InputField[]): Record<string, unknown> {
  return bodyOf(new FormData(form), fields);
}

/** The body that what was given for each field makes. */
export function bodyOf(given: FormData, fields: readonly InputField[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { path, kind = "text" } of fields) {
    const typed = String(given.get(path) ?? "");
    if (typed.trim() !== "") put(body, path, readers[kind](typed));
  }
  return body;
}

const trimmed = (typed: string) => typed.trim();

/** TABLE: what is taken of what was typed. In a text of lines, blanks at its edges mean something, and lines are counted. */
const readers: Readonly<Record<NonNullable<InputField["kind"]>, (typed: string) => unknown>> = {
  text: trimmed,
  secret: trimmed,
  amount: plainAmount,
  area: (typed) => typed,
  number: (typed) => numberOf(typed.trim()),
  check: (typed) => typed === "on",
};

/** Only digits are a number: anything else is refused as it was typed. */
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
