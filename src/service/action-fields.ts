/** Fields that the actions on transactions share. */
import { z } from "zod";
import { amountField, textField } from "./input.ts";

const personFields = { name: textField(200).optional(), document: textField(32).optional() };

/** Who pays, as far as it is given. */
export const payerField = z.strictObject(personFields).optional();

/** Who is paid, as far as it is given, and the bank. */
export const receiverField = z.strictObject({ ...personFields, bank: textField(200).optional() }).optional();

/** The hash of a payment on a chain. */
export const hashField = textField(128).optional();

/** Why something is done. */
export const reasonField = textField(500).optional();

/** A refund, of all that is left where no amount is given. */
export const refundFields = { amount: amountField.optional(), reason: reasonField };
