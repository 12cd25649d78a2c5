/** The resource that an event is to be triggered on, found by what a test calls it. */
import { ownersOf } from "./external-ids.ts";
import { TriggerError } from "./trigger-error.ts";
import type { WorldClient } from "./world-client.ts";

/** A resource as the control interface shows it. */
export interface Resource {
  readonly status: string;
  /** Only of transactions: `cashin` or `cashout`. */
  readonly type?: string;
  /** Only of wallets, which can also be found by the id that webhook envelopes have for them. */
  readonly wallet_id?: number;
  readonly actions: readonly string[];
}

/** A resource: its collection in the control interface, and its id there. */
export interface Target {
  readonly collection: string;
  readonly id: string;
}

/** A resource that is there. */
export interface Found extends Target {
  readonly resource: Resource;
}

const COLLECTIONS = ["transactions", "disputes", "conversions", "wallets", "transfers"] as const;

/**
 * Finds a resource of any kind by its id or its `external_id`; of several, that of the default account is meant.
 * @throws {TriggerError}
 */
export async function find(world: WorldClient, name: string): Promise<Found> {
  const found = (await findById(world, name)) ?? (await findById(world, (await ownersOf(world, name))[0]?.id));
  if (found) return found;
  throw new TriggerError(`There is no transaction, dispute, conversion, wallet or transfer ${JSON.stringify(name)}.`);
}

async function findById(world: WorldClient, id: string | undefined): Promise<Found | undefined> {
  if (id === undefined) return undefined;
  for (const collection of COLLECTIONS) {
    const resource = await world.find<Resource>(`/${collection}/${encodeURIComponent(id)}`);
    if (resource) return { collection, id, resource };
  }
  return undefined;
}

/** The id of the last dispute of a transaction. @throws {TriggerError} if it has none. */
export async function disputeOf(world: WorldClient, transactionId: string): Promise<string> {
  const dispute = await lastDispute(world, transactionId);
  if (dispute) return dispute;
  throw new TriggerError(`The transaction ${transactionId} has no dispute.`);
}

/** The id of the last dispute of a transaction; undefined if it has none. */
export async function lastDispute(world: WorldClient, transactionId: string): Promise<string | undefined> {
  const disputes = await world.all<{ infraction_id: string; transaction_id: string }>("/disputes");
  return disputes.findLast(({ transaction_id }) => transaction_id === transactionId)?.infraction_id;
}
