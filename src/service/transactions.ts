/** What cash-ins and cash-outs have in common: how they are shown, and how their transitions are carried out. */

import type { EventKind } from "../domain/events.ts";
import { inGlossary } from "../domain/glossary.ts";
import { makeEndToEndId } from "../domain/identifiers/end-to-end-id.ts";
import { makeTrackingKey } from "../domain/identifiers/tracking-key.ts";
import type { TriggerOf } from "../domain/lifecycles.ts";
import { formatAmount, type MinorUnits } from "../domain/money.ts";
import type { Transaction, TransactionChanges } from "../store/transactions.ts";
import { formatInstant, formatInstantOrNull } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";
import { currencyType } from "./amounts.ts";
import { applyTransition, type TransitionRequest } from "./transition.ts";

/** A trigger on an existing transaction. */
interface TransactionStep extends Pick<TransitionRequest<"cashin" | "cashout", Transaction>, "follow"> {
  readonly trigger: TriggerOf<"cashin" | "cashout">;
  readonly changes?: TransactionChanges;
  readonly figures?: Readonly<Record<string, MinorUnits>>;
  readonly sends?: (kind: EventKind) => boolean;
  /** `transaction_id` of the envelope, if it is not the transaction's own: a refund has its own id (`D54a`). */
  readonly envelopeId?: string;
  /** The data of an event of this transition. */
  readonly data: (kind: EventKind, transaction: Transaction) => Record<string, unknown>;
}

/** Applies a trigger to a transaction. @throws {InvalidTransition} */
export function stepTransaction(operation: Operation, transaction: Transaction, step: TransactionStep): Transaction {
  const { world } = operation;
  return applyTransition(operation, {
    lifecycle: transaction.type,
    id: transaction.transaction_id,
    state: transaction.status,
    trigger: step.trigger,
    currencies: { main: transaction.currency },
    parties: { username: transaction.username, network: transaction.network },
    figures: step.figures ?? {},
    ...(step.sends ? { sends: step.sends } : {}),
    ...(step.follow ? { follow: step.follow } : {}),
    write: (status) => {
      const written = { ...transaction, ...step.changes, status };
      world.transactions.save(written);
      return written;
    },
    events: (kind, written) => [
      {
        data: step.data(kind, written),
        envelopeId: step.envelopeId ?? transaction.transaction_id,
        username: transaction.username,
        clientId: transaction.client_id,
        postbackUrl: transaction.postback_url,
      },
    ],
  });
}

/** A transaction before the lifecycle has given it a status. */
export type NewTransaction = Omit<Transaction, "status">;

/** How a transaction is created. */
interface TransactionOpening {
  readonly trigger: TriggerOf<"cashin" | "cashout">;
  readonly figures?: Readonly<Record<string, MinorUnits>>;
  /** The occurrence that scenarios see, such as `cashin.created`; none if left out. */
  readonly occurrence?: string;
}

/** Creates a transaction. */
export function openTransaction(operation: Operation, draft: NewTransaction, opening: TransactionOpening): Transaction {
  const { world } = operation;
  const { occurrence } = opening;
  return applyTransition(operation, {
    lifecycle: draft.type,
    id: draft.transaction_id,
    state: null,
    trigger: opening.trigger,
    currencies: { main: draft.currency },
    parties: { username: draft.username, network: draft.network },
    figures: opening.figures ?? {},
    write: (status) => {
      const written = { ...draft, status };
      world.transactions.insert(written);
      return written;
    },
    events: () => [],
    ...(occurrence ? { occurrence: (row) => ({ kind: occurrence, fields: transactionFields(world, row) }) } : {}),
  });
}

/** Whether a cash-in is a deposit into a fixed wallet. */
export function isDeposit({ source }: Pick<Transaction, "source">): boolean {
  return source === "static";
}

/** The id by which banks know a payment: end-to-end id of a PIX (`TX-17`), clave de rastreo of a SPEI (`D67`). */
export function bankIdOf({ world, now }: Operation, network: string, entropy: Uint8Array): string {
  if (network === "SPEI") return makeTrackingKey(entropy);
  return makeEndToEndId({ ispb: world.fixtures.banks.pix.ispb, instant: formatInstant(now), entropy });
}

/**
 * All fields of a transaction, in the order of the specification's table (`D47`), null where they do not apply;
 * `where` of a scenario may test them.
 */
export function transactionFields(world: World, row: Transaction) {
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
    receiver: row.details.receiver ?? null,
    wallet: row.details.wallet ?? null,
    key_type: row.details.key_type ?? null,
    hash: row.details.hash ?? null,
    created_at: formatInstant(row.created_at),
    expires_at: formatInstantOrNull(row.expires_at),
    confirmed_at: formatInstantOrNull(row.confirmed_at),
    username: row.username,
  };
}

/** A transaction as the merchant's list shows it: the fields that apply to its kind (`D47`, `D48`). */
export function transactionItem(world: World, row: Transaction): Record<string, unknown> {
  const fields = transactionFields(world, row);
  const { created_at, confirmed_at } = fields;
  const { postback_url } = row;
  const hidden = hiddenOf[row.type][row.chain === null ? "fiat" : "crypto"];
  // Every list consists of these: a loop over the names costs a third of what spreading and filtering does.
  const item: Record<string, unknown> = {};
  for (const name in fields) if (!hidden.has(name)) item[name] = fields[name as keyof typeof fields];
  item.status = statusWord(world, row.status);
  return Object.assign(item, { postback_url, created_at, confirmed_at });
}

/** Fields that the list does not show, or only at the end of an item. */
const APART = ["username", "expires_at", "created_at", "confirmed_at"];

/** TABLE: fields that do not apply, by type and by kind of currency (`D47`). */
const notOf = {
  cashin: ["wallet", "key_type", "hash", "receiver"],
  cashout: ["source", "payer"],
  fiat: ["chain", "tx_hash"],
  crypto: ["e2e_id", "payer", "receiver"],
} as const;

const hiddenFrom = (type: Transaction["type"], kind: "fiat" | "crypto"): ReadonlySet<string> =>
  new Set([...APART, ...notOf[type], ...notOf[kind]]);

const hiddenOf = {
  cashin: { fiat: hiddenFrom("cashin", "fiat"), crypto: hiddenFrom("cashin", "crypto") },
  cashout: { fiat: hiddenFrom("cashout", "fiat"), crypto: hiddenFrom("cashout", "crypto") },
} as const;

/** A status in the words that the setting `status_words` selects (`D48`). */
function statusWord({ settings }: World, status: Transaction["status"]): string {
  return settings.status_words === "glossary" ? inGlossary(status) : status;
}
