/** Cash-outs of the model ("States and transitions"; D08, D36, D37, D54a). */
import { decimalText } from "./decimals.ts";
import { emit } from "./deliveries.ts";
import { feeOf, GATEWAY_DELAY, isFiat, railOf, scaleOf } from "./facts.ts";
import { countUse } from "./limits.ts";
import { balanceOf, instantText, type State, type Transaction } from "./state.ts";
import { schedule, unschedule } from "./timers.ts";

export interface NewCashout {
  readonly id: string;
  readonly username: string;
  readonly client: string;
  readonly externalId: string | null;
  readonly currency: string;
  readonly chain: string | null;
  readonly amount: bigint;
  readonly postback: string | null;
  readonly key: string;
  readonly keyType: string;
  /** Whether the gateway will refuse it. */
  readonly isNowhere: boolean;
}

/** What a cash-out takes from the balance (D08). */
export function debitOf({ settings }: State, currency: string, amount: bigint): bigint {
  return settings.cashout_fee === "added" ? amount + feeOf("cashout", currency, amount) : amount;
}

export function createCashout(state: State, { isNowhere, ...draft }: NewCashout): void {
  const { client, username, currency, amount } = draft;
  countUse(state, { client, operation: "cashout", currency, amount });
  const debit = debitOf(state, currency, amount);
  const balance = balanceOf(state, username, currency);
  balance.available -= debit;
  balance.locked += debit;
  const { network } = railOf(currency, draft.chain);
  state.transactions.push({
    ...draft,
    type: "cashout",
    fee: feeOf("cashout", currency, amount),
    refunded: 0n,
    status: "pending",
    source: null,
    network,
    createdAt: state.now,
    expiresAt: null,
    confirmedAt: null,
    split: [],
    walletId: null,
    debit,
  });
  if (state.isHappy) {
    const settlingTime = network === "PIX" ? 2_000 : network === "SPEI" ? 30_000 : 10_000;
    schedule(state, { at: state.now + settlingTime, kind: "step", subject: draft.id, action: "confirm" });
  }
  if (isNowhere) schedule(state, { at: state.now + GATEWAY_DELAY, kind: "gateway", subject: draft.id });
}

/** The provider settles: the blocked money leaves. */
export function confirm(state: State, cashout: Transaction): void {
  balanceOf(state, cashout.username, cashout.currency).locked -= cashout.debit;
  cashout.status = "confirmed";
  cashout.confirmedAt = state.now;
  unschedule(state, "gateway", cashout.id);
  const text = (units: bigint) => decimalText(units, scaleOf(cashout.currency));
  emit(state, "cashout.confirmed", cashout, {
    ...commonFields(cashout),
    type: "cashout",
    currency_type: isFiat(cashout.currency) ? "fiat" : "crypto",
    fee: text(cashout.fee),
    status: "confirmed",
    wallet: cashout.key,
    key_type: cashout.keyType,
    confirmed_at: instantText(state.now),
  });
}

/** Gateway or provider reject: the balance is refunded automatically, and the limits with it (D49). */
export function fail(state: State, cashout: Transaction, errorCode: string): void {
  const { client, currency, amount, debit } = cashout;
  const balance = balanceOf(state, cashout.username, currency);
  balance.locked -= debit;
  balance.available += debit;
  countUse(state, { client, operation: "cashout", currency, amount: -amount }, cashout.createdAt);
  cashout.status = "failed";
  unschedule(state, "gateway", cashout.id);
  emit(state, "cashout.failed", cashout, {
    ...commonFields(cashout),
    type: "cashout",
    status: "failed",
    wallet: cashout.key,
    error_code: errorCode,
    refunded_amount: decimalText(debit, scaleOf(currency)),
    failed_at: instantText(state.now),
  });
}

/** The provider reverses: what had been debited comes back, whole or in part. */
export function refund(state: State, cashout: Transaction, amount: bigint, reason: string): void {
  balanceOf(state, cashout.username, cashout.currency).available += amount;
  cashout.refunded += amount;
  cashout.status = "refunded";
  const { transaction_id, ...common } = commonFields(cashout);
  emit(state, "cashout.refunded", cashout, {
    ...common,
    original_transaction_id: transaction_id,
    amount_refunded: decimalText(amount, scaleOf(cashout.currency)),
    status: "refunded",
    reason,
    refunded_at: instantText(state.now),
  });
}

function commonFields(cashout: Transaction) {
  return {
    transaction_id: cashout.id,
    external_id: cashout.externalId,
    currency: cashout.currency,
    network: cashout.network,
    amount: decimalText(cashout.amount, scaleOf(cashout.currency)),
  };
}
