/** What a call that reuses an external id is answered with: the creation of the resource that has the id. */

import { moneyOperations } from "../../domain/service-calls.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { LoggedRequest } from "../../store/logged-calls.ts";
import type { World } from "../../world/world.ts";
import { objectIn } from "../json-object.ts";

/** The entry that created it (`D24`); none for a call that created it itself, or was answered with something else. */
export function originalOf(world: World, request: LoggedRequest): JournalEntry[] {
  const { client_id, path, body, entry, status, error_code } = request;
  if (!Object.hasOwn(moneyOperations, path) || (status >= 300 && error_code !== "DUPLICATE_EXTERNAL_ID")) return [];
  const username = client_id === null ? undefined : world.accounts.credential(client_id)?.username;
  const externalId = objectIn(body.toString())?.external_id;
  if (username === undefined || typeof externalId !== "string") return [];
  const used = world.externalIds.get(username, externalId);
  const made = used && world.journal.firstOf(used.resource_id);
  return made?.data.from === null && made.sequence < entry ? [made] : [];
}
