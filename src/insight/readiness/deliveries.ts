/** Deliveries to the merchant's receivers, as they are judged. */
import { INBOX } from "../../domain/destinations.ts";
import type { AttemptTrace } from "../../store/attempts.ts";
import { everyRow } from "../../store/pages.ts";
import { PROBE, type Webhook } from "../../store/webhooks.ts";
import type { World } from "../../world/world.ts";

/** A webhook with its attempts that have ended. */
export interface Delivered extends Omit<Webhook, "body"> {
  /** The address of the merchant's receiver that it is for; null for the inbox, and where there is none. */
  readonly receiver: string | null;
  readonly attempts: readonly Tried[];
}

/** An attempt to reach a receiver of the merchant's own, with its webhook. */
export interface Tried extends AttemptTrace {
  readonly webhook: Delivered;
  /**
   * That of a whole answer; null also if one was broken off, which neither takes a webhook nor refuses it. Of an answer
   * that an exploration kept back, no more is known than that it was 2xx.
   */
  readonly status: number | null;
  /** Whether the receiver had taken the webhook before. */
  readonly again: boolean;
}

/** All webhooks of a world, and all attempts at the merchant's receivers, both in their order. */
export function deliveriesIn(world: World): { webhooks: Delivered[]; tried: Tried[] } {
  const known = new Map<string, Delivered & { receiver: string | null; attempts: Tried[] }>();
  for (const row of everyRow("position", (after, limit) => world.webhooks.traces(after, limit))) {
    const receiver = row.destination === INBOX ? null : row.destination;
    known.set(row.webhook_id, Object.assign(row, { receiver, attempts: [] }));
  }
  const inInbox = new Set<Delivered>();
  /** By credential: the receiver that its webhooks went to before a replay redirected them to the inbox. */
  const redirected = new Map<string, string>();
  const tried: Tried[] = [];
  for (const row of everyRow("position", (after, limit) => world.attempts.traces(after, limit))) {
    const webhook = known.get(row.webhook_id);
    if (!webhook) continue;
    if (row.destination === INBOX) {
      inInbox.add(webhook);
      continue;
    }
    const attempt = Object.assign(row, { status: statusOf(row), webhook, again: webhook.attempts.some(isTaken) });
    webhook.attempts.push(attempt);
    tried.push(attempt);
    if (webhook.destination === INBOX) redirected.set(webhook.client_id, row.destination);
  }
  const webhooks = [...known.values()];
  for (const webhook of webhooks) {
    if (webhook.destination !== INBOX) continue;
    const others = inInbox.has(webhook) ? undefined : redirected.get(webhook.client_id);
    webhook.receiver = webhook.attempts.at(-1)?.destination ?? others ?? null;
  }
  return { webhooks, tried };
}

function statusOf({ status, error }: AttemptTrace): number | null {
  if (error?.kind === "answer_lost") return 200;
  return error === null ? status : null;
}

/** Whether the receiver answered 2xx. */
export function isTaken({ status }: Pick<Tried, "status">): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Whether the receiver refused it; a redirection, which nobody follows, does not count as a refusal (D63). */
export function isRefused({ status }: Tried): boolean {
  return status !== null && status >= 400 && status < 500;
}

/** Whether it was sent from the service's own address, not from a wrong one. */
export function isGenuine({ source }: AttemptTrace): boolean {
  return source === null;
}

/** Whether a webhook is a probe, made up to see how a receiver takes it: it is no event of the world. */
export function isMadeUp({ subject_type }: Pick<Webhook, "subject_type">): boolean {
  return subject_type === PROBE;
}

/** The ids of webhooks, or of the webhooks of attempts, each once. */
export function webhookIdsOf(webhooks: readonly Pick<Webhook, "webhook_id">[]): string[] {
  return [...new Set(webhooks.map(({ webhook_id }) => webhook_id))];
}
