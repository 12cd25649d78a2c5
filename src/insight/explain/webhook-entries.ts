import type { JournalEntry } from "../../store/journal.ts";
import type { Webhook } from "../../store/webhooks.ts";
import type { World } from "../../world/world.ts";
import { ABOUT_LIMIT } from "../reach.ts";

/**
 * The entries under the subject of a webhook that tell of any of these webhooks, oldest first. A subject may have a
 * great many others between them: a fixed wallet has each of its deposits.
 */
export function entriesOnWebhooks(
  { journal }: World,
  { subject, entry }: Pick<Webhook, "subject" | "entry">,
  ids: readonly string[],
): JournalEntry[] {
  const first = journal.after(entry - 1, ABOUT_LIMIT, { subject });
  const end = first.at(-1)?.sequence ?? 0;
  const hasMore = first.length === ABOUT_LIMIT;
  const latest = hasMore ? journal.latestOf(subject, ABOUT_LIMIT).filter(({ sequence }) => sequence > end) : [];
  return [...first, ...latest].filter(({ data }) => ids.includes(String(data.webhook_id)));
}
