/** Ids of records and participants: webhooks, requests, accounts, credentials, timers, journal entries. */
import { required } from "../../domain/required.ts";
import type { WebhookStatus } from "../../domain/webhook-statuses.ts";
import { isOfCredentialBlock } from "../../domain/words/told-reasons.ts";
import type { Attempt } from "../../store/attempts.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { LoggedRequest, PlacedCall } from "../../store/logged-calls.ts";
import { placeOfTimer, type Timer } from "../../store/timers.ts";
import { PROBE, type Webhook } from "../../store/webhooks.ts";
import { releaseOf } from "../../webhooks/holding.ts";
import { formatInstant } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { objectIn } from "../json-object.ts";
import { ABOUT_LIMIT, ABOUT_READ, LOOKED_BACK, STRUCK_WITHIN } from "../reach.ts";
import { reasonsOf } from "../reasons.ts";
import { tellEntry } from "../sentences/entry-sentences.ts";
import { tellTimer } from "../sentences/timer-sentences.ts";
import { groundsOf } from "./grounds.ts";
import { originalOf } from "./originals.ts";
import { type Grounds, type Reader, type Reading, resourceWord, type Topic } from "./topics.ts";
import { entriesOnWebhooks } from "./webhook-entries.ts";

/** TABLE: readers of the ids of records. */
export const recordReaders: readonly Reader[] = [
  (world, id) => {
    const webhook = world.webhooks.get(id);
    return webhook && { type: "webhook", key: id, topic: () => webhookTopic(world, webhook) };
  },
  readProbed,
  readRequest,
  readAccount,
  readCredential,
  readTimer,
  readEntry,
];

/** The transaction that a probe made up: receivers were told of it, but only its webhook exists. */
function readProbed(world: World, id: string): Reading | undefined {
  const probe = world.webhooks.toldAs(id).find(({ subject_type }) => subject_type === PROBE);
  return probe && { type: "webhook", key: probe.webhook_id, topic: () => webhookTopic(world, probe) };
}

/** Most calls containing the text of an `external_id` that are searched for one which names it. */
const MOST_WITH_ID = 20;

/** The last call that named an `external_id`, if nothing was made under it. */
export function findRefused(world: World, id: string): Reading[] {
  const isMeant = ({ body }: LoggedRequest) => objectIn(body.toString())?.external_id === id;
  const request = world.requests.latestWith(JSON.stringify(id), LOOKED_BACK, MOST_WITH_ID).find(isMeant);
  const reading = request && readRequest(world, request.request_id);
  return reading ? [reading] : [];
}

function readRequest(world: World, id: string): Reading | undefined {
  const request = world.requests.get(id);
  return request && { type: "request", key: id, topic: () => requestTopic(world, request) };
}

/**
 * A call with why it was answered so: the fault that struck it, what it was refused for, or what had its external id.
 */
function requestTopic(world: World, request: PlacedCall): Topic {
  const { entry: sequence, request_id: id } = request;
  const entry = required(world.journal.get(sequence), `The journal entry of the call ${id}`);
  const topic = entryTopic(world, entry);
  const told = entry.data.lost ? "" : toldOf(request);
  const followers = world.journal.after(sequence, STRUCK_WITHIN);
  const struck = followers.filter(({ kind, cause }) => kind === "fault.injected" && cause === sequence);
  const about = [...topic.about, ...struck];
  // A refusal that a rule caused may be the one that gets its caller blocked.
  const isDecided = struck.some(hasDecided) && !isOfCredentialBlock(reasonsOf(request).message ?? "");
  const grounds: Grounds = isDecided ? { entries: [] } : groundsOf(world, request);
  const before = isDecided ? [] : originalOf(world, request);
  const summary = [topic.summary, told, grounds.told].filter(Boolean).join(" ");
  return { ...topic, summary, about, changes: [...grounds.entries, ...before, ...about] };
}

/** Whether a fault rule determined the answer, rather than delaying, cutting off or losing the service's own. */
function hasDecided({ data }: JournalEntry): boolean {
  const { error, status, disconnect } = (data.inject ?? {}) as Readonly<Record<string, unknown>>;
  return error !== undefined || status !== undefined || disconnect === "before";
}

/** The reason that an answer told its caller; empty if it told none. */
function toldOf(request: LoggedRequest): string {
  const { message, hint } = reasonsOf(request);
  // A hint may begin with what the message has said (`D18`).
  const words = message !== undefined && hint?.startsWith(message) ? hint : [message, hint].filter(Boolean).join(" ");
  return words === "" ? "" : `It was told: ${words}`;
}

