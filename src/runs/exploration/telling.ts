/** Describes a failing play: the changes, what the receiver got, and what failed. */
import { formatInstant } from "../../world/instants.ts";
import { type Change, changeWords, type Plan, targetKey } from "./changes.ts";
import { type Arrival, answerWords, type SeenWebhook } from "./witness.ts";

/** The most lines shown of a kind. */
const SHOWN_LINES = 20;

/** The description of a failing play. */
export interface Told {
  /** Such as `cashin.confirmed evt_… is delivered twice`. */
  readonly changes: readonly string[];
  /** What the receiver got from when a changed webhook was created until it last came, in order. */
  readonly arrivals: readonly { at: string; event: string; webhook_id: string; text: string }[];
  /** What failed. */
  readonly faults: readonly string[];
}

/** Describes a play. */
export function describePlay(
  plan: Plan,
  play: { webhooks: readonly SeenWebhook[]; arrivals: readonly Arrival[]; faults: readonly string[] },
): Told {
  const changed = plan.flatMap((change) => {
    const key = targetKey(change.target);
    const webhook = play.webhooks.find(({ target }) => target !== null && targetKey(target) === key);
    if (!webhook) return [];
    const behind = overtaken(change, webhook, play.arrivals);
    return [{ webhook, text: `${nameOf(webhook)} ${changeWords(change)}${behind}` }];
  });
  const stretches = changed.map(({ webhook }) => stretchOf(webhook, play.arrivals));
  const meanwhile = play.arrivals.filter(({ at }) => stretches.some(({ from, to }) => from <= at && at <= to));
  const arrivals = meanwhile.map((arrival) => {
    const { event, webhook_id } = arrival.webhook;
    const text = `${nameOf(arrival.webhook)} ${answerWords(arrival)}`;
    return { at: formatInstant(arrival.at), event, webhook_id, text };
  });
  return { changes: changed.map(({ text }) => text), arrivals, faults: play.faults };
}

/** Says after which webhook a late one came. */
function overtaken({ kind }: Change, { webhook_id }: SeenWebhook, arrivals: readonly Arrival[]): string {
  if (kind !== "late") return "";
  const own = arrivals.findIndex(({ webhook }) => webhook.webhook_id === webhook_id);
  const before = arrivals[own - 1];
  return before ? `, after ${nameOf(before.webhook)}` : "";
}

function nameOf({ event, webhook_id }: SeenWebhook): string {
  return `${event} ${webhook_id}`;
}

/** The time from the creation of a webhook until it last came. */
function stretchOf({ webhook_id, at }: SeenWebhook, arrivals: readonly Arrival[]): { from: number; to: number } {
  const last = arrivals.findLast(({ webhook }) => webhook.webhook_id === webhook_id);
  return { from: at, to: last?.at ?? at };
}

/** Lines for people. */
export function linesOf({ changes, arrivals, faults }: Told): string[] {
  const came = arrivals.map(({ at, text }) => `${at} ${text}`);
  return [
    ...listed(changes),
    ...(came.length > 0 ? ["what came to the receiver meanwhile:", ...listed(came)] : []),
    "what failed:",
    ...listed(faults),
  ];
}

/** The first lines, indented, and how many more there are. */
export function listed(lines: readonly string[]): string[] {
  const more = lines.length > SHOWN_LINES ? [`  … and ${lines.length - SHOWN_LINES} more`] : [];
  return [...lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`), ...more];
}
