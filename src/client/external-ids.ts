/** Finds who uses an external id: it is unique per account, and a call that repeats one makes nothing new (`D24`). */
import type { WorldClient } from "./world-client.ts";

/** What lists show of a resource that may have an external id; of a transfer, the account is the `sender`. */
interface Named {
  readonly external_id?: string | null;
  readonly username?: string;
  readonly sender?: string;
  readonly transaction_id?: string;
  readonly conversion_id?: string;
}

/** A resource by its id, and whether the default account made it. */
interface Owner {
  readonly id: string;
  readonly isOwn: boolean;
}

/** The resources with an external id, one per account at most; the first one is that of the default account, if any. */
export async function ownersOf(world: WorldClient, externalId: string): Promise<Owner[]> {
  // Most ids are unused: then no list is read.
  if (!(await world.find(`/explain/${encodeURIComponent(externalId)}`))) return [];
  const lists = [`/transactions?external_id=${encodeURIComponent(externalId)}`, "/transfers", "/conversions"];
  const all = (await Promise.all(lists.map((path) => world.all<Named>(path)))).flat();
  const [account] = (await world.info()).accounts;
  const owners = all
    .filter(({ external_id }) => external_id === externalId)
    .map(({ transaction_id, conversion_id, sender, username }) => ({
      id: transaction_id ?? conversion_id ?? "",
      isOwn: (sender ?? username) === account?.username,
    }));
  return owners.sort((left, right) => Number(right.isOwn) - Number(left.isOwn));
}

/** The id of the default account's resource with this external id; undefined if there is none. */
export async function ownerOf(world: WorldClient, externalId: string): Promise<string | undefined> {
  return (await ownersOf(world, externalId)).find(({ isOwn }) => isOwn)?.id;
}
