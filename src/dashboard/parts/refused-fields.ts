/** Finds the form fields that a refusal is about. */

interface GivenField {
  readonly name: string;
  readonly required: boolean;
  /** The typed value. */
  readonly value: string;
}

/** A refusal: its problems, or its message, begin with the name of a field. */
interface Refusal {
  readonly message: string;
  readonly details?: unknown;
}

/** The fields that a refusal names; if none, the only required field, or the only one that was filled in. */
export function refusedAmong<Field extends GivenField>(fields: readonly Field[], refusal: Refusal): readonly Field[] {
  const texts = [refusal.message, ...problemsOf(refusal)];
  const named = fields.filter(({ name }) => texts.some((text) => text.startsWith(`${name} `)));
  if (named.length > 0) return named;
  const likely = [fields.filter(({ required }) => required), fields.filter(({ value }) => value.trim() !== "")];
  return likely.find(({ length }) => length === 1) ?? [];
}

function problemsOf({ details }: Refusal): string[] {
  const { problems } = (details ?? {}) as { problems?: unknown };
  return Array.isArray(problems) ? problems.filter((problem) => typeof problem === "string") : [];
}

type FieldElement = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Marks these fields, also for screen readers; null removes marks. @param wordsId the element with the reason. */
export function markRefused(form: HTMLFormElement, refusal: Refusal | null, wordsId: string): void {
  const fields = [...form.querySelectorAll<FieldElement>(":is(input, select, textarea)[name]")];
  const refused = refusal ? refusedAmong(fields, refusal) : [];
  for (const field of fields) {
    if (refused.includes(field)) {
      field.setAttribute("aria-invalid", "true");
      field.setAttribute("aria-describedby", wordsId);
    } else {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
  }
}
