/** Fields in whose place `${name.path}` may stand: what that comes to is known in a run alone. */
import { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import { issueWords } from "./file-words.ts";
import { filledName, isReference, type Reference, UnknownVariable, type Variables } from "./variables.ts";

/** Where the metadata of such a schema has its field, for the schema that editors read. */
export const REFERABLE = "referable";

/** A field that takes a reference too; {@link filledField} reads what it comes to. */
export function orReference<Field extends z.ZodType>(field: Field) {
  return z
    .unknown()
    .transform((given, context): z.output<Field> | Reference => {
      if (isReference(given)) return given;
      const { data, error } = field.safeParse(given, { reportInput: true });
      for (const issue of error?.issues ?? []) context.addIssue({ ...issue });
      return data as z.output<Field>;
    })
    .meta({ [REFERABLE]: field });
}

/** A field, or what it makes of that which a reference in its place comes to. @throws {UnknownVariable} also where it makes nothing of it. */
export function filledField<Value>(
  given: Value | Reference | undefined,
  field: z.ZodType<Value>,
  variables: Variables,
): Value | undefined {
  if (!isReference(given)) return given;
  const text = filledName(given, variables);
  // A number may have been saved as a text, and the other way round.
  const isWhole = /^\d{1,15}$/.test(text);
  const read = field.safeParse(isWhole ? new ExactNumber(text) : text, { reportInput: true });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UnknownVariable(
    `${given}: it is ${JSON.stringify(text)}, and it ${issue ? issueWords(issue) : "is none of these"}`,
  );
}
