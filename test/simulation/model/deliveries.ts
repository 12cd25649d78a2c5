/** Events of the model and their way to the receiver: outbox, attempts, retries, rate, fault rules. */
import { MINUTE, SECOND } from "./facts.ts";
import type { FaultRule, State, Timer, Webhook } from "./state.ts";
import { schedule } from "./timers.ts";

/** TABLE: the wait before each attempt (Delivery, Retries). */
const RETRY_WAITS = [0, SECOND, 5 * SECOND, 30 * SECOND, 120 * SECOND, 600 * SECOND];
const THROTTLED_FOR = 120 * SECOND;

/** TABLE: names of the glossary (D55). */
const LEGACY: Readonly<Record<string, string>> = {
  "chargeback.confirmed": "refund_confirmed",
  "chargeback.responded": "refund_responded",
};

/** Whom an event is told. */
interface Told {
  readonly username: string;
  readonly client: string;
  /** Of the transaction, where it has one of its own. */
  readonly postback?: string | null;
}

/** Something happened that merchants are told of. */
export function emit(state: State, event: string, told: Told, fields: Readonly<Record<string, unknown>>): void {
  enqueue(state, event, told, fields);
  const legacy = state.settings.legacy_refund_events ? LEGACY[event] : undefined;
  if (legacy) enqueue(state, legacy, told, fields);
}

function enqueue(state: State, event: string, told: Told, fields: Readonly<Record<string, unknown>>): void {
  const destination = told.postback ?? defaultDestination(state, told.client);
  const struck = destination === null ? undefined : strike(state, "delivery", event);
  const isDropped = struck?.inject.drop === true;
  const { username, client } = told;
  const place = state.webhooks.push({
    id: null,
    event,
    username,
    client,
    destination,
    createdAt: state.now,
    fields,
    status: destination === null ? "undeliverable" : isDropped ? "dropped" : "pending",
    nextAt: destination === null || isDropped ? null : state.now,
    firstAt: null,
    backFrom: null,
    made: 0,
  });
  state.told.push(event);
  if (destination !== null && !isDropped) send(state, place - 1, struck);
}

function send(state: State, place: number, struck: FaultRule | undefined): void {
  const { delay, duplicate, source, shuffle } = struck?.inject ?? {};
  if (struck && typeof shuffle === "number") {
    hold(state, struck.group, shuffle, place);
    return;
  }
  const at = state.now + (typeof delay === "string" ? Number(delay.slice(0, -1)) * SECOND : 0);
  schedule(state, { at, kind: "attempt", subject: place, ...(source === undefined ? {} : { forged: true }) });
  webhookOf(state, place).nextAt = at;
  for (let copy = 0; copy < Number(duplicate ?? 0); copy++) {
    schedule(state, { at, kind: "attempt", subject: place, further: true });
  }
}

/** Held back until so many are there, or for a minute: no webhook is lost. */
function hold(state: State, group: number, count: number, place: number): void {
  const held = [...(state.held[group] ?? []), place];
  state.held[group] = held;
  if (held.length >= count) {
    release(state, group);
    return;
  }
  const waiting = state.timers.find(({ kind, subject }) => kind === "release" && subject === group);
  const at = waiting?.at ?? state.now + MINUTE;
  if (!waiting) schedule(state, { at, kind: "release", subject: group });
  webhookOf(state, place).nextAt = at;
}

/** What a rule has held goes on its way, in whatever order; what was delivered by hand meanwhile does not. */
export function release(state: State, group: number): void {
  const waiting = (state.held[group] ?? []).filter((place) => webhookOf(state, place).status === "pending");
  state.held[group] = [];
  state.timers = state.timers.filter(({ kind, subject }) => kind !== "release" || subject !== group);
  for (const place of waiting) {
    schedule(state, { at: state.now, kind: "attempt", subject: place });
    webhookOf(state, place).nextAt = state.now;
  }
}

/** The destination of a credential, that of its account where it has none (D46). */
export function defaultDestination({ credentials, accounts }: State, client: string): string | null {
  const credential = credentials.find(({ id }) => id === client);
  const account = accounts.find(({ username }) => username === credential?.username);
  return credential?.postback ?? account?.postback ?? null;
}

