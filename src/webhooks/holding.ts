/** Webhooks held back to be sent out of order (fault `shuffle`). */

import { ATTEMPT_TIMER, LONGEST_HOLD_MS } from "../domain/webhook-schedule.ts";
import type { Timer } from "../store/timers.ts";
import { type Instant, LAST_INSTANT } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";

/** Timer that releases a group that did not fill up. */
export const RELEASE_TIMER = "webhook.release";

const KEY = "held";

type Held = Readonly<Record<string, readonly string[]>>;

/** Holds a webhook with its group, and releases the group once it has `count`. */
export function hold(operation: Operation, group: string, count: number, webhookId: string): void {
  const { meta, timers, webhooks } = operation.world;
  const all = meta.get<Held>(KEY) ?? {};
  const held = [...(all[group] ?? []), webhookId];
  meta.set(KEY, { ...all, [group]: held });
  if (held.length >= count) {
    release(operation, group);
    return;
  }
  const [waiting] = timers.of(group);
  const { due } = waiting ?? operation.schedule({ due: lastOf(operation), kind: RELEASE_TIMER, subject: group });
  webhooks.setStatus(webhookId, "pending", due);
}

/** The timer that will release a webhook; empty if it is not held, or was delivered by hand meanwhile. */
export function releaseOf({ meta, timers, webhooks }: World, webhookId: string): Timer[] {
  const groups = Object.entries(meta.get<Held>(KEY) ?? {});
  const [group] = groups.find(([, held]) => held.includes(webhookId)) ?? [];
  return group !== undefined && webhooks.get(webhookId)?.status === "pending" ? timers.of(group) : [];
}

function lastOf({ now }: Operation): Instant {
  return Math.min(now + LONGEST_HOLD_MS, LAST_INSTANT);
}

/** Puts the webhooks of a group on the clock, due now, in seeded random order, except those delivered by hand. */
export function release(operation: Operation, group: string): void {
  const { meta, timers, random, webhooks } = operation.world;
  const { [group]: held = [], ...others } = meta.get<Held>(KEY) ?? {};
  meta.set(KEY, others);
  timers.removeOf(group, RELEASE_TIMER);
  const waiting = held.filter((webhookId) => webhooks.get(webhookId)?.status === "pending");
  const drawn = waiting.map((webhookId) => ({ webhookId, draw: random.fraction("shuffle", webhookId) }));
  drawn.sort((left, right) => left.draw - right.draw);
  if (drawn.length === 0) return;
  const order = drawn.map(({ webhookId }) => webhookId);
  const caused = operation.because(operation.record("webhook.released", null, { webhooks: order }));
  for (const webhookId of order) {
    caused.schedule({ due: operation.now, kind: ATTEMPT_TIMER, subject: webhookId });
    webhooks.setStatus(webhookId, "pending", operation.now);
  }
}
