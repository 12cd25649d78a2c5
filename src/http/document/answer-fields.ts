/** Field schemas that the answers of the service have in common. */
import { z } from "zod";
import { HEX_ID } from "../../domain/identifiers/resource-ids.ts";
import { shownAmount as amount } from "../../domain/shown-values.ts";

export { shownAmount as amount, shownInstant as instant } from "../../domain/shown-values.ts";

/** Marks a name that the specification does not give (R3) with the row of `domain/decisions.ts` that gives it. */
export const madeUp = <Schema extends z.ZodType>(decision: string, schema: Schema) => schema.meta({ decision });

/** Any text. */
export const text = z.string();
/** A text, or null where there is no value (`D29`). */
export const nullableText = text.nullable();
/** The id of a transaction, a transfer or a conversion. */
export const hexId = text.regex(HEX_ID);
/** The code of a currency. */
export const currency = text.regex(/^[A-Z]{3,4}$/);
/** An id that is counted, from 1. */
export const wholeId = z.int().min(1);
/** How every EMV text begins, static ones too (`D31`). */
export const pixCode = text.regex(/^00020126/);
/** A CLABE. */
export const clabe = text.regex(/^\d{18}$/);

/** The `currency_type` of currencies that have a payment method. */
export const fiat = z.literal("fiat");
/** The `currency_type` of currencies that are on chains. */
export const crypto = z.literal("crypto");
/** The network of currencies that are paid by PIX. */
export const pix = z.literal("PIX");
/** The network of currencies that are paid by SPEI. */
export const spei = z.literal("SPEI");

/** What every transaction shows of its money. */
export const sums = { amount, fee: amount, amount_net: amount };
