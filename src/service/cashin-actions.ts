/** What the outside world does to a charge or deposit, triggered by control calls and scenarios. */
import { z } from "zod";
import type { Chain, Currency } from "../domain/currencies.ts";
import { DomainError } from "../domain/errors.ts";
import { isTransactionHash, makeTransactionHash } from "../domain/identifiers/transaction-hash.ts";
import { resolveTransition } from "../domain/machine.ts";
import { type ExactNumber, formatAmount, MAX_MOVED, type MinorUnits } from "../domain/money.ts";
import type { Transaction, TransactionDetails } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { balanceOf } from "./accounts.ts";
import { hashField, payerField, reasonField, refundFields } from "./action-fields.ts";
import { amountOf, currencyType, feeFor, refundAmount } from "./amounts.ts";
import { DEPOSIT_TIMER, EXPIRY_TIMER } from "./cashin.ts";
import { disputeInput, openDispute, requireUndisputed } from "./disputes.ts";
import { amountField } from "./input.ts";
import { giveBackLimits } from "./limits.ts";
import { makePayer } from "./payers.ts";
import { giveBack } from "./refunds.ts";
import { executeSplit } from "./splits.ts";
import { bankIdOf, isDeposit, stepTransaction } from "./transactions.ts";

/** The input of each action of a charge; unknown fields are refused with the nearest known name. */
export const cashinActions = {
  pay: z
    .strictObject({
      amount: amountField.optional(),
      payer: payerField,
      tx_hash: hashField,
    })
    .meta({ description: "The payer pays; a crypto payer may send another amount." }),
  expire: z.strictObject({}).meta({ description: "The charge expires unpaid." }),
  cancel: z.strictObject({}).meta({ description: "The system cancels the charge." }),
  fail: z.strictObject({ reason: reasonField }).meta({ description: "The charge fails at the provider." }),
  refund: z.strictObject(refundFields).meta({ description: "What was paid, or part of it, goes back to the payer." }),
  dispute: disputeInput,
} as const;

/** What can be done to a cash-in, by its name in a call's path and in a step. */
export type CashinAction = keyof typeof cashinActions;
type Input<Action extends CashinAction> = z.infer<(typeof cashinActions)[Action]>;

/** Carries out an action that {@link cashinActions} has read. @throws {InvalidTransition} @throws {DomainError} */
export const performCashin: {
  [Action in CashinAction]: (operation: Operation, charge: Transaction, input: Input<Action>) => Transaction;
} = {
  pay: payCharge,
  expire: (operation, charge) => endUnpaid(operation, charge, "expire", {}),
  cancel: (operation, charge) => endUnpaid(operation, charge, "cancel", {}),
  fail: (operation, charge, input) => endUnpaid(operation, charge, "fail", input),
  refund: refundCharge,
  dispute: openDispute,
};

/**
 * Pays and credits a charge or deposit.
 * @param follow runs after the events of the payment; what it does is caused by the payment.
 * @throws {InvalidTransition} @throws {DomainError} INVALID_REQUEST.
 */
export function payCharge(
  operation: Operation,
  charge: Transaction,
  input: Input<"pay">,
  follow: (caused: Operation, paid: Transaction) => void = executeSplit,
): Transaction {
  const { world, now } = operation;
  resolveTransition("cashin", charge.status, "pay");
  const currency = world.currencies.known(charge.currency);
  const amount = arrivingAmount(charge, input, currency);
  const fee = feeFor(world, "cashin", currency, amount);
  const before = balanceOf(world, charge.username, charge.currency).available;
  const details = { ...charge.details, ...paymentDetails(operation, charge, input) };
  stopWaiting(operation, charge);
  return stepTransaction(operation, charge, {
    trigger: "pay",
    changes: { amount, fee, amount_net: amount - fee, confirmed_at: now, details },
    figures: { amount, fee },
    sends: () => !isDeposit(charge) || world.settings.deposit_events !== "wallet_deposit",
    data: (_kind, confirmed) => confirmedData(operation, confirmed, before),
    follow,
  });
}

/** The amount that a payer sends, in minor units. @throws {DomainError} INVALID_REQUEST, as above {@link MAX_MOVED}. */
export function holdableAmount(input: string | ExactNumber, currency: Currency): MinorUnits {
  const amount = amountOf(input, currency, "amount");
  if (amount <= MAX_MOVED) return amount;
  throw new DomainError("INVALID_REQUEST", "amount is more than the service can hold.");
}

/** @throws {DomainError} INVALID_REQUEST for a hash that does not fit the chain, or for any hash without a chain. */
export function requireHash(chain: Chain | undefined, hash: string | undefined): void {
  if (hash === undefined || (chain && isTransactionHash(chain.address_format, hash))) return;
  const fault = chain ? `must be a transaction hash of ${chain.chain}` : "is for payments on a chain alone";
  throw new DomainError("INVALID_REQUEST", `tx_hash ${fault}.`);
}

