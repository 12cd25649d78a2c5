/** The fields that requests of the service share, as schemas; messages name what would be right. */
import { isIP } from "node:net";
import { z } from "zod";
import { AmountError, ExactNumber, parseYamlNumber, plainDecimal } from "../domain/money.ts";
import { isRate, RATE_FORM } from "../domain/rates.ts";

/** An amount of a cash-in, cash-out, transfer or split: number or decimal string (`D09`). */
export const amountField = z
  .union([z.string(), z.instanceof(ExactNumber)], { error: "must be a number or a decimal string" })
  .meta({ description: "Amount, as a JSON number or a decimal string.", decision: "D09" });

/** Whether a text can be kept and given back as it is, with what is said of others: half of a surrogate pair has no form in UTF-8. */
export const KEPT_AS_IT_IS = [(text: string) => text.isWellFormed(), { error: "must be well-formed Unicode" }] as const;

/** Whether a text has at most so many characters, as people and documents count them: an emoji is one, not two. */
export function isWithinLength(text: string, length: number): boolean {
  return text.length <= length || (text.length <= 2 * length && [...text].length <= length);
}

/** Text of at most `length` characters, or none. */
export const remarkField = (length: number) =>
  z
    .string({ error: "must be a string" })
    .refine(...KEPT_AS_IT_IS)
    .refine((text) => isWithinLength(text, length), { error: `must be at most ${length} characters` })
    .meta({ maxLength: length });

/** Text of one to `length` characters. */
export const textField = (length: number) => remarkField(length).min(1, { error: "must not be empty" });

/** An external id, at most 64 characters; none where it is null or left out (`D24`). */
export const externalIdField = textField(64)
  .nullish()
  .meta({ description: "Caller's own identifier, unique per account; makes the call idempotent." });

/** What a currency or chain is called: one that is not known has a refusal of its own, also a long one (`D25`). */
export const nameField = textField(200);

/** The chain of a cash-in or cash-out (`D05`). */
export const chainField = nameField
  .nullish()
  .meta({ description: "Blockchain, lower case. Needed where a crypto currency has several." });

/** A whole number between two bounds, from JSON or YAML, however it is written: 100, 100.0 or 1e2. */
export const wholeNumberField = (minimum: number, maximum: number) =>
  z
    .instanceof(ExactNumber, { error: `must be a whole number from ${minimum} to ${maximum}` })
    .refine((number) => isWithin(wholeOf(number), minimum, maximum), {
      error: `must be a whole number from ${minimum} to ${maximum}`,
    })
    .transform((number) => Number(wholeOf(number)))
    .meta({ type: "integer", minimum, maximum });

/** A decimal, as a number or as a text; read as its text. @param error what is told of anything else. */
export const decimalField = (error: string) =>
  z.union([z.string(), z.instanceof(ExactNumber).transform(({ source }) => plainDecimal(source))], { error });

/** US dollars for one unit of a currency. A number is held to the form of a text: 0, -1 and 1e309 are none. */
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

/** The whole number that is written, which a double would not always tell; null for what is none. */
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
