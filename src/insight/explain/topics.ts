/** What an id can stand for. */
import type { JournalEntry } from "../../store/journal.ts";
import type { Timer } from "../../store/timers.ts";
import type { Webhook } from "../../store/webhooks.ts";
import type { World } from "../../world/world.ts";

/** TABLE: what an id can stand for. */
export const topicTypes = [
  ...(["cashin", "cashout", "refund", "transfer", "conversion", "wallet", "dispute", "reply"] as const),
  ...(["webhook", "request", "account", "credential", "timer", "entry"] as const),
] as const;

/** What an id stands for. */
export type TopicType = (typeof topicTypes)[number];

/** A webhook as an explanation names it; its own explanation tells more. */
export type ToldWebhook = Pick<Webhook, "webhook_id" | "event" | "status">;

/** What the world holds about an id. */
export interface Topic {
  /** One sentence on what it is now. */
  readonly summary: string;
  /** Journal entries about it, oldest first. */
  readonly about: readonly JournalEntry[];
  /** Those that changed it; for what does not change, those that it stands for. */
  readonly changes: readonly JournalEntry[];
  /** What waits on the clock for it. */
  readonly pending: readonly Timer[];
  /** Of a resource: the webhooks about it. */
  readonly webhooks?: readonly ToldWebhook[];
  /** The entry whose effects are shown, for what has effects. */
  readonly origin?: JournalEntry;
}

/** One meaning of an id. */
export interface Reading {
  readonly type: TopicType;
  /** The id that stands for it and for nothing else, such as `reply_3` for the `3` of a reply. */
  readonly key: string;
  readonly topic: () => Topic;
}

/** Looks up whether an id stands for something of one kind; cheap, however large the world is. */
export type Reader = (world: World, id: string) => Reading | undefined;

/** A kind of resource as sentences name it: `cash-in`. */
export function resourceWord(type: string): string {
  return type.replace(/^cash(in|out)$/, "cash-$1");
}

/** What a call was refused for. */
export interface Grounds {
  readonly entries: readonly JournalEntry[];
  /** A sentence on them, if they do not speak for themselves. */
  readonly told?: string | undefined;
}
