/** Field schemas that the answers of the service have in common. */
import { z } from "zod";
import { shownAmount as amount } from "../../domain/shown-values.ts";

export { shownAmount as amount, shownInstant as instant } from "../../domain/shown-values.ts";

/** Marks a name that the specification does not give (R3) with the row of `domain/decisions.ts` that gives it. */
export const madeUp = <Schema extends z.ZodType>(decision: string, schema: Schema) => schema.meta({ decision });

export const text = z.string();
export const nullableText = text.nullable();
export const hexId = text.regex(/^[0-9a-f]{32}$/);
export const currency = text.regex(/^[A-Z]{3,4}$/);
export const wholeId = z.int().min(1);
/** How every EMV text begins, static ones too (`D31`). */
export const pixCode = text.regex(/^00020126/);
export const clabe = text.regex(/^\d{18}$/);

export const fiat = z.literal("fiat");
export const crypto = z.literal("crypto");
export const pix = z.literal("PIX");
export const spei = z.literal("SPEI");

/** What every transaction shows of its money. */
export const sums = { amount, fee: amount, amount_net: amount };
