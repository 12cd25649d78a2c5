/** The fields of forms, and the button below them. */
import { useId } from "preact/hooks";
import type { InputField } from "./input-fields.ts";

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
        <Choice id={id} field={field} options={options} />
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

interface ChoiceProps {
  readonly id: string;
  readonly field: InputField;
  readonly options: readonly string[];
}

function Choice({ id, field: { path, required = false, value = "" }, options }: ChoiceProps) {
  return (
    <select id={id} name={path} required={required}>
      {options.map((option) => (
        <option key={option} value={option} selected={option === value}>
          {option}
        </option>
      ))}
    </select>
  );
}

/** The end of a form: the button that sends it. @param busy whether it has been sent, and is not answered yet. */
export function FormFoot({ action, busy = false }: { action: string; busy?: boolean }) {
  return (
    <footer>
      <button type="submit" class="button primary" aria-busy={busy}>
        {action}
      </button>
    </footer>
  );
}

/** The keyboards that a telephone offers, by kind of field. */
const inputModes: Readonly<Record<string, "numeric" | "decimal">> = { number: "numeric", amount: "decimal" };

function TextInput({
  id,
  field: { path, hint, required, kind = "text", value = "" },
}: {
  id: string;
  field: InputField;
}) {
  const same = { id, name: path, required, placeholder: hint, defaultValue: value, autocomplete: "off" } as const;
  if (kind === "secret") return <input {...same} type="password" />;
  return <input {...same} type="text" inputMode={inputModes[kind]} spellcheck={false} />;
}
