/** Cash-ins of the model: charges and deposits, how they end, and their splits ("States and transitions"; D30 to D35). */
import { cut, decimalText, fraction, times } from "./decimals.ts";
import { emit } from "./deliveries.ts";
import { CHARGE_LIFETIME, feeOf, isFiat, railOf, scaleOf } from "./facts.ts";
import { countUse } from "./limits.ts";
import { balanceOf, instantText, type Share, type State, type Transaction } from "./state.ts";
import { schedule, unschedule } from "./timers.ts";
import { carryOver } from "./transfers.ts";

export interface NewCharge {
  readonly id: string;
  readonly username: string;
  readonly client: string;
  readonly externalId: string | null;
  readonly currency: string;
  readonly chain: string | null;
  readonly amount: bigint;
  readonly postback: string | null;
  readonly split: readonly Share[];
}

/** A charge is valid for half an hour (Limits, other constants). */
export function createCharge(state: State, charge: NewCharge): void {
  const { client, currency, amount } = charge;
  countUse(state, { client, operation: "cashin", currency, amount });
  const expiresAt = state.now + CHARGE_LIFETIME;
  const { network, creditMs } = railOf(currency, charge.chain);
  insert(state, { ...charge, source: "dynamic_qr", expiresAt, walletId: null });
  // A payer who has paid in time on a slow chain is waited for.
  const isSlow = state.isHappy && !isFiat(currency) && creditMs > CHARGE_LIFETIME;
  if (!isSlow) schedule(state, { at: expiresAt, kind: "expiry", subject: charge.id });
  if (!state.isHappy) return;
  const payingTime = network === "PIX" ? 5_000 : creditMs;
  schedule(state, { at: state.now + payingTime, kind: "step", subject: charge.id, action: "pay" });
}

/** A cash-in that nothing has happened to yet. */
export function insert(
  state: State,
  draft: NewCharge & { source: string; expiresAt: number | null; walletId: number | null },
): Transaction {
  const cashin: Transaction = {
    ...draft,
    type: "cashin",
    fee: feeOf("cashin", draft.currency, draft.amount),
    refunded: 0n,
    status: "pending",
    network: railOf(draft.currency, draft.chain).network,
    createdAt: state.now,
    confirmedAt: null,
    key: null,
    keyType: null,
    debit: 0n,
  };
  state.transactions.push(cashin);
  return cashin;
}

/** What arrived is credited, the fee taken from it (D34). */
export function pay(state: State, cashin: Transaction, amount = cashin.amount): void {
  const balance = balanceOf(state, cashin.username, cashin.currency);
  const before = balance.available;
  cashin.amount = amount;
  cashin.fee = feeOf("cashin", cashin.currency, amount);
  balance.available += amount - cashin.fee;
  cashin.status = "confirmed";
  cashin.confirmedAt = state.now;
  unschedule(state, "expiry", cashin.id);
  unschedule(state, "credit", cashin.id);
  const isDeposit = cashin.walletId !== null;
  const { deposit_events } = state.settings;
  if (!isDeposit || deposit_events !== "wallet_deposit")
    emit(state, "cashin.confirmed", cashin, confirmedFields(state, cashin, before));
  executeSplit(state, cashin);
  if (isDeposit && deposit_events !== "cashin") emit(state, "wallet_deposit", cashin, depositFields(state, cashin));
}

function confirmedFields(state: State, cashin: Transaction, before: bigint) {
  const text = (units: bigint) => decimalText(units, scaleOf(cashin.currency));
  const { available } = balanceOf(state, cashin.username, cashin.currency);
  return {
    transaction_id: cashin.id,
    external_id: cashin.externalId,
    type: "cashin",
    currency: cashin.currency,
    currency_type: isFiat(cashin.currency) ? "fiat" : "crypto",
    amount: text(cashin.amount),
    fee: text(cashin.fee),
    amount_net: text(cashin.amount - cashin.fee),
    status: "confirmed",
    source: cashin.source,
    network: cashin.network,
    ...(cashin.chain === null ? {} : { chain: cashin.chain }),
    old_balance: text(before),
    new_balance: text(available),
    confirmed_at: instantText(state.now),
  };
}

function depositFields({ now }: State, cashin: Transaction) {
  const text = (units: bigint) => decimalText(units, scaleOf(cashin.currency));
  return {
    event: "wallet_deposit",
    transaction_id: cashin.id,
    wallet_id: cashin.walletId,
    chain: cashin.chain,
    currency: cashin.currency,
    amount_gross: text(cashin.amount),
    amount_net: text(cashin.amount - cashin.fee),
    fee: text(cashin.fee),
    confirmed_at: instantText(now),
  };
}

/** Shares of the net amount, in order; what the credit does not cover is cut (D35). */
function executeSplit(state: State, cashin: Transaction): void {
  const net = cashin.amount - cashin.fee;
  let left = net;
  for (const share of cashin.split) {
    const wanted = shareOf(net, share);
    const amount = wanted < left ? wanted : left;
    left -= amount;
    if (amount > 0n) carryOver(state, { ...cashin, id: null, recipient: share.username, amount, splitOf: cashin.id });
  }
}

/** What a share comes to, towards zero (D03). */
export function shareOf(net: bigint, { percentage, amount }: Share): bigint {
  if (percentage === undefined) return amount ?? 0n;
  return cut(times({ numerator: net, denominator: 100n }, fraction(String(percentage))));
}

/** It ends unpaid: by time, by the system, or at the provider (D32, D33); only a charge uses limits (D49) and is told. */
export function endUnpaid(state: State, cashin: Transaction, status: "expired" | "canceled" | "failed"): void {
  cashin.status = status;
  unschedule(state, "expiry", cashin.id);
  unschedule(state, "credit", cashin.id);
  if (cashin.source !== "dynamic_qr") return;
  const { client, currency, amount, createdAt } = cashin;
  countUse(state, { client, operation: "cashin", currency, amount: -amount }, createdAt);
  const isTold = state.settings.expired_event === "all" || cashin.network === "PIX";
  if (status !== "expired" || !isTold) return;
  emit(state, "cashin.expired", cashin, {
    transaction_id: cashin.id,
    external_id: cashin.externalId,
    currency: cashin.currency,
    amount: decimalText(cashin.amount, scaleOf(cashin.currency)),
    status: "expired",
    expired_at: instantText(state.now),
  });
}

/** Money goes back to the payer: out of the balance, or out of what a dispute has blocked (D54a). */
export function giveBack(
  state: State,
  cashin: Transaction,
  { amount, reason, from }: { amount: bigint; reason: string; from: "available" | "disputed" },
): void {
  const balance = balanceOf(state, cashin.username, cashin.currency);
  const total = () => decimalText(balance.available + balance.locked + balance.disputed, scaleOf(cashin.currency));
  const before = total();
  balance[from] -= amount;
  cashin.refunded += amount;
  cashin.status = "refunded";
  emit(state, "cashin.refunded", cashin, {
    original_transaction_id: cashin.id,
    external_id: cashin.externalId,
    currency: cashin.currency,
    amount: decimalText(cashin.amount, scaleOf(cashin.currency)),
    amount_refunded: decimalText(amount, scaleOf(cashin.currency)),
    status: "refunded",
    reason,
    old_balance: before,
    new_balance: total(),
    refunded_at: instantText(state.now),
  });
}
