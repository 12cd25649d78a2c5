/** What cash-ins and cash-outs have in common: how they are shown, and how their transitions are carried out. */
import type { EventKind } from "../domain/events.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { formatAmount, type MinorUnits } from "../domain/money.ts";
import type { Transaction, TransactionChanges } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { applyTransition } from "./transition.ts";

/** A trigger on a transaction that is there already. */
export interface TransactionStep {
  readonly trigger: string;
  readonly changes?: TransactionChanges;
  readonly figures?: Readonly<Record<string, MinorUnits>>;
  readonly sends?: (kind: EventKind) => boolean;
  /** The data of an event of this transition. */
  readonly data: (kind: EventKind, transaction: Transaction) => Record<string, unknown>;
}

/** Applies a trigger to a transaction. @throws {InvalidTransition} */
export function stepTransaction(operation: Operation, transaction: Transaction, step: TransactionStep): Transaction {
  const { world } = operation;
  return applyTransition<Transaction>(operation, {
    lifecycle: transaction.type satisfies LifecycleName,
    id: transaction.transaction_id,
    state: transaction.status,
    trigger: step.trigger,
    currency: transaction.currency,
    parties: { username: transaction.username, network: transaction.network },
    figures: step.figures ?? {},
    ...(step.sends ? { sends: step.sends } : {}),
    write: (status) => {
      const written = { ...transaction, ...step.changes, status };
      world.transactions.save(written);
      return written;
    },
    event: (kind, written) => ({
      data: step.data(kind, written),
      subject: { type: transaction.type, id: transaction.transaction_id },
      envelopeId: transaction.transaction_id,
      username: transaction.username,
      clientId: transaction.client_id,
      postbackUrl: transaction.postback_url,
    }),
  });
}

/** `fiat` or `crypto`. */
export function currencyType(world: World, currency: string): "fiat" | "crypto" {
  return world.currencies.currencies.get(currency)?.currency_type ?? "fiat";
}

/**
 * All fields of a transaction that apply to its kind, in the order of the specification's table (`D47`); what
 * `where` of a scenario can look at.
 */
export function transactionFields(world: World, row: Transaction): Record<string, unknown> {
  const scale = world.currencies.scale(row.currency);
  return {
    transaction_id: row.transaction_id,
    external_id: row.external_id,
    type: row.type,
    currency: row.currency,
    currency_type: currencyType(world, row.currency),
    amount: formatAmount(row.amount, scale),
    fee: formatAmount(row.fee, scale),
    amount_net: formatAmount(row.amount_net, scale),
    status: row.status,
    source: row.source,
    network: row.network,
    chain: row.chain,
    tx_hash: row.details.tx_hash ?? null,
    e2e_id: row.details.e2e_id ?? null,
    payer: row.details.payer ?? null,
    created_at: formatInstant(row.created_at),
    expires_at: row.expires_at === null ? null : formatInstant(row.expires_at),
    confirmed_at: row.confirmed_at === null ? null : formatInstant(row.confirmed_at),
    username: row.username,
  };
}
