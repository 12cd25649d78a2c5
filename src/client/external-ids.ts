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

/** The id of the default account's resource with this external id; undefined if there is none. */
export async function ownerOf(world: WorldClient, externalId: string): Promise<string | undefined> {
  // Most ids are unused: then no list is read.
  if (!(await world.find(`/explain/${encodeURIComponent(externalId)}`))) return undefined;
  const [account] = (await world.info()).accounts;
  for (const path of ["/transactions", "/transfers", "/conversions"]) {
    const owner = (await world.all<Named>(path)).find(
      ({ external_id, username, sender }) => external_id === externalId && (sender ?? username) === account?.username,
    );
    if (owner) return owner.transaction_id ?? owner.conversion_id;
  }
  return undefined;
}
