/** The candidates of an expectation: events, webhooks, transactions and disputes, read only as far as needed. */
import { disputeFields } from "../service/disputes.ts";
import { transactionFields } from "../service/transactions.ts";
import type { EventFilter, StoredEvent } from "../store/events.ts";
import { everyRow } from "../store/pages.ts";
import { type Transaction, type TransactionColumns, transactionColumns } from "../store/transactions.ts";
import { formatInstant } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { isMetByItselfAlone } from "./conditions.ts";

/** The fields that `where` looks at. */
export type Fields = Readonly<Record<string, unknown>>;

/** A webhook, transaction or dispute. */
export interface Candidate {
  readonly id: string;
  /** When it came; for a resource, when it was created. */
  readonly at: number;
  readonly fields: Fields;
}

/** Which events an expectation may be about. */
export type Sought = Omit<EventFilter, "text"> & { readonly where: Fields };

/** TABLE: fields of a webhook beside those of its event. */
export const ofWebhooks: readonly string[] = ["webhook_id", "event", "client_id", "webhook_status"];

/** TABLE: fields of the attempts to deliver an event. */
export const ofAttempts: readonly string[] = ["attempts", "first_attempt_at", "last_attempt_at"];

/** Fields that are not in the body of an event, or that override those in the body. */
const ENVELOPE = [...ofWebhooks, "username", ...ofAttempts];

/** TABLE: fields of webhooks that their delivery changes. */
export const deliveryFields: readonly string[] = ["webhook_status", ...ofAttempts];

/** How many there are, and the first few of them, to be shown. */
export interface Counted {
  readonly count: number;
  readonly first: readonly Candidate[];
}

/** Counts events, whatever their fields. @param most how many of the first ones to give. */
export function countEvents({ events }: World, sought: Sought, most: number): Counted {
  const filter = { ...sought, text: null };
  const first = events.after(0, most, filter).map((row) => ({ id: row.webhook_id, at: row.created_at, fields: {} }));
  return { count: first.length < most ? first.length : events.count(filter), first };
}

/** Counts the transactions that meet `where`; null if the table cannot be filtered by all of `where`. */
export function countTransactions({ transactions }: World, where: Fields, most: number): Counted | null {
  const filter = narrowing(where);
  if (Object.keys(filter).length < Object.keys(where).length) return null;
  const first = transactions.after(0, most, filter).map(({ transaction: { transaction_id: id, created_at: at } }) => {
    return { id, at, fields: {} };
  });
  return { count: first.length < most ? first.length : transactions.count(filter), first };
}

/** The events that may meet `where`; each must still be checked. */
export function* eventsIn(world: World, sought: Sought): Generator<Candidate> {
  yield* eventsWith(world, sought, textIn(sought.where));
}

/** Like {@link eventsIn}, but with events that cannot meet `where`, to find the nearest one. */
export function* eventsLike(world: World, sought: Sought): Generator<Candidate> {
  yield* eventsWith(world, sought, null);
}

function* eventsWith(world: World, sought: Sought, text: string | null): Generator<Candidate> {
  const looksAtAttempts = ofAttempts.some((name) => name in sought.where);
  const filter = { ...sought, text };
  for (const row of everyRow("position", (after, limit) => world.events.after(after, limit, filter))) {
    const attempts = looksAtAttempts ? attemptFields(world, row.webhook_id) : {};
    yield { id: row.webhook_id, at: row.created_at, fields: { ...fieldsOf(row), ...attempts } };
  }
}

/** A text, in JSON notation, that the body of every event that meets `where` contains; null if there is none. */
function textIn(where: Fields): string | null {
  for (const [path, condition] of Object.entries(where)) {
    if (ENVELOPE.includes(path) || !isMetByItselfAlone(condition)) continue;
    return JSON.stringify(condition).slice(1, -1);
  }
  return null;
}

function fieldsOf({ body, username, webhook_id, event, status, client_id }: StoredEvent): Fields {
  const content = JSON.parse(body.toString()) as { transaction_id: string; data?: Fields };
  // Events of conversions and wallets have it in the envelope alone.
  const { transaction_id, data = content } = content;
  return { webhook_id, event, client_id, transaction_id, ...data, username, webhook_status: status };
}

/** How often a webhook was sent, and when first and last. */
function attemptFields(world: World, webhookId: string): Fields {
  const instants = world.attempts.instantsOf(webhookId);
  const instantOf = (at: number | undefined) => (at === undefined ? null : formatInstant(at));
  return {
    attempts: instants.length,
    first_attempt_at: instantOf(instants[0]),
    last_attempt_at: instantOf(instants.at(-1)),
  };
}

/** The resources of a kind: the one with the id, or those that may meet `where`. */
export function* resourcesIn(world: World, kind: string, id: string | null, where: Fields): Generator<Candidate> {
  if (kind === "dispute") yield* disputesIn(world, id);
  else yield* transactionsIn(world, id, where);
}

function* transactionsIn(world: World, id: string | null, where: Fields): Generator<Candidate> {
  for (const transaction of id === null ? transactionsLike(world, where) : oneTransaction(world, id)) {
    const refunded = world.currencies.format(transaction.refunded, transaction.currency);
    const fields = { ...transactionFields(world, transaction), amount_refunded: refunded };
    yield { id: transaction.transaction_id, at: transaction.created_at, fields };
  }
}

function oneTransaction(world: World, id: string): Transaction[] {
  const transaction = world.transactions.get(id);
  return transaction ? [transaction] : [];
}

function* transactionsLike(world: World, where: Fields): Generator<Transaction> {
  const filter = narrowing(where);
  const rows = everyRow("position", (after, limit) => world.transactions.after(after, limit, filter));
  for (const { transaction } of rows) yield transaction;
}

/** The part of `where` that the table of transactions can be filtered by. */
function narrowing(where: Fields): TransactionColumns {
  const columns = transactionColumns.map((name) => [name, where[name]] as const);
  return Object.fromEntries(columns.filter(([, condition]) => isMetByItselfAlone(condition)));
}

function* disputesIn(world: World, id: string | null): Generator<Candidate> {
  for (const row of everyRow("position", (after, limit) => world.disputes.after(after, limit))) {
    if (id !== null && row.infraction_id !== id) continue;
    const fields = { ...disputeFields(world, row), username: row.username };
    yield { id: row.infraction_id, at: row.created_at, fields };
  }
}
