/**
 * TABLE: the seventeen event kinds, each with the schema of its data, whose fields are in the order of the
 * specification's "Payload fields". Parsing with the schema puts the fields in that order.
 */
import { z } from "zod";
import { cashinSources } from "./cashin-sources.ts";
import { cashoutErrorCodes } from "./cashout-errors.ts";
import { onFirstUse } from "./on-first-use.ts";
import { shownAmount as amount, shownInstant as instant } from "./shown-values.ts";

const id = z.string();
const nullableText = z.string().nullable();
const person = z.strictObject({ name: nullableText, document: nullableText });

/** Directions of a transfer, as each side sees it (`D39`). */
export const transferDirections = ["received", "sent", "out"] as const;

/** A kind of event. */
interface EventDefinition {
  readonly description: string;
  /** Whether it has the V2 envelope or, as `wallet_deposit`, the flat body (`D66`). */
  readonly enveloped: boolean;
  readonly data: z.ZodObject;
}

/** @param fields of the event's data; the schema is built on first use, to keep the start fast. */
const define = <Shape extends z.ZodRawShape>(description: string, fields: () => Shape, enveloped = true) => {
  const data = onFirstUse(() => z.strictObject(fields()));
  return {
    description,
    enveloped,
    get data() {
      return data();
    },
  };
};