/** The amount that arrives: what is by PIX or SPEI takes only its own, a crypto payer may send another (`D34`). */
function arrivingAmount(charge: Transaction, input: Input<"pay">, currency: Currency): MinorUnits {
  if (input.amount === undefined) return charge.amount;
  const amount = holdableAmount(input.amount, currency);
  if (currency.currency_type === "fiat" && amount !== charge.amount) {
    const own = formatAmount(charge.amount, currency.scale);
    const what = isDeposit(charge) ? "deposit" : "charge";
    throw new DomainError(
      "INVALID_REQUEST",
      `amount must be ${own}: a ${what} by ${charge.network} takes its own amount only.`,
    );
  }
  return amount;
}

/**
 * The details of a payment: on a chain the hash and confirmations, else the end-to-end id or clave de rastreo and, for
 * a charge, the payer (`D67`).
 */
function paymentDetails(operation: Operation, charge: Transaction, input: Input<"pay">): TransactionDetails {
  const { world } = operation;
  const id = charge.transaction_id;
  const entropy = world.random.entropy("payment", id);
  const chain = world.currencies.chainOf(charge);
  requireHash(chain, input.tx_hash);
  if (chain) {
    const tx_hash = input.tx_hash ?? charge.details.sent_hash ?? makeTransactionHash(chain.address_format, entropy);
    return { tx_hash, confirmations: chain.confirmations, ...depositorOf(input.payer) };
  }
  const e2e_id = bankIdOf(operation, charge.network, entropy);
  if (isDeposit(charge)) return { e2e_id };
  const known = { ...charge.details.payer, ...input.payer };
  const made = known.name && known.document ? undefined : makePayer(world, charge.network, id);
  const payer = { name: known.name ?? made?.name ?? null, document: known.document ?? made?.document ?? null };
  return { payer, e2e_id };
}

/** The given payer of a payment whose event carries none, as `depositor`: kept for QA only (`D67`). */
export function depositorOf(payer: Input<"pay">["payer"]): Pick<TransactionDetails, "depositor"> {
  return payer ? { depositor: { name: payer.name ?? null, document: payer.document ?? null } } : {};
}

function confirmedData(operation: Operation, charge: Transaction, before: MinorUnits): Record<string, unknown> {
  const { world } = operation;
  const scale = world.currencies.scale(charge.currency);
  const { payer, e2e_id, tx_hash, confirmations } = charge.details;
  const origin = charge.chain ? { chain: charge.chain, tx_hash, confirmations } : { e2e_id, payer: payer ?? null };
  return {
    transaction_id: charge.transaction_id,
    external_id: charge.external_id,
    type: "cashin",
    currency: charge.currency,
    currency_type: currencyType(world, charge.currency),
    amount: formatAmount(charge.amount, scale),
    fee: formatAmount(charge.fee, scale),
    amount_net: formatAmount(charge.amount_net, scale),
    status: charge.status,
    source: charge.source,
    network: charge.network,
    ...origin,
    old_balance: formatAmount(before, scale),
    new_balance: formatAmount(balanceOf(world, charge.username, charge.currency).available, scale),
    confirmed_at: formatInstant(operation.now),
  };
}

/** Takes the timer of a paid or ended transaction off the clock: the expiry of a charge, the crediting of a deposit. */
function stopWaiting({ world }: Operation, charge: Transaction): void {
  world.timers.removeOf(charge.transaction_id, isDeposit(charge) ? DEPOSIT_TIMER : EXPIRY_TIMER);
}

/**
 * Ends an unpaid charge or deposit. A charge gives back what it used of the limits: only successful and pending
 * operations count (`D49`).
 */
function endUnpaid(
  operation: Operation,
  charge: Transaction,
  trigger: "expire" | "cancel" | "fail",
  input: { reason?: string | undefined },
): Transaction {
  const { world, now } = operation;
  resolveTransition("cashin", charge.status, trigger);
  stopWaiting(operation, charge);
  const { client_id: clientId, currency, amount, created_at: madeAt } = charge;
  // Deposits into a fixed wallet use no limits.
  if (!isDeposit(charge)) giveBackLimits(operation, { clientId, operation: "cashin", currency, amount }, madeAt);
  return stepTransaction(operation, charge, {
    trigger,
    changes: input.reason ? { details: { ...charge.details, reason: input.reason } } : {},
    // Only charges send `cashin.expired` (`D32`): a deposit has no expiry.
    sends: () => !isDeposit(charge) && (world.settings.expired_event === "all" || charge.network === "PIX"),
    data: (_kind, ended) => ({
      transaction_id: ended.transaction_id,
      external_id: ended.external_id,
      currency: ended.currency,
      amount: world.currencies.format(ended.amount, ended.currency),
      status: ended.status,
      expired_at: formatInstant(now),
    }),
  });
}

/** Gives back the gross amount or part of it; the fee is kept (`D54a`). */
function refundCharge(operation: Operation, charge: Transaction, input: Input<"refund">): Transaction {
  resolveTransition("cashin", charge.status, "refund");
  requireUndisputed(operation.world, charge, "refund");
  const amount = refundAmount(operation.world, charge, input.amount);
  const reason = input.reason ?? "MANUAL_REFUND";
  return giveBack(operation, charge, { trigger: "refund", amount, figures: { refund: amount }, reason });
}
