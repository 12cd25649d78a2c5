/** Disputes of the model ("States and transitions"; D50 to D55). */
import { giveBack } from "./cashins.ts";
import { decimalText } from "./decimals.ts";
import { emit } from "./deliveries.ts";
import { REPLY_TIME, scaleOf } from "./facts.ts";
import { balanceOf, type Dispute, instantText, type State, type Transaction, transactionOf } from "./state.ts";
import { schedule, unschedule } from "./timers.ts";

const UNDECIDED: readonly string[] = ["open", "responded"];

export function isUndecided({ status }: Dispute): boolean {
  return UNDECIDED.includes(status);
}

/** Whether a cash-in has a dispute that waits for its decision. */
export function isDisputed({ disputes }: State, transactionId: string): boolean {
  return disputes.some((dispute) => dispute.transactionId === transactionId && isUndecided(dispute));
}

/** The gross amount is blocked, below zero if it must (D52). */
export function openDispute(state: State, cashin: Transaction, { id, reason }: { id: string; reason: string }): void {
  const balance = balanceOf(state, cashin.username, cashin.currency);
  balance.available -= cashin.amount;
  balance.disputed += cashin.amount;
  const { username, client, amount } = cashin;
  const deadlineAt = state.now + REPLY_TIME;
  const dispute: Dispute = {
    id,
    transactionId: cashin.id,
    username,
    client,
    amount,
    reason,
    deadlineAt,
    status: "open",
  };
  state.disputes.push(dispute);
  emitForDispute(state, dispute, "chargeback.opened", {
    type: "REFUND_REQUEST",
    status: "open",
    ...money(dispute),
    deadline_at: instantText(deadlineAt),
    reason,
    created_at: instantText(state.now),
  });
  schedule(state, { at: deadlineAt, kind: "deadline", subject: id });
}

export function reply(state: State, dispute: Dispute, replyId: number): void {
  dispute.status = "responded";
  unschedule(state, "deadline", dispute.id);
  const responded_at = instantText(state.now);
  emitForDispute(state, dispute, "chargeback.responded", { reply_id: replyId, status: "responded", responded_at });
}

/** TABLE: what a decision makes of a dispute, and how it is told. */
const decisions = {
  win: { status: "won", event: "chargeback.won", at: "resolved_at" },
  lose: { status: "lost", event: "chargeback.lost", at: "resolved_at" },
  cancel: { status: "canceled", event: "chargeback.canceled", at: "canceled_at" },
} as const;
export type Decision = keyof typeof decisions;

/** A lost dispute gives the money back, and is told of by three events (D54). */
export function decide(state: State, dispute: Dispute, decision: Decision): void {
  const { status, event, at } = decisions[decision];
  dispute.status = status;
  unschedule(state, "deadline", dispute.id);
  const cashin = transactionOf(state, dispute.transactionId);
  const balance = balanceOf(state, dispute.username, cashin.currency);
  if (decision !== "lose") {
    balance.disputed -= dispute.amount;
    balance.available += dispute.amount;
  }
  emitForDispute(state, dispute, event, {
    ...money(dispute),
    ...(decision === "lose" ? { amount_refunded: money(dispute).amount } : {}),
    ...(decision === "cancel" ? { canceled_by: "payer" } : {}),
    [at]: instantText(state.now),
  });
  if (decision !== "lose") return;
  giveBack(state, cashin, { amount: dispute.amount, reason: "MED_CHARGEBACK", from: "disputed" });
  dispute.status = state.settings.lost_dispute_status;
  emitForDispute(state, dispute, "chargeback.confirmed", { ...money(dispute), confirmed_at: instantText(state.now) });
}

/** The deadline passes unanswered (D53). */
export function missDeadline(state: State, id: string | number): void {
  const dispute = state.disputes.find((each) => each.id === id);
  if (dispute?.status === "open" && state.settings.unanswered_dispute === "lost") decide(state, dispute, "lose");
}

function emitForDispute(
  state: State,
  dispute: Dispute,
  event: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  const { postback } = transactionOf(state, dispute.transactionId);
  const ids = { infraction_id: dispute.id, transaction_id: dispute.transactionId };
  emit(state, event, { ...dispute, postback }, { ...ids, ...fields });
}

/** Only PIX can be disputed, so all are in BRL. */
function money({ amount }: Dispute) {
  return { amount: decimalText(amount, scaleOf("BRL")), currency: "BRL" };
}
