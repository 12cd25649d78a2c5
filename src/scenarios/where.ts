/** The schema of `where`: conditions on the fields of an occurrence. */

import { z } from "zod";
import { ExactNumber } from "../domain/money.ts";
import { isObject } from "../domain/plain-values.ts";
import { TO_BE_TOLD } from "../domain/words/told-issues.ts";
import { comparisons } from "./conditions.ts";

const ordered = [z.string(), z.number(), z.instanceof(ExactNumber)] as const;
const scalar = z.union([...ordered, z.boolean(), z.null()], {
  error: "must be a text, a number, true, false or null",
});

/** The operand of a comparison by order, which true, false and null do not have. */
const operand = z.union(ordered, { error: "must be a number, an instant or a text" }).optional();

/** A value, or comparisons. */
export const condition: z.ZodType = z
  .unknown()
  .superRefine((value, context) => {
    if (scalar.safeParse(value).success) return;
    const result = comparison.safeParse(value, TO_BE_TOLD);
    if (result.success && Object.keys(result.data).length > 0) return;
    if (!result.success && isObject(value)) {
      for (const issue of result.error.issues) context.addIssue(issue as never);
    } else {
      context.addIssue({ code: "custom", message: `must be a value or one of ${comparisons.join(", ")}` });
    }
  })
  .meta({
    description: "A value (in a text, * stands for anything), or comparisons.",
    ...conditionForm("condition", { type: ["string", "number", "boolean", "null"] }, { type: ["string", "number"] }),
  });

/**
 * Conditions as JSON Schema, for editors, which cannot run code.
 * @param id the name of the schema. @param values what a field may equal. @param operand what it is ordered against.
 */
export function conditionForm(id: string, values: object, operand: object = values) {
  const operands = Object.fromEntries(["gte", "gt", "lte", "lt"].map((name) => [name, operand]));
  const lists = { in: { type: "array", items: values, minItems: 1 }, not: { $ref: `#/definitions/${id}` } };
  const compared = { type: "object", properties: { ...operands, ...lists }, additionalProperties: false };
  return { id, anyOf: [values, { ...compared, minProperties: 1 }] };
}

const comparison = z.strictObject({
  gte: operand,
  gt: operand,
  lte: operand,
  lt: operand,
  in: z.array(scalar).min(1, { error: "must have at least one value" }).optional(),
  not: condition.optional(),
});

/** Conditions by field. */
export const whereField = z
  .record(z.string(), condition, { error: "must be an object such as { currency: BRL }" })
  .default({});
