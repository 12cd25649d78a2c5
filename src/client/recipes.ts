/** TABLE: how to bring about each kind of event: what the merchant makes, and what the outside world does to it. */
import type { EventKind } from "../domain/events.ts";

/** What a merchant can make: the call and input that make it; `fields` maps paths of event data to input fields. */
export const making = {
  charge: {
    path: "/v2/transactions/cashin",
    collection: "transactions",
    id: "transaction_id",
    input: { currency: "BRL", amount: "100.00" },
    fields: { currency: "currency", amount: "amount", external_id: "external_id", chain: "chain" },
  },
  cashout: {
    path: "/v2/transactions/cashout",
    collection: "transactions",
    id: "transaction_id",
    input: { currency: "BRL", amount: "10.00" },
    fields: {
      currency: "currency",
      amount: "amount",
      external_id: "external_id",
      wallet: "key",
      key_type: "key_type",
      network: "network",
    },
  },
  transfer: {
    path: "/v2/internal_transfers/payment",
    collection: "transfers",
    id: "transaction_id",
    input: { currency: "BRL", amount: "10.00" },
    fields: { currency: "currency", amount: "amount", counterparty: "username", description: "description" },
  },
  conversion: {
    path: "/v2/conversions/new",
    collection: "conversions",
    id: "conversion_id",
    input: { base_currency: "BRL", destination_currency: "USDT", amount: "100" },
    fields: {
      currency_from: "base_currency",
      currency_to: "destination_currency",
      amount_from: "amount",
      external_id: "external_id",
    },
  },
  wallet: {
    path: "/v2/transactions/wallet",
    collection: "wallets",
    id: "wallet_id",
    input: { currency: "BRL" },
    fields: { currency: "currency", chain: "chain" },
  },
} as const;

/** What a merchant can make; not named as the lifecycles are: a charge is a cash-in that a call makes. */
export type Making = keyof typeof making;

/** What an event happens to. */
type Subject = Making | "dispute";

/** How messages name each subject. */
export const nouns: Readonly<Record<Subject, string>> = {
  charge: "a cash-in",
  cashout: "a cash-out",
  transfer: "a transfer",
  conversion: "a conversion",
  wallet: "a fixed wallet",
  dispute: "a dispute",
};

/** What kind of subject a resource of a control interface collection is; a transaction is told by its type. */
export function subjectIn(collection: string, type: string | undefined): Subject {
  if (collection === "disputes") return "dispute";
  if (type === "cashout") return "cashout";
  const makings = Object.keys(making) as Making[];
  return makings.find((made) => making[made].collection === collection) ?? "charge";
}

const TRON_ADDRESS = "TYTRQCo3Xkx4Lmw8J6jJngM631r9zvr25f";
const EVM_ADDRESS = "0x0137220bE0576eaB6412438DBA38493750b769B8";

/** TABLE: default destinations of cash-outs, by currency, else by network; all other chains have EVM addresses. */
const destinations: ReadonlyMap<string, string> = new Map([
  ["BRL", "893f5960-df90-419f-b5b5-13a9155ffd55"],
  ["MXN", "999180710126340541"],
  ["BTC", "bc1qwzyhe2r7d94h7upyu6wn7zrzgl6akmj4xdlryt"],
  ["SOL", "CFdF9yV7M4jr38BfRKhxSdQuXdxa47vKWgfhNrAyeNP9"],
  ["tron", TRON_ADDRESS],
  ["trc20", TRON_ADDRESS],
]);

/** A valid destination for a cash-out: a key of its method or an address of its chain. */
export function destinationFor(currency = "BRL", network = ""): string {
  return destinations.get(currency) ?? destinations.get(network.toLowerCase()) ?? EVM_ADDRESS;
}

/**
 * TABLE: default amounts to pay in currencies of which the shipped accounts have little: a hundredth of their balance,
 * so that it can be paid more than once.
 */
const smallAmounts: Readonly<Record<string, string>> = { BTC: "0.01", ETH: "0.10", BNB: "0.10" };
const paid: readonly Making[] = ["cashout", "transfer", "conversion"];

/** The amount that an account pays in such a currency; nothing for other currencies and for what others pay. */
export function paidAmountOf(makes: Making, { currency, currency_from }: Readonly<Record<string, string>>) {
  const own = (makes === "conversion" ? currency_from : currency) ?? "";
  return paid.includes(makes) && Object.hasOwn(smallAmounts, own) ? { amount: smallAmounts[own] } : {};
}

