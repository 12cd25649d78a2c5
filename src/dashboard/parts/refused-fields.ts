/** Which fields of a form a refusal is about. */

interface GivenField {
  readonly name: string;
  readonly required: boolean;
  /** What was typed into it. */
  readonly value: string;
}

/** What says so: its problems, else its message, begin with the name of the field. */
interface Refusal {
  readonly message: string;
  readonly details?: unknown;
}

/** Those that a refusal names; where it names none of them, the only one that must be given, or that was. */
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

/** Marks those of a form, for eyes and for who listens. @param wordsId of what says why. Null takes the marks away. */
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