/** Each kind of event by its name, in the order of the specification. */
export const eventDefinitions = {
  "cashin.confirmed": define(
    "PIX, crypto or SPEI received (charge or fixed wallet); balance already credited.",
    () => ({
      transaction_id: id,
      external_id: nullableText,
      type: z.literal("cashin"),
      currency: z.string(),
      currency_type: z.enum(["fiat", "crypto"]),
      amount,
      fee: amount,
      amount_net: amount,
      status: z.literal("confirmed"),
      source: z.enum(cashinSources),
      network: z.string(),
      chain: z.string().optional(),
      tx_hash: z.string().optional(),
      confirmations: z.int().optional(),
      e2e_id: z.string().optional(),
      payer: person.nullable().optional(),
      old_balance: amount,
      new_balance: amount,
      confirmed_at: instant,
    }),
  ),
  "cashin.refunded": define("Cash-in reverted by any cause; balance debited.", () => ({
    transaction_id: id,
    original_transaction_id: id,
    external_id: nullableText,
    currency: z.string(),
    amount,
    amount_refunded: amount,
    status: z.literal("refunded"),
    reason: z.string(),
    old_balance: amount,
    new_balance: amount,
    refunded_at: instant,
  })),
  "cashin.expired": define("PIX QR expired unpaid.", () => ({
    transaction_id: id,
    external_id: nullableText,
    currency: z.string(),
    amount,
    status: z.literal("expired"),
    expired_at: instant,
  })),
  "cashout.confirmed": define("Withdrawal processed by the provider.", () => ({
    transaction_id: id,
    external_id: nullableText,
    type: z.literal("cashout"),
    currency: z.string(),
    currency_type: z.enum(["fiat", "crypto"]),
    network: z.string(),
    amount,
    fee: amount,
    status: z.literal("confirmed"),
    wallet: z.string(),
    key_type: z.string(),
    hash: z.string(),
    receiver: z.strictObject({ name: z.string(), document: z.string(), bank: z.string() }).optional(),
    confirmed_at: instant,
  })),
  "cashout.failed": define("Withdrawal rejected by gateway or provider; balance refunded automatically.", () => ({
    transaction_id: id,
    external_id: nullableText,
    type: z.literal("cashout"),
    currency: z.string(),
    network: z.string(),
    amount,
    status: z.literal("failed"),
    wallet: z.string(),
    error_code: z.enum(cashoutErrorCodes),
    error_message: z.string(),
    refunded_amount: amount,
    failed_at: instant,
  })),
  "cashout.refunded": define("Withdrawal reversed by the provider after confirmation; balance credited back.", () => ({
    transaction_id: id,
    original_transaction_id: id,
    external_id: nullableText,
    currency: z.string(),
    network: z.string(),
    amount,
    amount_refunded: amount,
    status: z.literal("refunded"),
    reason: z.string(),
    refunded_at: instant,
  })),
  "transfer.confirmed": define("Internal transfer done; sent to both accounts.", () => ({
    transaction_id: id,
    direction: z.enum(transferDirections),
    amount,
    currency: z.string(),
    counterparty: z.string(),
    description: nullableText,
    old_balance: amount,
    new_balance: amount,
    confirmed_at: instant,
  })),
  "conversion.confirmed": define("FX conversion completed.", () => ({
    conversion_id: id,
    external_id: nullableText,
    amount_from: amount,
    currency_from: z.string(),
    amount_to: amount,
    currency_to: z.string(),
    rate: amount,
    fee: amount,
    status: z.literal("completed"),
    completed_at: instant,
  })),
  "conversion.refunded": define("Conversion reversed by a manual support operation.", () => ({
    conversion_id: id,
    original_conversion_id: id,
    amount_reverted_from: amount,
    currency_reverted_from: z.string(),
    amount_returned_to: amount,
    currency_returned_to: z.string(),
    reason: z.string(),
    refunded_at: instant,
  })),
  "wallet.created": define("Fixed wallet provisioned.", () => ({
    wallet_id: z.int(),
    currency: z.string(),
    currency_type: z.enum(["fiat", "crypto"]),
    chain: nullableText,
    network: z.string(),
    address: z.string(),
    min_confirmations: z.int(),
    created_at: instant,
  })),
  "chargeback.opened": define("MED PIX dispute opened by the payer; balance blocked.", () => ({
    infraction_id: id,
    transaction_id: id,
    type: z.literal("REFUND_REQUEST"),
    status: z.literal("open"),
    amount,
    currency: z.string(),
    e2e_id: nullableText,
    deadline_at: instant,
    reason: z.string(),
    created_at: instant,
  })),
  "chargeback.responded": define("The merchant's reply was registered.", () => ({
    infraction_id: id,
    transaction_id: id,
    reply_id: z.int(),
    status: z.literal("responded"),
    responded_at: instant,
  })),
  "chargeback.confirmed": define("Chargeback final, money returned to payer.", () => ({
    infraction_id: id,
    transaction_id: id,
    amount,
    currency: z.string(),
    confirmed_at: instant,
  })),
  "chargeback.won": define("Merchant won; balance unblocked.", () => ({
    infraction_id: id,
    transaction_id: id,
    amount,
    currency: z.string(),
    resolved_at: instant,
  })),
  "chargeback.lost": define("Merchant lost; balance debited and returned; cashin.refunded also sent.", () => ({
    infraction_id: id,
    transaction_id: id,
    amount,
    currency: z.string(),
    amount_refunded: amount,
    resolved_at: instant,
  })),
  "chargeback.canceled": define("Payer canceled the dispute before decision; balance unblocked.", () => ({
    infraction_id: id,
    transaction_id: id,
    amount,
    currency: z.string(),
    canceled_by: z.literal("payer"),
    canceled_at: instant,
  })),
  wallet_deposit: define(
    "A deposit into a fixed wallet; flat body without envelope.",
    () => ({
      event: z.literal("wallet_deposit"),
      transaction_id: id,
      wallet_id: z.int(),
      address: z.string(),
      chain: nullableText,
      currency: z.string(),
      amount_gross: amount,
      amount_net: amount,
      fee: amount,
      tx_hash: nullableText,
      confirmed_at: instant,
    }),
    false,
  ),
} as const satisfies Record<string, EventDefinition>;

/** The name of an event kind. */
export type EventKind = keyof typeof eventDefinitions;
/** The `data` of an event kind; the flat body for `wallet_deposit`. */
export type EventData<Kind extends EventKind> = z.infer<(typeof eventDefinitions)[Kind]["data"]>;

/** The names of all kinds. */
export const eventKinds = Object.keys(eventDefinitions) as EventKind[];

/** TABLE: glossary names under which `legacy_refund_events` sends these events a second time (`D55`). */
export const legacyEventNames: Readonly<Partial<Record<EventKind, LegacyEventName>>> = {
  "chargeback.confirmed": "refund_confirmed",
  "chargeback.responded": "refund_responded",
};

/** A glossary name of an event (`D55`). */
export type LegacyEventName = "refund_confirmed" | "refund_responded";

/** All event names, the glossary's included. */
export const eventNames: readonly (EventKind | LegacyEventName)[] = [...eventKinds, ...Object.values(legacyEventNames)];

/** Whether it is an event's name, legacy ones included, which only worlds with `legacy_refund_events` use (`D55`). */
export function isEventName(name: string): name is EventKind | LegacyEventName {
  return eventNames.some((known) => known === name);
}
