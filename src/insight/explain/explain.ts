/** `GET /explain/{id}`: what led to the present state of an id, down to the call or the line of a scenario file. */
import type { JournalEntry } from "../../store/journal.ts";
import { type Timer, timerId } from "../../store/timers.ts";
import { formatInstant } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { ABOUT_LIMIT } from "../reach.ts";
import { callOf, tellEntry } from "../sentences/entry-sentences.ts";
import { tellTimer } from "../sentences/timer-sentences.ts";
import { Causes, type LeftOut } from "./causes.ts";
import { effectsOf } from "./effects.ts";
import { readingsOf } from "./readings.ts";
import type { ToldWebhook, TopicType } from "./topics.ts";

/** One link of a chain: a journal entry with its sentence. */
export interface ExplainedEntry {
  readonly sequence: number;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  /** The sequence of the entry that led to it; null for a root. */
  readonly cause: number | null;
  /** One sentence. */
  readonly text: string;
  /** `file:line` of the scenario's rule or step. */
  readonly rule: string | null;
  /** The call of the service or of the control interface that the entry records. */
  readonly call: string | null;
  readonly request_id: string | null;
}

/** An entry of the history with its origin in short: a rule's `file:line`, or a call. */
export interface HistoryEntry extends ExplainedEntry {
  readonly root: string;
}

/** Something that waits on the clock. */
export interface PendingTimer {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly rule: string | null;
  readonly cause: number | null;
}

/** The answer of `GET /explain/{id}`. */
export interface Explanation {
  readonly id: string;
  readonly type: TopicType;
  /** One sentence on what it is now. */
  readonly summary: string;
  /** Everything that changed it and all that led to that, from the root on. */
  readonly chain: readonly ExplainedEntry[];
  /** Present only if links in the middle are left out: how many, and the sequence of the link before them. */
  readonly chain_truncated?: LeftOut;
  /** Everything that the journal has about it, in order. */
  readonly history: readonly HistoryEntry[];
  /** Present only if older entries are left out. */
  readonly history_truncated?: true;
  /** What waits on the clock for it. */
  readonly pending: readonly PendingTimer[];
  /** Of a resource: the webhooks about it, each with an explanation of its own. */
  readonly webhooks?: readonly ToldWebhook[];
  /** Of a request or an entry: what it brought about. */
  readonly led_to?: readonly ExplainedEntry[];
  /** Present only if it may have brought about more than is shown. */
  readonly led_to_truncated?: true;
  /** What else the id stands for, each with an id that stands for nothing else. */
  readonly also?: readonly { readonly type: TopicType; readonly id: string }[];
}

/**
 * Explains an id: of a resource, a refund, a dispute's reply, a webhook, a request, an account, a credential or a
 * timer, the sequence of a journal entry, a merchant's own `external_id`, or a payment's `e2e_id` or `tx_hash`.
 * @returns undefined if the world knows no such id.
 */
export function explain(world: World, id: string): Explanation | undefined {
  const [reading, ...others] = readingsOf(world, id);
  if (!reading) return undefined;
  const { summary, about, changes, pending, webhooks, origin } = reading.topic();
  const causes = new Causes(world);
  const { chain, leftOut } = causes.chainTo(changes);
  const shown = (entry: JournalEntry) => explained(entry, causes);
  const history = about
    .slice(-ABOUT_LIMIT)
    .map((entry) => ({ ...shown(entry), root: originText(causes.originOf(entry)) }));
  return {
    id,
    type: reading.type,
    summary,
    chain: chain.map(shown),
    ...(leftOut ? { chain_truncated: leftOut } : {}),
    history,
    ...(about.length > ABOUT_LIMIT ? { history_truncated: true } : {}),
    pending: pending.map(pendingTimer),
    ...(webhooks ? { webhooks } : {}),
    ...(origin ? ledTo(world, origin, shown) : {}),
    ...(others.length > 0 ? { also: others.map(({ type, key }) => ({ type, id: key })) } : {}),
  };
}

function ledTo(world: World, origin: JournalEntry, shown: (entry: JournalEntry) => ExplainedEntry) {
  const { effects, truncated } = effectsOf(world, origin);
  return { led_to: effects.map(shown), ...(truncated ? { led_to_truncated: true as const } : {}) };
}

function explained(entry: JournalEntry, causes: Causes): ExplainedEntry {
  const { sequence, at, kind, subject, cause, rule } = entry;
  return {
    sequence,
    at: formatInstant(at),
    kind,
    subject,
    cause,
    text: tellEntry(entry, causes.causeOf(entry)),
    rule,
    call: callOf(entry),
    request_id: kind === "request" ? subject : null,
  };
}

function originText(origin: JournalEntry): string {
  return origin.rule ?? callOf(origin) ?? origin.kind;
}

function pendingTimer(timer: Timer): PendingTimer {
  const { due, kind, rule, cause } = timer;
  return { id: timerId(timer), at: formatInstant(due), kind, text: tellTimer(timer), rule, cause };
}
