/** Calls of the service and the journal entries that they directly led to. */

import type { JournalEntry } from "../../store/journal.ts";
import type { LoggedRequest, PlacedCall } from "../../store/logged-calls.ts";
import type { World } from "../../world/world.ts";
import { STRUCK_WITHIN } from "../reach.ts";

/** The call of the service that directly led to an entry; undefined where something else did. */
export function callBehind({ journal, requests }: World, entry: JournalEntry | undefined): PlacedCall | undefined {
  return requests.get(journal.get(entry?.cause ?? 0)?.subject ?? "");
}

/** The first entry of what a call itself created; the answer that names its id may have been cut off by a fault. */
export function madeBy({ journal }: World, { entry }: LoggedRequest): JournalEntry | undefined {
  const behind = journal.ofKind("transition", entry, entry + STRUCK_WITHIN);
  return behind.find(({ cause, data }) => cause === entry && data.from === null);
}
