/** Who has an external id: it is unique per account, and one that is used makes nothing new (`D24`). */
import type { WorldClient } from "./world-client.ts";

/** What the lists of resources say of one that may have an external id; a transfer has a sender. */
interface Named {
  readonly external_id?: string | null;
  readonly username?: string;
  readonly sender?: string;
  readonly transaction_id?: string;
  readonly conversion_id?: string;
}

/** The id of the resource of the default account that has an external id; undefined where none has. */
export async function ownerOf(world: WorldClient, externalId: string): Promise<string | undefined> {
  // Most are nobody's: then no list is read.
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