/** If one side of a conversion is set to the default of the other, that other side's default: that of the set one. */
export function otherSideOf({ currency_from: from, currency_to: to }: Readonly<Record<string, string>>) {
  const { base_currency, destination_currency } = making.conversion.input;
  if (from === destination_currency) return { destination_currency: base_currency };
  return to === base_currency ? { base_currency: destination_currency } : {};
}

/** An action on what was made; `reply` is the merchant's own call. */
export interface RecipeAction {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** The field of the action's input that each path within the event's data sets. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Whether it acts on the charge's dispute instead of the charge. */
  readonly onDispute?: boolean;
  /** What it creates, which the event is then about; without it, the event is about what is acted on. */
  readonly makes?: "deposit" | "dispute";
}

/** What to make, and the actions to carry out on it in this order, until the event comes. */
export interface Recipe {
  readonly makes: Making;
  readonly actions: readonly RecipeAction[];
  /** Paths that can be set although the event's data lacks them: needed for every currency and every amount. */
  readonly beside?: readonly string[];
  /** A path that says which of the two parties of a transfer the event is for. */
  readonly side?: "direction";
  /** The setting that may suppress the event even though all was done. */
  readonly setting?: "expired_event" | "deposit_events";
}

/** The kinds of resources that an event can be triggered on. */
export function subjectsOf({ makes, actions }: Recipe): Subject[] {
  return actions.some(({ onDispute }) => onDispute) ? [makes, "dispute"] : [makes];
}

/** Whether an event is about a dispute: then it happens to a PIX alone, which has no chain. */
export function isAboutDispute({ actions }: Recipe): boolean {
  return actions.some(({ makes }) => makes === "dispute");
}

const payer = { "payer.name": "payer.name", "payer.document": "payer.document" };
const pay: RecipeAction = { name: "pay", fields: { ...payer, tx_hash: "tx_hash" } };
const refundFields = { amount_refunded: "amount", reason: "reason" };
const refund: RecipeAction = { name: "refund", fields: refundFields };
const confirm: RecipeAction = {
  name: "confirm",
  fields: {
    "receiver.name": "receiver.name",
    "receiver.document": "receiver.document",
    "receiver.bank": "receiver.bank",
  },
};
const dispute: RecipeAction = { name: "dispute", fields: { reason: "reason" }, makes: "dispute" };
const decide = (name: string): RecipeAction => ({ name, onDispute: true });

const disputed = (...actions: RecipeAction[]): Recipe => ({ makes: "charge", actions: [pay, dispute, ...actions] });

/** TABLE: the shortest way to each kind of event, starting with a fresh resource. */
export const recipes: Readonly<Record<EventKind, Recipe>> = {
  // A charge on a chain may be paid with another amount than its own (D34).
  "cashin.confirmed": { makes: "charge", actions: [{ ...pay, fields: { ...pay.fields, amount: "amount" } }] },
  "cashin.expired": { makes: "charge", actions: [{ name: "expire" }], beside: ["chain"], setting: "expired_event" },
  "cashin.refunded": { makes: "charge", actions: [pay, refund], beside: ["chain"] },
  "cashout.confirmed": { makes: "cashout", actions: [confirm] },
  "cashout.failed": {
    makes: "cashout",
    actions: [
      {
        name: "fail",
        input: { error_code: "PROVIDER_TIMEOUT" },
        fields: { error_code: "error_code", error_message: "error_message" },
      },
    ],
    // The key type says how `wallet`, which the event carries, is read.
    beside: ["key_type"],
  },
  "cashout.refunded": { makes: "cashout", actions: [confirm, refund] },
  "transfer.confirmed": { makes: "transfer", actions: [], side: "direction" },
  "conversion.confirmed": { makes: "conversion", actions: [] },
  "conversion.refunded": {
    makes: "conversion",
    actions: [{ name: "refund", fields: { reason: "reason" } }],
    beside: ["currency_from", "currency_to", "amount_from"],
  },
  "wallet.created": { makes: "wallet", actions: [] },
  wallet_deposit: {
    makes: "wallet",
    actions: [
      {
        name: "deposit",
        input: { amount: "25.00", instant: true },
        fields: { amount_gross: "amount", tx_hash: "tx_hash" },
        makes: "deposit",
      },
    ],
    setting: "deposit_events",
  },
  "chargeback.opened": disputed(),
  "chargeback.responded": disputed(decide("reply")),
  "chargeback.confirmed": disputed(decide("lose")),
  "chargeback.won": disputed(decide("win")),
  "chargeback.lost": disputed(decide("lose")),
  "chargeback.canceled": disputed(decide("cancel")),
};
