/** Answers of the control interface about resources: as they are listed, and all that is known of one. */
import { z } from "zod";
import { cashinSources } from "../../domain/cashin-sources.ts";
import type { LifecycleName, StateOf } from "../../domain/lifecycles.ts";
import { statesOf } from "../../domain/machine.ts";
import { count, decimal, instant, instantOrNull, text, textOrNull, texts } from "./answer-fields.ts";
import { entry, posting } from "./answers-records.ts";
import { timer } from "./answers-world.ts";

const person = z.strictObject({ name: textOrNull, document: textOrNull });
const share = z.strictObject({ username: text, percentage: text.optional(), amount: decimal.optional() });
const actions = texts.meta({ description: "Those that its state allows." });
const status = <Name extends LifecycleName>(...lifecycles: readonly Name[]) =>
  z.enum([...new Set(lifecycles.flatMap((lifecycle): StateOf<Name>[] => statesOf(lifecycle)))]);

/** What the ledger, the clock and the journal know of a resource. */
const known = { postings: z.array(posting), timers: z.array(timer), journal: z.array(entry) };

/** The schema of all that is known of a resource, from the schema of how it is listed. */
export const detailOf = <Shape extends z.ZodRawShape>(listed: z.ZodObject<Shape>) =>
  z.strictObject({ ...listed.shape, ...known });

/** A cash-in or a cash-out. */
export const transaction = z.strictObject({
  transaction_id: text,
  external_id: textOrNull,
  type: z.enum(["cashin", "cashout"]),
  currency: text,
  currency_type: z.enum(["fiat", "crypto"]),
  amount: decimal,
  fee: decimal,
  amount_net: decimal,
  status: status("cashin", "cashout"),
  source: z.enum(cashinSources).nullable(),
  network: text,
  chain: textOrNull,
  tx_hash: textOrNull,
  e2e_id: textOrNull,
  payer: person.nullable(),
  receiver: z.strictObject({ name: text, document: text, bank: text }).nullable(),
  wallet: textOrNull,
  key_type: textOrNull,
  hash: textOrNull,
  created_at: instant,
  expires_at: instantOrNull,
  confirmed_at: instantOrNull,
  username: text,
  client_id: text,
  postback_url: textOrNull,
  amount_refunded: decimal,
  qr_code: text.optional().meta({ description: "BRL: the EMV text." }),
  address: text.optional().meta({ description: "Crypto." }),
  clabe: text.optional().meta({ description: "MXN." }),
  confirmations: count.optional(),
  split: z.array(share).optional().meta({ description: "Shares that go to other accounts once it is paid." }),
  wallet_id: count.optional().meta({ description: "The fixed wallet that a deposit came into." }),
  depositor: person.optional().meta({ description: "Who gave a deposit into a fixed wallet, where that was said." }),
  reason: text.optional().meta({ description: "Why it failed, where that was said." }),
  error_code: text.optional().meta({ description: "Why a cash-out failed." }),
  error_message: text.optional().meta({ description: "The same in a sentence." }),
  actions,
});

/** A conversion. */
export const conversion = z.strictObject({
  conversion_id: text,
  amount_from: z.number(),
  currency_from: text,
  amount_to: z.number(),
  currency_to: text,
  rate: z.number(),
  fee: z.number(),
  completed_at: instant,
  spread: decimal,
  status: status("conversion"),
  external_id: textOrNull,
  username: text,
  client_id: text,
  actions,
});

/** An internal transfer. */
export const transfer = z.strictObject({
  transaction_id: text,
  external_id: textOrNull,
  username: text,
  currency: text,
  amount: decimal,
  fee: decimal,
  status: status("transfer"),
  description: textOrNull,
  created_at: instant,
  recipient: text,
  sender: text,
  client_id: text,
  split_of: textOrNull.meta({ description: "The cash-in that it is a split of." }),
  actions,
});

/** A fixed wallet. */
export const wallet = z.strictObject({
  wallet_id: count,
  address: text,
  currency: text,
  chain: text.optional().meta({ description: "Crypto." }),
  network: text,
  min_confirmations: count,
  created_at: instant,
  key_type: text.optional().meta({ description: "BRL." }),
  qr_code: text.optional().meta({ description: "BRL: the EMV text." }),
  status: status("wallet"),
  username: text,
  client_id: text,
  actions,
});

const replyFile = z.strictObject({ number: count, name: text, type: text, size: count });

/** A dispute, with the merchant's reply. */
export const dispute = z.strictObject({
  infraction_id: text,
  transaction_id: text,
  type: z.literal("REFUND_REQUEST"),
  status: status("dispute"),
  amount: decimal,
  currency: text,
  e2e_id: textOrNull,
  deadline_at: instant,
  reason: text,
  reply_id: count.nullable(),
  created_at: instant,
  username: text,
  client_id: text,
  reply: z.strictObject({ reply_id: count, text: textOrNull, files: z.array(replyFile) }).nullable(),
  responded_at: instantOrNull,
  resolved_at: instantOrNull,
  actions,
});
