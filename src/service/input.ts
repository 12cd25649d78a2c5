/** Schemas of fields that requests of the service share; their messages say what would be valid. */
import { isIP } from "node:net";
import { z } from "zod";
import { MAX_DESTINATION } from "../domain/destinations.ts";
import { KEPT_AS_IT_IS } from "../domain/kept-text.ts";
import { AmountError, ExactNumber, parseYamlNumber, plainDecimal } from "../domain/money.ts";
import { isRate, RATE_FORM } from "../domain/rates.ts";

/** An amount of a cash-in, cash-out, transfer or split: number or decimal string (`D09`). */
export const amountField = z
  .union([z.string(), z.instanceof(ExactNumber)], { error: "must be a number or a decimal string" })
  .meta({ description: "Amount, as a JSON number or a decimal string.", decision: "D09" });

/** Whether a schema is of {@link ExactNumber}, the only class among the schemas: in a JSON Schema, a number (`D09`). */
export function isOfExactNumber({ _zod }: z.core.$ZodType): boolean {
  return _zod.def.type === "custom";
}

/** Whether a text has at most `length` code points: an emoji outside the BMP counts as one, not two. */
export function isWithinLength(text: string, length: number): boolean {
  return text.length <= length || (text.length <= 2 * length && [...text].length <= length);
}

/** Text of at most `length` characters; it may be empty. */
export const remarkField = (length: number) =>
  z
    .string({ error: "must be a string" })
    .refine(...KEPT_AS_IT_IS)
    .refine((text) => isWithinLength(text, length), { error: `must be at most ${length} characters` })
    .meta({ maxLength: length });

/** Text of one to `length` characters. */
export const textField = (length: number) => remarkField(length).min(1, { error: "must not be empty" });

/** An external id of at most 64 characters; null or left out for none (`D24`). */
export const externalIdField = textField(64).nullish();

/** The name of a currency or chain. Long names are let through: unknown ones have a refusal of their own (`D25`). */
export const nameField = textField(200);

/** The chain of a cash-in or cash-out (`D05`). */
export const chainField = nameField
  .nullish()
  .meta({ description: "Blockchain, lower case. Needed where a crypto currency has several." });

/** Where the webhooks of one transaction go. */
export const postbackField = z.string({ error: "must be a string" }).meta({ maxLength: MAX_DESTINATION }).nullish();

/** A whole number between two bounds, from JSON or YAML, however it is written: 100, 100.0 or 1e2. */
export const wholeNumberField = (minimum: number, maximum: number) =>
  z
    .instanceof(ExactNumber, { error: `must be a whole number from ${minimum} to ${maximum}` })
    .refine((number) => isWithin(wholeOf(number), minimum, maximum), {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform((number) => Number(wholeOf(number)))
    .meta({ type: "integer", minimum, maximum });

/** A decimal, given as a number or a text, read as text. @param error the message for any other type. */
export const decimalField = (error: string) =>
  z.union([z.string(), z.instanceof(ExactNumber).transform(({ source }) => plainDecimal(source))], { error });

/** US dollars for one unit of a currency. A number is checked by its text: 0, -1 and 1e309 are refused. */
export const rateField = decimalField(RATE_FORM).refine(isRate, { error: RATE_FORM });

/** An IP address of either version. */
export const addressField = z
  .string({ error: "must be an IP address" })
  .refine((text) => isIP(text) !== 0, { error: "must be an IP address" });

/** A number above zero and at most `maximum`. */
export const positiveNumberField = (maximum: number) =>
  z
    .instanceof(ExactNumber, { error: "must be a number" })
    .refine((number) => number.valueOf() > 0 && number.valueOf() <= maximum, {
      error: `must be above 0 and at most ${maximum}`,
    })
    .transform((number) => number.valueOf())
    .meta({ type: "number", exclusiveMinimum: 0, maximum });

/** The whole number as written, exactly, where a double might be rounded; null if it is not whole. */
function wholeOf({ source }: ExactNumber): bigint | null {
  try {
    const { digits, scale } = parseYamlNumber(source);
    const unit = 10n ** BigInt(scale);
    return digits % unit === 0n ? digits / unit : null;
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

function isWithin(value: bigint | null, minimum: number, maximum: number): boolean {
  return value !== null && value >= minimum && value <= maximum;
}
