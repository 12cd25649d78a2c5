/** Disputes: opened by the payer, answered by the merchant, decided by the authority (`D50` to `D55`). */
import { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import type { EventKind } from "../domain/events.ts";
import type { StateOf } from "../domain/lifecycles.ts";
import { allowedActions, InvalidTransition, resolveTransition } from "../domain/machine.ts";
import { required } from "../domain/required.ts";
import type { Credential } from "../store/accounts.ts";
import type { Dispute, ReplyFile } from "../store/disputes.ts";
import type { Transaction } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { reasonField } from "./action-fields.ts";
import { giveBack } from "./refunds.ts";
import { isDeposit, stepTransaction } from "./transactions.ts";
import { applyTransition, type TransitionRequest } from "./transition.ts";

/** Timer of the reply deadline of a dispute. */
export const DEADLINE_TIMER = "dispute.deadline";

/** Reply deadline: 7 days from opening (Limits, other constants). */
const REPLY_TIME_MS = 7 * 86_400_000;

/** The input of the action `dispute` of a cash-in (interface, section 4). */
export const disputeInput = z
  .strictObject({ reason: reasonField })
  .meta({ description: "The payer disputes the payment; the balance is blocked." });

/** The inputs of the actions on a dispute: the authority's decisions, and the payer's withdrawal. */
export const disputeActions = {
  win: z.strictObject({}).meta({ description: "The dispute is decided for the merchant." }),
  lose: z.strictObject({}).meta({ description: "The dispute is decided for the payer; the money goes back." }),
  cancel: z.strictObject({}).meta({ description: "The payer withdraws the dispute." }),
} as const;

/** Whether a cash-in has a dispute that is not decided: then it takes no refund and no further dispute (`D54a`). */
export function isDisputed(world: World, transactionId: string): boolean {
  // Only the last one can be undecided: no dispute is opened while another is.
  const last = world.disputes.lastOf(transactionId);
  return last !== undefined && allowedActions("dispute", last.status).includes("win");
}

/** Only a PIX can be disputed. */
export function isDisputable({ network }: Pick<Transaction, "network">): boolean {
  return network === "PIX";
}

/** @throws {InvalidTransition} for a cash-in with an undecided dispute. */
export function requireUndisputed(world: World, { transaction_id, status }: Transaction, trigger: string): void {
  if (!isDisputed(world, transaction_id)) return;
  throw new InvalidTransition("cashin", status, trigger, { allowed: [], also: "disputed" });
}

/** Opens the payer's dispute of a confirmed PIX. @throws {InvalidTransition} @throws {DomainError} INVALID_REQUEST. */
export function openDispute(
  operation: Operation,
  cashin: Transaction,
  input: z.infer<typeof disputeInput>,
): Transaction {
  const { world, now } = operation;
  resolveTransition("cashin", cashin.status, "dispute");
  requireUndisputed(world, cashin, "dispute");
  if (!isDisputable(cashin)) {
    const what = isDeposit(cashin) ? "deposit" : "charge";
    throw new DomainError("INVALID_REQUEST", `Only a PIX can be disputed, not a ${what} by ${cashin.network}.`);
  }
  const disputed = stepTransaction(operation, cashin, { trigger: "dispute", data: () => ({}) });
  const infractionId = `inf_${world.random.base36Id("dispute", now)}`;
  const draft = {
    infraction_id: infractionId,
    transaction_id: cashin.transaction_id,
    username: cashin.username,
    client_id: cashin.client_id,
    amount: cashin.amount,
    currency: cashin.currency,
    e2e_id: cashin.details.e2e_id ?? null,
    reason: input.reason ?? "Payer does not recognize the payment",
    deadline_at: now + REPLY_TIME_MS,
    created_at: now,
  };
  const insert = (status: StateOf<"dispute">) => world.disputes.insert({ ...draft, status });
  const follow = (opened: Operation) =>
    opened.schedule({ due: draft.deadline_at, kind: DEADLINE_TIMER, subject: infractionId, isDefault: true });
  step(operation, { ...draft, status: null }, { trigger: "open", write: insert, follow });
  return disputed;
}

/** The merchant's reply; its files are kept for QA. */
export interface DisputeReply {
  readonly infraction_id: string;
  readonly text: string;
  readonly files: readonly ReplyFile[];
}

/** Refusal of a reply: the dispute is not open or, if a setting leaves it open (`D53`), its deadline has passed. */
function tooLate({ status, deadline_at }: Dispute): DomainError {
  const why = status === "open" ? `its deadline was ${formatInstant(deadline_at)}` : `it is ${status}`;
  return new DomainError("INFRACTION_NOT_OPEN", `The dispute takes no reply any more: ${why}.`);
}

/** Registers a reply. @throws {DomainError} NOT_FOUND, INFRACTION_NOT_OPEN (`D51`). */
export function replyToDispute(operation: Operation, credential: Credential, reply: DisputeReply) {
  const { world, now } = operation;
  const dispute = world.disputes.get(reply.infraction_id);
  if (dispute?.username !== credential.username) {
    throw new DomainError("NOT_FOUND", `There is no dispute ${JSON.stringify(reply.infraction_id)}.`);
  }
  if (dispute.status !== "open" || now >= dispute.deadline_at) throw tooLate(dispute);
  const replyId = world.random.next("reply");
  for (const [index, file] of reply.files.entries()) world.disputes.insertFile(replyId, index + 1, file);
  world.timers.removeOf(dispute.infraction_id, DEADLINE_TIMER);
  const write = (status: StateOf<"dispute">) =>
    save(world, { ...dispute, status, reply_id: replyId, reply_text: reply.text, responded_at: now });
  const answered = step(operation, dispute, { trigger: "reply", write });
  return {
    infraction_id: answered.infraction_id,
    reply_id: replyId,
    status: answered.status,
    responded_at: formatInstant(now),
  };
}

/** Carries out a decision. A lost dispute debits the balance and refunds the cash-in (`D54`). @throws {InvalidTransition} */
export function decideDispute(operation: Operation, dispute: Dispute, decision: keyof typeof disputeActions): void {
  const { world, now } = operation;
  world.timers.removeOf(dispute.infraction_id, DEADLINE_TIMER);
  const write = (status: StateOf<"dispute">) => save(world, { ...dispute, status, resolved_at: now });
  step(operation, dispute, { trigger: decision, write, ...(decision === "lose" ? { follow: takeBack } : {}) });
}

/** Refunds the cash-in of a lost dispute, then finalizes the dispute (`D54`). */
function takeBack(operation: Operation, lost: Dispute): void {
  const { world } = operation;
  chargeBack(operation, lost);
  const asConfirmed = world.settings.lost_dispute_status === "confirmed";
  const write = (status: StateOf<"dispute">) => save(world, { ...lost, status });
  step(operation, lost, { trigger: asConfirmed ? "finalize_as_confirmed" : "finalize", write });
}

/** The deadline passes, which only an open dispute has: it is lost, unless the setting leaves it open (`D53`). */
export function missDeadline(operation: Operation, infractionId: string): void {
  const { disputes, settings } = operation.world;
  if (settings.unanswered_dispute === "open") return;
  decideDispute(operation, required(disputes.get(infractionId), `The dispute ${infractionId}`), "lose");
}

function chargeBack(operation: Operation, dispute: Dispute): void {
  const { transaction_id: id, amount } = dispute;
  const cashin = required(operation.world.transactions.get(id), `The cash-in ${id} of a dispute`);
  giveBack(operation, cashin, {
    trigger: "charge_back",
    amount,
    figures: { disputed: amount },
    reason: "MED_CHARGEBACK",
  });
}

function step(
  operation: Operation,
  dispute: Omit<Dispute, "status" | "position" | "reply_id" | "reply_text" | "responded_at" | "resolved_at"> & {
    readonly status: StateOf<"dispute"> | null;
  },
  how: Pick<TransitionRequest<"dispute", Dispute>, "trigger" | "write" | "follow">,
): Dispute {
  const { world } = operation;
  return applyTransition(operation, {
    lifecycle: "dispute",
    id: dispute.infraction_id,
    state: dispute.status,
    currencies: { main: dispute.currency },
    parties: { username: dispute.username, network: "PIX" },
    figures: { disputed: dispute.amount },
    ...how,
    events: (kind, row) => [
      {
        data: eventData(operation, kind, row),
        envelopeId: row.transaction_id,
        username: row.username,
        clientId: row.client_id,
        postbackUrl: world.transactions.get(row.transaction_id)?.postback_url ?? null,
      },
    ],
  });
}

/** The data of a dispute event, by its kind. */
function eventData({ world, now }: Operation, kind: EventKind, row: Dispute): Record<string, unknown> {
  const instant = formatInstant(now);
  const amount = world.currencies.format(row.amount, row.currency);
  const ids = { infraction_id: row.infraction_id, transaction_id: row.transaction_id };
  const money = { amount, currency: row.currency };
  switch (kind) {
    case "chargeback.opened":
      return openedFields(world, row);
    case "chargeback.responded":
      return { ...ids, reply_id: row.reply_id, status: row.status, responded_at: instant };
    case "chargeback.confirmed":
      return { ...ids, ...money, confirmed_at: instant };
    case "chargeback.lost":
      return { ...ids, ...money, amount_refunded: amount, resolved_at: instant };
    case "chargeback.canceled":
      return { ...ids, ...money, canceled_by: "payer", canceled_at: instant };
    default:
      return { ...ids, ...money, resolved_at: instant };
  }
}

/** The infraction fields, as lists show them (`D50`). */
export function disputeFields(world: World, row: Dispute) {
  const { created_at, ...fields } = openedFields(world, row);
  return { ...fields, reply_id: row.reply_id, created_at };
}

/** The data of `chargeback.opened`. */
function openedFields(world: World, row: Dispute) {
  return {
    infraction_id: row.infraction_id,
    transaction_id: row.transaction_id,
    type: "REFUND_REQUEST" as const,
    status: row.status,
    amount: world.currencies.format(row.amount, row.currency),
    currency: row.currency,
    e2e_id: row.e2e_id,
    deadline_at: formatInstant(row.deadline_at),
    reason: row.reason,
    created_at: formatInstant(row.created_at),
  };
}

function save(world: World, dispute: Dispute): Dispute {
  world.disputes.save(dispute);
  return dispute;
}
