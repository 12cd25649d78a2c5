/** `POST /v2/internal_transfers/payment`, and the splits of cash-ins, which are transfers too (`D35`, `D38`). */
import { z } from "zod";
import { DomainError } from "../domain/errors.ts";
import { formatAmount, type MinorUnits } from "../domain/money.ts";
import { onFirstUse } from "../domain/on-first-use.ts";
import { required } from "../domain/required.ts";
import type { Credential } from "../store/accounts.ts";
import type { Transfer } from "../store/transfers.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { balanceOf, requireBalance } from "./accounts.ts";
import { amountOf, currencyOf } from "./amounts.ts";
import { once } from "./idempotency.ts";
import { amountField, externalIdField, nameField, remarkField, textField } from "./input.ts";
import { useLimits } from "./limits.ts";
import { invalidRequest, together } from "./together.ts";
import { applyTransition } from "./transition.ts";

/** The body of an internal transfer; `username` is the receiver's (`D38`). */
export const transferRequest = onFirstUse(() =>
  z.object({
    username: textField(64),
    currency: nameField,
    amount: amountField,
    description: remarkField(500).nullish(),
    external_id: externalIdField,
  }),
);
type TransferRequest = z.infer<ReturnType<typeof transferRequest>>;

/**
 * Moves balance to another account, or gives the transfer that the external id stands for.
 * @throws {DomainError} INVALID_CURRENCY, INVALID_REQUEST, NOT_FOUND, LIMIT_EXCEEDED, INSUFFICIENT_BALANCE,
 * DUPLICATE_EXTERNAL_ID.
 */
export function createTransfer(operation: Operation, credential: Credential, input: TransferRequest, body: unknown) {
  const { world } = operation;
  const { username } = credential;
  const transfer = once(
    operation,
    { operation: "transfer", username, externalId: input.external_id, body },
    {
      check: () => checkTransfer(world, credential, input),
      make: () => newTransfer(operation, credential, input),
      idOf: (made) => made.transaction_id,
    },
  );
  return transferAnswer(world, transfer);
}

/** Checks and resolves the fields of a request. @throws {DomainError} INVALID_REQUEST, INVALID_CURRENCY, NOT_FOUND. */
export function checkTransfer(world: World, credential: Credential, input: TransferRequest) {
  const found = () => currencyOf(world, input.currency);
  const [currency, amount] = together(
    found,
    () => amountOf(input.amount, found, "amount"),
    () => requireRecipient(world, credential, input.username),
  );
  return { currency, amount };
}

function requireRecipient(world: World, credential: Credential, username: string): void {
  if (username === credential.username) throw invalidRequest(["username must be another account than your own"]);
  if (world.accounts.get(username)) return;
  throw new DomainError("NOT_FOUND", `There is no account ${JSON.stringify(username)}.`);
}

function newTransfer(operation: Operation, credential: Credential, input: TransferRequest): Transfer {
  const { world } = operation;
  const { currency, amount } = checkTransfer(world, credential, input);
  const { client_id, username } = credential;
  useLimits(operation, { clientId: client_id, operation: "internal_transfer", currency: currency.currency, amount });
  requireBalance(world, username, currency.currency, amount);
  return executeTransfer(operation, {
    username,
    client_id,
    recipient: input.username,
    external_id: input.external_id ?? null,
    currency: currency.currency,
    amount,
    description: input.description ?? null,
    split_of: null,
  });
}

/**
 * Executes a transfer and sends the event to both sides. The balance is not checked: a split is executed even if it is
 * below zero (`D35`).
 */
export function executeTransfer(
  operation: Operation,
  draft: Omit<Transfer, "position" | "transaction_id" | "fee" | "status" | "created_at">,
): Transfer {
  const { world, now } = operation;
  const transactionId = world.random.hexId("transaction", now);
  const before = balancesOf(world, draft);
  return applyTransition(operation, {
    lifecycle: "transfer",
    id: transactionId,
    state: null,
    trigger: "execute",
    currencies: { main: draft.currency },
    parties: { username: draft.username, counterparty: draft.recipient },
    figures: { amount: draft.amount },
    write: (status) =>
      world.transfers.insert({ ...draft, transaction_id: transactionId, fee: 0n, status, created_at: now }),
    events: (_kind, transfer) => bothSides(operation, transfer, before),
  });
}

/** The available balance of each side, in minor units. */
interface Balances {
  readonly sender: MinorUnits;
  readonly recipient: MinorUnits;
}

/** One side of a transfer, as its event shows it (`D38`, `D39`). */
interface Side {
  readonly username: string;
  readonly clientId: string;
  readonly direction: string;
  readonly counterparty: string;
  readonly before: MinorUnits;
  readonly after: MinorUnits;
}

function balancesOf(
  world: World,
  { username, recipient, currency }: Pick<Transfer, "username" | "recipient" | "currency">,
): Balances {
  return {
    sender: balanceOf(world, username, currency).available,
    recipient: balanceOf(world, recipient, currency).available,
  };
}

function bothSides(operation: Operation, transfer: Transfer, before: Balances) {
  const { world } = operation;
  const after = balancesOf(world, transfer);
  const { username, recipient, client_id } = transfer;
  const credential = required(world.accounts.credentialsOf(recipient)[0], "A credential of the recipient");
  const sent: Side = {
    username,
    clientId: client_id,
    direction: world.settings.transfer_sent_direction,
    counterparty: recipient,
    before: before.sender,
    after: after.sender,
  };
  const received: Side = {
    username: recipient,
    clientId: credential.client_id,
    direction: "received",
    counterparty: username,
    before: before.recipient,
    after: after.recipient,
  };
  return [sent, received].map((side) => ({
    data: confirmedData(operation, transfer, side),
    envelopeId: transfer.transaction_id,
    username: side.username,
    clientId: side.clientId,
    postbackUrl: null,
  }));
}

function confirmedData({ world, now }: Operation, transfer: Transfer, side: Side): Record<string, unknown> {
  const scale = world.currencies.scale(transfer.currency);
  return {
    transaction_id: transfer.transaction_id,
    direction: side.direction,
    amount: formatAmount(transfer.amount, scale),
    currency: transfer.currency,
    counterparty: side.counterparty,
    description: transfer.description,
    old_balance: formatAmount(side.before, scale),
    new_balance: formatAmount(side.after, scale),
    confirmed_at: formatInstant(now),
  };
}

/** The data of the answer (`D38`). */
export function transferAnswer(world: World, transfer: Transfer) {
  const scale = world.currencies.scale(transfer.currency);
  return {
    transaction_id: transfer.transaction_id,
    external_id: transfer.external_id,
    username: transfer.recipient,
    currency: transfer.currency,
    amount: formatAmount(transfer.amount, scale),
    fee: formatAmount(transfer.fee, scale),
    status: transfer.status,
    description: transfer.description,
    created_at: formatInstant(transfer.created_at),
  };
}