function webhookTopic(world: World, webhook: Webhook): Topic {
  const { webhook_id, event, subject, subject_type, status, destination } = webhook;
  const told = entriesOnWebhooks(world, webhook, [webhook_id]);
  const byHand = world.journal.latestOf(webhook_id, ABOUT_LIMIT);
  const about = [...told, ...byHand].sort((left, right) => left.sequence - right.sequence);
  const summary = `Webhook ${event} about the ${resourceWord(subject_type)} ${subject}: ${status}.`;
  const attempt = status === "delivered" ? "" : tellLast(world.attempts.of(webhook_id));
  const pending = [...world.timers.of(webhook_id), ...releaseOf(world, webhook_id)];
  const going = destination === null ? undefined : goings[status];
  const where = going === undefined ? "" : ` ${going} ${destination}.`;
  const changes = status === "delivered" ? about : [...destinationChangeOf(world, webhook), ...about];
  return { summary: summary + where + attempt, about, changes, pending };
}

/** TABLE: how the destination is told, by status; it is not of one that has arrived, or is never sent. */
const goings: Readonly<Partial<Record<WebhookStatus, string>>> = {
  pending: "It goes to",
  throttled: "It goes to",
  exhausted: "It went to",
  undeliverable: "It went to",
};

/** That an attempt is under way, else how the last one failed or was answered; empty if there is none. */
function tellLast(attempts: readonly Attempt[]): string {
  const open = attempts.find(({ outcome }) => outcome === null);
  const sent = open?.duplicate ? "A further copy" : `Attempt ${open?.number}`;
  if (open) return ` ${sent} has been sent, and its answer is awaited.`;
  const attempt = attempts.at(-1);
  if (attempt?.error) return ` The last attempt failed: ${attempt.error.message}`;
  return attempt?.status ? ` The last attempt was answered ${attempt.status}.` : "";
}

/**
 * What gave a webhook its destination: the creation of its transaction, if that has one of its own, else the control
 * call or step that last gave the credential or, failing that, its account one before the event.
 */
function destinationChangeOf(world: World, { client_id, username, subject, entry }: Webhook): JournalEntry[] {
  const transaction = world.transactions.get(world.disputes.get(subject)?.transaction_id ?? subject);
  const made = transaction?.postback_url ? world.journal.firstOf(transaction.transaction_id) : undefined;
  if (made) return [made];
  const lastOf = (name: string) => {
    const changes = world.journal.latestOf(name, ABOUT_LIMIT, entry);
    return changes.findLast(({ data }) => Object.hasOwn(Object(data.input), "postback_url"));
  };
  const own = lastOf(client_id);
  // A credential whose destination was removed has its account's again (`D46`).
  const change = own && Object(own.data.input).postback_url !== null ? own : (lastOf(username) ?? own);
  return change ? [change] : [];
}

/** An account by its username, with what the journal knows of it. */
function readAccount(world: World, id: string): Reading | undefined {
  const account = world.accounts.get(id);
  if (!account) return undefined;
  const topic = () => {
    const about = world.journal.latestOf(id, ABOUT_READ);
    return { summary: `Account ${id} of ${account.name}: ${account.status}.`, about, changes: about, pending: [] };
  };
  return { type: "account", key: id, topic };
}

function readCredential(world: World, id: string): Reading | undefined {
  const credential = world.accounts.credential(id);
  if (!credential) return undefined;
  const { username } = credential;
  const topic = () => {
    const ofAccount = world.journal.latestOfKind(username, "credential.issued", ABOUT_LIMIT);
    const issued = ofAccount.filter(({ data }) => data.client_id === id);
    const about = [...issued, ...world.journal.latestOf(id, ABOUT_READ)];
    return { summary: `Credential ${id} of the account ${username}.`, about, changes: about, pending: [] };
  };
  return { type: "credential", key: id, topic };
}

function readTimer(world: World, id: string): Reading | undefined {
  const place = placeOfTimer(id);
  const timer = place && world.timers.get(place.due, place.sequence);
  return timer ? { type: "timer", key: id, topic: () => timerTopic(world, timer) } : undefined;
}

function timerTopic(world: World, timer: Timer): Topic {
  const cause = timer.cause === null ? undefined : world.journal.get(timer.cause);
  const changes = cause ? [cause] : [];
  const summary = `Due at ${formatInstant(timer.due)}: ${tellTimer(timer)}`;
  return { summary, about: changes, changes, pending: [timer] };
}

/** A sequence of the journal: `12`, or `entry_12` where another id is the same number. */
function readEntry(world: World, id: string): Reading | undefined {
  const [, digits] = /^(?:entry_)?(\d{1,15})$/.exec(id) ?? [];
  const entry = digits === undefined ? undefined : world.journal.get(Number(digits));
  return entry && { type: "entry", key: `entry_${entry.sequence}`, topic: () => entryTopic(world, entry) };
}

function entryTopic(world: World, entry: JournalEntry): Topic {
  const cause = entry.cause === null ? undefined : world.journal.get(entry.cause);
  return { summary: tellEntry(entry, cause), about: [entry], changes: [entry], pending: [], origin: entry };
}
