/** The call that led to a journal entry. */

import type { JournalEntry } from "../store/journal.ts";
import type { PlacedCall } from "../store/requests.ts";
import type { World } from "../world/world.ts";

/** The call of the service that directly led to an entry; undefined where something else did. */
export function callBehind({ journal, requests }: World, entry: JournalEntry | undefined): PlacedCall | undefined {
  return requests.get(journal.get(entry?.cause ?? 0)?.subject ?? "");
}
