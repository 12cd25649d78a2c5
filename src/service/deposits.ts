/** Deposits into fixed wallets: sent now, credited after the settlement time (`D06`, `D44`, `D67`). */
import { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import { formatAmount } from "../domain/money.ts";
import { required } from "../domain/required.ts";
import type { Transaction } from "../store/transactions.ts";
import type { Wallet } from "../store/wallets.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { hashField, payerField } from "./action-fields.ts";
import { feeFor } from "./amounts.ts";
import { DEPOSIT_TIMER } from "./cashin.ts";
import {
  type cashinActions,
  depositorOf,
  holdableAmount,
  payCharge,
  performCashin,
  requireHash,
} from "./cashin-actions.ts";
import { amountField } from "./input.ts";
import { type NewTransaction, openTransaction } from "./transactions.ts";
import { announce } from "./transition.ts";

/** The input of a deposit, in control calls and in steps (interface, section 4). */
export const depositInput = z
  .strictObject({
    amount: amountField,
    payer: payerField,
    tx_hash: hashField,
    instant: z.boolean().optional().meta({ description: "Credits it at once, without waiting for confirmations." }),
  })
  .meta({ description: "Somebody pays into the fixed wallet." });
type DepositInput = z.infer<typeof depositInput>;
type PayInput = z.infer<typeof cashinActions.pay>;

/**
 * Sends a deposit to a wallet. Each is a cash-in of its own, with source `static`.
 * @returns the transaction id. @throws {DomainError} INVALID_REQUEST.
 */
export function sendDeposit(operation: Operation, wallet: Wallet, input: DepositInput): string {
  const { world, now } = operation;
  const deposit = openDeposit(operation, wallet, input);
  const delayMs = input.instant ? 0 : world.currencies.settlementMs(wallet);
  if (delayMs === 0) payDeposit(operation, deposit, {});
  else operation.schedule({ due: now + delayMs, kind: DEPOSIT_TIMER, subject: deposit.transaction_id });
  return deposit.transaction_id;
}

/**
 * Credits and announces a deposit after its settlement time: only a pending one has a timer. It fails if it cannot be
 * credited, for example because the balance would exceed what the store holds.
 */
export function creditDeposit(operation: Operation, transactionId: string): void {
  const deposit = required(operation.world.transactions.get(transactionId), `The deposit ${transactionId}`);
  try {
    operation.attempt(() => payDeposit(operation, deposit, {}));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    performCashin.fail(operation, deposit, { reason: error.message });
  }
}

/** Credits and announces a deposit now, settled or not. @throws {InvalidTransition} @throws {DomainError} */
export function payDeposit(operation: Operation, deposit: Transaction, { payer, ...input }: PayInput): Transaction {
  const { world } = operation;
  const found = world.wallets.get(deposit.details.wallet_id ?? 0);
  const wallet = required(found, `The wallet of the deposit ${deposit.transaction_id}`);
  const details = { ...deposit.details, ...depositorOf(payer) };
  return payCharge(operation, { ...deposit, details }, input, (caused, credited) => {
    if (world.settings.deposit_events !== "cashin") announceDeposit(caused, wallet, credited);
  });
}

function openDeposit(operation: Operation, wallet: Wallet, input: DepositInput): Transaction {
  const { world, now } = operation;
  const currency = world.currencies.known(wallet.currency);
  requireHash(world.currencies.chainOf(wallet), input.tx_hash);
  const amount = holdableAmount(input.amount, currency);
  const fee = feeFor(world, "cashin", currency, amount);
  const draft: NewTransaction = {
    transaction_id: world.random.hexId("transaction", now),
    username: wallet.username,
    client_id: wallet.client_id,
    type: "cashin",
    external_id: null,
    currency: wallet.currency,
    amount,
    fee,
    amount_net: amount - fee,
    refunded: 0n,
    source: "static",
    network: wallet.network,
    chain: wallet.chain,
    postback_url: null,
    created_at: now,
    expires_at: null,
    confirmed_at: null,
    details: {
      wallet_id: wallet.wallet_id,
      ...depositorOf(input.payer),
      ...(input.tx_hash === undefined ? {} : { sent_hash: input.tx_hash }),
    },
  };
  return openTransaction(operation, draft, { trigger: "deposit" });
}

/** Sends the flat event `wallet_deposit` (`D66`). */
function announceDeposit(operation: Operation, wallet: Wallet, deposit: Transaction): void {
  const { transaction_id } = deposit;
  const scale = operation.world.currencies.scale(deposit.currency);
  const data = {
    event: "wallet_deposit",
    transaction_id,
    wallet_id: wallet.wallet_id,
    address: wallet.address,
    chain: wallet.chain,
    currency: wallet.currency,
    amount_gross: formatAmount(deposit.amount, scale),
    amount_net: formatAmount(deposit.amount_net, scale),
    fee: formatAmount(deposit.fee, scale),
    tx_hash: deposit.details.tx_hash ?? null,
    confirmed_at: formatInstant(operation.now),
  };
  const { username, client_id: clientId } = wallet;
  const event = { data, envelopeId: transaction_id, username, clientId, postbackUrl: null };
  announce(operation, "wallet_deposit", { type: "cashin", id: transaction_id }, event);
}
