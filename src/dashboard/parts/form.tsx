/** Fields of forms, and the bodies of calls that are made of them. */
import { useId } from "preact/hooks";
import { BETWEEN_GROUPS } from "../words/amounts.ts";

/** A field of a form, which may be left empty unless it is required. */
export interface InputField {
  /** The place in the body: `payer.name`. */
  readonly path: string;
  readonly label: string;
  /** What holds where it is left empty. */
  readonly hint?: string;
  readonly required?: boolean;
  readonly kind?: "text" | "check" | "area" | "number" | "secret";
  readonly options?: readonly string[];
  readonly value?: string;
}

/** A field with its label; its name in the form is its path. */
export function FieldInput({ field }: { field: InputField }) {
  const id = useId();
  const { path, label, hint, required = false, kind = "text", options, value = "" } = field;
  if (kind === "check") {
    return (
      <label class="check">
        <input type="checkbox" name={path} />
        {label}
      </label>
    );
  }
  return (
    <div class="field">
      <label for={id}>
        {label}
        {!required && <span class="muted"> optional</span>}
      </label>
      {options ? (
        <select id={id} name={path} required={required}>
          {options.map((option) => (
            <option key={option} value={option} selected={option === value}>
              {option}
            </option>
          ))}
        </select>
      ) : kind === "area" ? (
        <textarea
          id={id}
          name={path}
          rows={10}
          required={required}
          spellcheck={false}
          placeholder={hint}
          defaultValue={value}
        />
      ) : (
        <TextInput id={id} field={field} />
      )}
    </div>
  );
}

function TextInput({ id, field: { path, hint, required, kind, value = "" } }: { id: string; field: InputField }) {
  const same = { id, name: path, required, placeholder: hint, defaultValue: value, autocomplete: "off" } as const;
  if (kind === "secret") return <input {...same} type="password" />;
  return <input {...same} type="text" inputMode={kind === "number" ? "numeric" : undefined} spellcheck={false} />;
}

/** What was typed makes no body; the message says why. */
export class InputError extends Error {
  override readonly name = "InputError";
}

/**
 * The body that a form's fields make, without blanks at their edges and the narrow spaces in amounts that were copied
 * from the page; those left empty are left out.
 */
export function readFields(form: HTMLFormElement, fields: readonly InputField[]): Record<string, unknown> {
  const given = new FormData(form);
  const body: Record<string, unknown> = {};
  for (const { path, kind } of fields) {
    const text = String(given.get(path) ?? "")
      .trim()
      .replaceAll(BETWEEN_GROUPS, "");
    if (kind === "check") {
      if (text === "on") put(body, path, true);
    } else if (text !== "") put(body, path, kind === "number" ? numberOf(text) : text);
  }
  return body;
}

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
