/** Fields whose value may be a reference `${name.path}`, which only a run can resolve. */

import { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { issueWords } from "./file-words.ts";
import {
  filledName,
  holdsReference,
  isReference,
  type Reference,
  UnknownVariable,
  type Variables,
} from "./variables.ts";

/** The metadata key under which such a schema keeps its field, for the JSON Schema. */
export const REFERABLE = "referable";

/** The message for a reference within a text where only a whole value can be one. */
export const ALONE = `takes \${…} alone, with nothing before or after it`;

/** A field that also takes a reference; {@link filledField} resolves it. */
export function orReference<Field extends z.ZodType>(field: Field) {
  return z
    .unknown()
    .transform((given, context): z.output<Field> | Reference => {
      if (isReference(given)) return given;
      const { data, error } = field.safeParse(given, TO_BE_TOLD);
      if (error && holdsReference(given)) context.addIssue({ code: "custom", message: ALONE });
      else for (const issue of error?.issues ?? []) context.addIssue({ ...issue });
      return data as z.output<Field>;
    })
    .meta({ [REFERABLE]: field });
}

/**
 * The value of a field, with a reference in its place resolved and parsed.
 * @throws {UnknownVariable} also if the resolved value does not fit the field.
 */
export function filledField<Value>(
  given: Value | Reference | undefined,
  field: z.ZodType<Value>,
  variables: Variables,
): Value | undefined {
  if (!isReference(given)) return given;
  const text = filledName(given, variables);
  // The saved value may be a text where the field wants a number, or a number where it wants a text.
  const isWhole = /^\d{1,15}$/.test(text);
  const read = field.safeParse(isWhole ? new ExactNumber(text) : text, TO_BE_TOLD);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UnknownVariable(
    `${given}: it is ${JSON.stringify(text)}, and it ${issue ? issueWords(issue) : "is none of these"}`,
  );
}
