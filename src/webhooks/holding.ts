/** Webhooks held back to be sent out of order (fault `shuffle`). */
import type { Operation } from "../world/operation.ts";
import { ATTEMPT_TIMER } from "./schedule.ts";

/** Timer that lets go what is held though no more came. */
export const RELEASE_TIMER = "webhook.release";

/** No webhook is lost: what waits in vain for others to be shuffled with is sent after so long. */
export const LONGEST_HOLD_MS = 60_000;

const KEY = "held";

type Held = Readonly<Record<string, readonly string[]>>;

/** Holds a webhook with its group, and lets them go once there are `count`. */
export function hold(operation: Operation, group: string, count: number, webhookId: string): void {
  const { meta } = operation.world;
  const all = meta.get<Held>(KEY) ?? {};
  const held = [...(all[group] ?? []), webhookId];
  meta.set(KEY, { ...all, [group]: held });
  if (held.length >= count) release(operation, group);
  else if (held.length === 1)
    operation.schedule({ due: operation.now + LONGEST_HOLD_MS, kind: RELEASE_TIMER, subject: group });
}

/** Puts what a group holds on the clock, due now, in seeded random order. */
export function release(operation: Operation, group: string): void {
  const { meta, timers, random } = operation.world;
  const { [group]: held = [], ...others } = meta.get<Held>(KEY) ?? {};
  meta.set(KEY, others);
  timers.removeOf(group, RELEASE_TIMER);
  const drawn = held.map((webhookId) => ({ webhookId, draw: random.fraction("shuffle", webhookId) }));
  drawn.sort((left, right) => left.draw - right.draw);
  if (held.length === 0) return;
  const order = drawn.map(({ webhookId }) => webhookId);
  const caused = operation.because(operation.record("webhook.released", null, { webhooks: order }));
  for (const subject of order) caused.schedule({ due: operation.now, kind: ATTEMPT_TIMER, subject });
}