/** The first rule that strikes; it is counted. */
export function strike(state: State, what: "request" | "delivery", name: string): FaultRule | undefined {
  return state.faults.find((rule) => {
    const pattern = rule[what];
    const isMeant =
      pattern !== undefined && new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*")}$`).test(name);
    if (!isMeant || (rule.endsAt !== null && state.now >= rule.endsAt)) return false;
    rule.matched++;
    if (rule.matched <= (rule.skip ?? 0) || rule.fired >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
    rule.fired++;
    return true;
  });
}

/** An attempt is due (Delivery; D60 to D62). */
export function attempt(state: State, timer: Timer): void {
  const webhook = webhookOf(state, timer.subject);
  if (webhook.destination === null) return;
  const isFull = isOverRate(state, webhook);
  const behind = isFull || timer.further ? null : comesAgainBehind(state, webhook);
  if (isFull || behind !== null) {
    putBack(state, webhook, timer, behind ?? state.now + THROTTLED_FOR);
    return;
  }
  if (!timer.further) webhook.backFrom = null;
  if (!timer.further) webhook.made++;
  webhook.firstAt ??= state.now;
  const isTaken = deliver(state, timer.subject, { isForged: timer.forged === true });
  if (timer.further) return;
  if (isTaken) {
    webhook.status = "delivered";
    webhook.nextAt = null;
  } else retry(state, webhook, timer.subject);
}

/** Exactly one attempt now, outside schedule and rate. */
export function redeliver(state: State, place: number): void {
  const webhook = webhookOf(state, place);
  webhook.destination ??= defaultDestination(state, webhook.client);
  if (!deliver(state, place, { byHand: true })) return;
  webhook.status = "delivered";
  webhook.nextAt = null;
  state.timers = state.timers.filter(({ kind, subject }) => kind !== "attempt" || subject !== place);
}

function deliver(state: State, place: string | number, { isForged = false, byHand = false }): boolean {
  const { client, destination } = webhookOf(state, place);
  if (destination === null) return false;
  state.attempts.push({ webhook: Number(place), client, at: state.now, destination, byHand });
  return !isForged && (destination === "sandbox://inbox" || state.receiver === "takes");
}

function retry(state: State, webhook: Webhook, place: string | number): void {
  if (webhook.status === "delivered") return;
  const wait = RETRY_WAITS[webhook.made];
  if (wait === undefined) {
    webhook.status = "exhausted";
    webhook.nextAt = null;
    return;
  }
  const isFromFirst = state.settings.retry_base === "first";
  const at = isFromFirst ? Math.max((webhook.firstAt ?? state.now) + wait, state.now) : state.now + wait;
  schedule(state, { at, kind: "attempt", subject: place });
  webhook.status = "pending";
  webhook.nextAt = at;
}

/** More than the rate within a sliding minute; what is sent by hand is outside it (Delivery, Outbound rate; D61). */
function isOverRate({ attempts, now, settings }: State, { client }: Webhook): boolean {
  const recent = attempts.filter((made) => !made.byHand && made.client === client && made.at > now - MINUTE);
  return recent.length >= settings.webhook_rate;
}

/** Those that were put back keep their order (D61): when the one before comes again; null where none is to come. */
function comesAgainBehind({ webhooks, now }: State, { client, backFrom }: Webhook): number | null {
  if (backFrom === null) return null;
  const before = webhooks.filter((other) => {
    const isBefore = other.client === client && other.backFrom !== null && other.backFrom < backFrom;
    return isBefore && other.status === "throttled" && (other.nextAt ?? 0) >= now;
  });
  const last = before.toSorted((one, other) => (other.backFrom ?? 0) - (one.backFrom ?? 0))[0];
  return last?.nextAt ?? null;
}

function putBack(state: State, webhook: Webhook, { subject, further, forged }: Timer, at: number): void {
  schedule(state, { at, kind: "attempt", subject, ...(further ? { further } : {}), ...(forged ? { forged } : {}) });
  if (further) return;
  webhook.status = "throttled";
  webhook.nextAt = at;
  webhook.backFrom ??= Math.max(0, ...state.webhooks.map(({ backFrom }) => backFrom ?? 0)) + 1;
}

function webhookOf({ webhooks }: State, place: string | number): Webhook {
  const webhook = webhooks[Number(place)];
  if (!webhook) throw new Error(`The model knows no webhook ${place}.`);
  return webhook;
}
