/** TABLE: the `data` of answers about the account itself, field by field in the order in which the fields go out. */

import { z } from "zod";
import { accountStatuses } from "../../domain/account-statuses.ts";
import { cashinSources } from "../../domain/cashin-sources.ts";
import { feeOperations } from "../../domain/fees.ts";
import { glossaryWords } from "../../domain/glossary.ts";
import { DISPUTE_ID } from "../../domain/identifiers/resource-ids.ts";
import { statesOf } from "../../domain/machine.ts";
import { MAX_PAGE_SIZE } from "../../service/account-reads.ts";
import {
  amount,
  crypto,
  currency,
  fiat,
  hexId,
  instant,
  madeUp,
  nullableText,
  sums,
  text,
  wholeId,
} from "./answer-fields.ts";

/** `D45`. */
export const balance = z.strictObject({
  balances: madeUp("D45", z.array(z.strictObject({ currency, balance: amount, balance_locked: amount }))),
});

/** `D46`. */
export const profile = z.strictObject({
  username: text,
  name: madeUp("D46", text),
  document: madeUp("D46", text),
  email: madeUp("D46", text),
  status: madeUp("D46", z.enum(accountStatuses)),
  postback_url: nullableText,
  created_at: madeUp("D46", instant),
});

const operations = z.enum(feeOperations);
/** `D46`. */
const feeRow = {
  operation: madeUp("D46", operations),
  network: nullableText,
  percentage: madeUp("D46", amount),
  fixed: madeUp("D46", amount),
  minimum: madeUp("D46", amount),
};
/** `D46`. */
export const fees = z.strictObject({ fees: madeUp("D46", z.array(z.strictObject({ currency, ...feeRow }))) });

const limitRow = z.strictObject({
  currency,
  operation: operations,
  daily_limit: amount,
  daily_used: amount,
  daily_remaining: amount.optional(),
  monthly_limit: amount.optional(),
  monthly_used: amount.optional(),
  per_operation_min: amount,
  per_operation_max: amount,
});
/** What limits there are, and how much of each is used. */
export const limits = z.strictObject({ limits: z.array(limitRow), reset_at: instant });

/** Pagination fields of listings. */
const page = {
  page: z.int().min(1),
  page_size: z.int().min(1).max(MAX_PAGE_SIZE),
  has_next: z.boolean(),
  has_prev: z.boolean(),
};

const person = z.strictObject({ name: nullableText, document: nullableText }).nullable();
const receiver = z.strictObject({ name: text, document: text, bank: text }).nullable();

/** `D47`, `D48`. The status may be one of the glossary's words, where a setting asks for them. */
const listed = <const Type extends "cashin" | "cashout">(type: Type) => ({
  transaction_id: hexId,
  external_id: nullableText,
  type: z.literal(type),
  currency,
  currency_type: fiat,
  ...sums,
  status: z.enum([...statesOf(type), ...glossaryWords]).meta({ examples: ["confirmed"] }),
});
const cashin = { ...listed("cashin"), source: z.enum(cashinSources), network: text };
const cashout = { ...listed("cashout"), network: text };
const listedTimes = {
  postback_url: nullableText,
  created_at: madeUp("D47", instant),
  confirmed_at: madeUp("D47", instant.nullable()),
};
const onChain = { chain: text, tx_hash: nullableText };
const sent = { wallet: text, key_type: text, hash: nullableText };
const e2e = { e2e_id: nullableText };
const item = z.union([
  z.strictObject({ ...cashin, ...e2e, payer: person, ...listedTimes }).meta({ title: "PIX or SPEI cash-in" }),
  z.strictObject({ ...cashin, currency_type: crypto, ...onChain, ...listedTimes }).meta({ title: "Crypto cash-in" }),
  z.strictObject({ ...cashout, ...e2e, receiver, ...sent, ...listedTimes }).meta({ title: "PIX or SPEI cash-out" }),
  z
    .strictObject({ ...cashout, currency_type: crypto, ...onChain, ...sent, ...listedTimes })
    .meta({ title: "Crypto cash-out" }),
]);
/** `D47`, `D48`. */
export const transactions = z.strictObject({ items: madeUp("D47", z.array(item)), ...page });

/** `D50`. */
const infraction = z.strictObject({
  infraction_id: text.regex(DISPUTE_ID),
  transaction_id: hexId,
  type: z.literal("REFUND_REQUEST"),
  status: z.enum(statesOf("dispute")),
  amount,
  currency,
  e2e_id: nullableText,
  deadline_at: instant,
  reason: text,
  reply_id: wholeId.nullable(),
  created_at: instant,
});
/** `D50`. */
export const infractions = z.strictObject({ items: madeUp("D50", z.array(infraction)), ...page });

/** `D51`. */
export const reply = z.strictObject({
  infraction_id: text,
  reply_id: wholeId,
  status: z.literal("responded"),
  responded_at: instant,
});
