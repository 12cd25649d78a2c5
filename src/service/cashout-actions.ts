/** What the outside world does to a cash-out: confirm, fail, refund. */
import { z } from "zod";
import { cashoutErrorCodes, cashoutErrors } from "../domain/cashout-errors.ts";
import { makeTransactionHash } from "../domain/identifiers/transaction-hash.ts";
import { resolveTransition } from "../domain/machine.ts";
import { formatAmount } from "../domain/money.ts";
import { required } from "../domain/required.ts";
import type { Transaction, TransactionDetails } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import { receiverField, refundFields } from "./action-fields.ts";
import { currencyType, debitOf, refundAmount } from "./amounts.ts";
import { GATEWAY_TIMER } from "./cashout.ts";
import { textField } from "./input.ts";
import { giveBackLimits } from "./limits.ts";
import { ownerOf } from "./payers.ts";
import { bankIdOf, stepTransaction } from "./transactions.ts";

/** The input of each action of a cash-out. */
export const cashoutActions = {
  confirm: z.strictObject({ receiver: receiverField }).meta({ description: "The provider settles the cash-out." }),
  fail: z
    .strictObject({
      error_code: z.enum(cashoutErrorCodes, { error: `must be one of ${cashoutErrorCodes.join(", ")}` }),
      error_message: textField(500).optional(),
    })
    .meta({ description: "The gateway or provider rejects the cash-out; the balance is given back." }),
  refund: z
    .strictObject(refundFields)
    .meta({ description: "The provider reverses a settled cash-out, or part of it." }),
} as const;

type CashoutAction = keyof typeof cashoutActions;
type Input<Action extends CashoutAction> = z.infer<(typeof cashoutActions)[Action]>;

/** Carries out an action that {@link cashoutActions} has read. @throws {InvalidTransition} @throws {DomainError} */
export const performCashout: {
  [Action in CashoutAction]: (operation: Operation, cashout: Transaction, input: Input<Action>) => Transaction;
} = { confirm: confirmCashout, fail: failCashout, refund: refundCashout };

function confirmCashout(operation: Operation, cashout: Transaction, input: Input<"confirm">): Transaction {
  resolveTransition(cashout.type, cashout.status, "confirm");
  const { world, now } = operation;
  const scale = world.currencies.scale(cashout.currency);
  world.timers.removeOf(cashout.transaction_id, GATEWAY_TIMER);
  return stepTransaction(operation, cashout, {
    trigger: "confirm",
    changes: { confirmed_at: now, details: { ...cashout.details, ...settlementDetails(operation, cashout, input) } },
    figures: { sent: debitOf(cashout) - cashout.fee, fee: cashout.fee },
    data: (_kind, { details, ...row }) => ({
      transaction_id: row.transaction_id,
      external_id: row.external_id,
      type: row.type,
      currency: row.currency,
      currency_type: currencyType(world, row.currency),
      network: row.network,
      amount: formatAmount(row.amount, scale),
      fee: formatAmount(row.fee, scale),
      status: row.status,
      wallet: details.wallet,
      key_type: details.key_type,
      hash: details.hash,
      ...(details.receiver ? { receiver: details.receiver } : {}),
      confirmed_at: formatInstant(now),
    }),
  });
}

/** The settlement hash and, for PIX and SPEI, the receiver (`D67`). */
function settlementDetails(operation: Operation, cashout: Transaction, input: Input<"confirm">): TransactionDetails {
  const { world } = operation;
  const id = cashout.transaction_id;
  const entropy = world.random.entropy("settlement", id);
  const chain = world.currencies.chainOf(cashout);
  if (chain) {
    const hash = makeTransactionHash(chain.address_format, entropy);
    return { hash, tx_hash: hash };
  }
  const made = ownerOf(world, cashout.network, cashout.details.wallet ?? id, cashout.details.key_type);
  const { pix, spei } = world.fixtures.banks;
  const receiver = {
    name: input.receiver?.name ?? made.name,
    document: input.receiver?.document ?? made.document,
    bank: input.receiver?.bank ?? (cashout.network === "SPEI" ? spei.name : pix.name),
  };
  const bankId = bankIdOf(operation, cashout.network, entropy);
  return { hash: bankId, e2e_id: bankId, receiver };
}

function failCashout(operation: Operation, cashout: Transaction, input: Input<"fail">): Transaction {
  resolveTransition(cashout.type, cashout.status, "fail");
  const { world, now } = operation;
  const scale = world.currencies.scale(cashout.currency);
  const debit = debitOf(cashout);
  const error = { error_code: input.error_code, error_message: input.error_message ?? cashoutErrors[input.error_code] };
  world.timers.removeOf(cashout.transaction_id, GATEWAY_TIMER);
  const { client_id: clientId, currency, amount } = cashout;
  giveBackLimits(operation, { clientId, operation: "cashout", currency, amount }, cashout.created_at);
  return stepTransaction(operation, cashout, {
    trigger: "fail",
    changes: { details: { ...cashout.details, ...error } },
    figures: { debit },
    data: (_kind, row) => ({
      transaction_id: row.transaction_id,
      external_id: row.external_id,
      type: row.type,
      currency: row.currency,
      network: row.network,
      amount: formatAmount(row.amount, scale),
      status: row.status,
      wallet: row.details.wallet,
      ...error,
      refunded_amount: formatAmount(debit, scale),
      failed_at: formatInstant(now),
    }),
  });
}

/** Credits back what had been debited, or part of it (`D54a`). @throws {DomainError} when more than is left. */
function refundCashout(operation: Operation, cashout: Transaction, input: Input<"refund">): Transaction {
  resolveTransition(cashout.type, cashout.status, "refund");
  const { world, now } = operation;
  const scale = world.currencies.scale(cashout.currency);
  const refund = refundAmount(world, cashout, input.amount);
  const refundId = world.random.hexId("transaction", now);
  return stepTransaction(operation, cashout, {
    trigger: "refund",
    changes: { refunded: cashout.refunded + refund },
    figures: { refund },
    envelopeId: refundId,
    data: (_kind, row) => ({
      transaction_id: refundId,
      original_transaction_id: row.transaction_id,
      external_id: row.external_id,
      currency: row.currency,
      network: row.network,
      amount: formatAmount(row.amount, scale),
      amount_refunded: formatAmount(refund, scale),
      status: row.status,
      reason: input.reason ?? "PROVIDER_REVERSAL",
      refunded_at: formatInstant(now),
    }),
  });
}

/** Fails a cash-out, because the gateway found its address invalid (`D36`): only a pending one has the gateway's timer. */
export function refuseAddress(operation: Operation, transactionId: string): void {
  const cashout = required(operation.world.transactions.get(transactionId), `The cash-out ${transactionId}`);
  failCashout(operation, cashout, { error_code: "INVALID_ADDRESS" });
}
