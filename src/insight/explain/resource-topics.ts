/** Ids of resources: their present state, and the journal entries about them. */
import type { LifecycleName } from "../../domain/lifecycles.ts";
import type { MinorUnits } from "../../domain/money.ts";
import { isDeposit } from "../../service/transactions.ts";
import type { Conversion } from "../../store/conversions.ts";
import type { Dispute } from "../../store/disputes.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { Transaction } from "../../store/transactions.ts";
import type { Transfer } from "../../store/transfers.ts";
import type { Wallet } from "../../store/wallets.ts";
import type { Webhook } from "../../store/webhooks.ts";
import { formatInstant } from "../../world/instants.ts";
import { resourceBy } from "../../world/resources.ts";
import type { World } from "../../world/world.ts";
import { ABOUT_LIMIT, ABOUT_READ } from "../reach.ts";
import { ended } from "../sentences/entry-sentences.ts";
import { amountIn } from "./asked-amounts.ts";
import { callBehind } from "./call-behind.ts";
import { ratesBehind } from "./conversion-rates.ts";
import { type Reader, type Reading, resourceWord, type ToldWebhook, type Topic } from "./topics.ts";
import { entriesOnWebhooks } from "./webhook-entries.ts";

/** Kinds of entries that tell what became of a resource. */
const CHANGES = ["transition", "payment.broadcast", "fault"];

/** A refund is known only by the event about it (`D54a`, `D40b`). */
const REFUND_EVENTS = ["cashin.refunded", "cashout.refunded", "conversion.refunded"];

/** TABLE: readers of the ids of resources. */
export const resourceReaders: readonly Reader[] = [
  (world, id) => {
    const row = resourceBy.cashin(world, id);
    return row && resource(world, row.type, id, () => transactionSummary(world, row));
  },
  (world, id) => {
    const row = resourceBy.transfer(world, id);
    return row && resource(world, "transfer", id, () => transferSummary(world, row));
  },
  (world, id) => {
    const row = resourceBy.conversion(world, id);
    return row && { type: "conversion", key: id, topic: () => conversionTopic(world, row) };
  },
  (world, id) => {
    const row = resourceBy.dispute(world, id);
    return row && resource(world, "dispute", id, () => disputeSummary(world, row));
  },
  readWallet,
  readRefund,
  readReply,
];

/** Resources by an account's own id for them; several accounts may use the same one. */
export function findByExternalId(world: World, id: string): Reading[] {
  return world.accounts.all().flatMap(({ username }) => {
    const used = world.externalIds.get(username, id);
    if (!used) return [];
    return resourceReaders.flatMap((read) => read(world, used.resource_id) ?? []).slice(0, 1);
  });
}

/** No id of a bank's or chain's payment is shorter. */
const SHORTEST_PAYMENT_ID = 30;

/** One transaction of a chain may pay several transactions; at most this many are found. */
const MOST_PAID = 10;

/** Transactions by the id of their payment outside: `e2e_id` or `tx_hash`. */
export function findByPaymentId(world: World, id: string): Reading[] {
  if (id.length < SHORTEST_PAYMENT_ID) return [];
  return world.transactions.ofPayment(id, MOST_PAID).map((row) => {
    return resource(world, row.type, row.transaction_id, () => transactionSummary(world, row));
  });
}

function resource(world: World, type: LifecycleName, id: string, summary: () => string): Reading {
  return { type, key: id, topic: () => resourceTopic(world, id, summary()) };
}

function resourceTopic(world: World, id: string, summary: string): Topic {
  const { journal } = world;
  const about = journal.latestOf(id, ABOUT_READ);
  const end = about[0]?.sequence ?? 0;
  const hasMore = about.length === ABOUT_READ;
  // A great many steps may have come since, and its first entries tell what it came of.
  const first = hasMore ? journal.after(0, ABOUT_LIMIT, { subject: id }).filter(({ sequence }) => sequence < end) : [];
  const changes = [...first, ...about].filter(({ kind }) => CHANGES.includes(kind));
  return { summary, about, changes, pending: world.timers.of(id), webhooks: webhooksIn(world, about) };
}

/** What explains a conversion's rate belongs to it, too. */
function conversionTopic(world: World, row: Conversion): Topic {
  const topic = resourceTopic(world, row.conversion_id, conversionSummary(world, row));
  return { ...topic, changes: [...ratesBehind(world, row, topic.changes[0]), ...topic.changes] };
}

/** The webhooks whose creation these entries tell of. */
function webhooksIn({ webhooks }: World, about: readonly JournalEntry[]): ToldWebhook[] {
  const made = about.filter(({ kind }) => kind === "webhook.created");
  return made.flatMap(({ data }) => {
    const webhook = webhooks.get(String(data.webhook_id));
    return webhook ? [{ webhook_id: webhook.webhook_id, event: webhook.event, status: webhook.status }] : [];
  });
}

/** `1001`, or `wallet_1001` as envelopes write it. */
function readWallet(world: World, id: string): Reading | undefined {
  const wallet = resourceBy.wallet(world, id);
  if (!wallet) return undefined;
  const subject = String(wallet.wallet_id);
  return {
    type: "wallet",
    key: `wallet_${subject}`,
    topic: () => resourceTopic(world, subject, walletSummary(wallet)),
  };
}

function readRefund(world: World, id: string): Reading | undefined {
  const webhooks = world.webhooks.toldAs(id).filter(({ event }) => REFUND_EVENTS.includes(event));
  const [first] = webhooks;
  return first && { type: "refund", key: id, topic: () => refundTopic(world, webhooks, first) };
}

/** The refund's own transition, and the webhooks about it. */
function refundTopic(world: World, webhooks: readonly Webhook[], first: Webhook): Topic {
  const ids = webhooks.map(({ webhook_id }) => webhook_id);
  const told = world.journal.get(first.entry);
  const changes = [told?.cause ?? 0].flatMap((sequence) => world.journal.get(sequence) ?? []);
  const about = [...changes, ...entriesOnWebhooks(world, first, ids)];
  return { summary: refundSummary(first, told), about, changes, pending: [] };
}

/** `3`, or `reply_3`. */
function readReply(world: World, id: string): Reading | undefined {
  const [, digits] = /^(?:reply_)?(\d{1,15})$/.exec(id) ?? [];
  const dispute = digits === undefined ? undefined : world.disputes.ofReply(Number(digits));
  if (!dispute) return undefined;
  return { type: "reply", key: `reply_${dispute.reply_id}`, topic: () => replyTopic(world, dispute) };
}

function replyTopic(world: World, dispute: Dispute): Topic {
  const { journal } = world;
  const { infraction_id: subject } = dispute;
  const transitions = journal.latestOfKind(subject, "transition", ABOUT_LIMIT);
  const changes = transitions.filter(({ data }) => data.trigger === "reply");
  const about = changes.flatMap((change) => {
    const { sequence: entry } = change;
    const followers = journal.after(entry, ABOUT_LIMIT, { subject });
    const webhooks = followers.filter(({ kind, cause }) => kind === "webhook.created" && cause === entry);
    const ids = webhooks.map(({ data }) => String(data.webhook_id));
    return [change, ...entriesOnWebhooks(world, { subject, entry }, ids)];
  });
  const at = dispute.responded_at === null ? "" : `, registered at ${formatInstant(dispute.responded_at)}`;
  const summary = `Reply ${dispute.reply_id} to the dispute ${dispute.infraction_id}${at}.`;
  return { summary, about, changes, pending: [] };
}

function shown(world: World, amount: MinorUnits, currency: string): string {
  return `${world.currencies.format(amount, currency)} ${currency}`;
}

function transactionSummary(world: World, row: Transaction): string {
  const wallet = row.details.wallet_id;
  const what = row.type === "cashout" ? "Cash-out" : wallet === undefined ? "Cash-in" : "Deposit";
  const into = wallet === undefined ? "" : ` into the fixed wallet ${wallet}`;
  const is = `${what} of ${shown(world, row.amount, row.currency)} by ${row.network}${into}: ${row.status}.`;
  return is + askedFor(world, row) + failureOf(row);
}

/** The amount of a charge when it was created, if another was paid (`D34`); only its call has it. */
function askedFor(world: World, row: Transaction): string {
  if (row.type !== "cashin" || row.confirmed_at === null || isDeposit(row)) return "";
  const call = callBehind(world, world.journal.firstOf(row.transaction_id));
  const amount = call ? amountIn(world, call) : null;
  const isOther = amount !== null && amount !== world.currencies.format(row.amount, row.currency);
  return isOther ? ` It was made over ${amount} ${row.currency}.` : "";
}

/** The reason for which it failed, if one was given. */
function failureOf({ details: { error_code, error_message, reason } }: Transaction): string {
  if (error_code !== undefined) return ` ${error_code}: ${ended(error_message)}`;
  return reason === undefined ? "" : ` The reason given: ${ended(reason)}`;
}

function transferSummary(world: World, row: Transfer): string {
  const of = row.split_of === null ? "" : `, a split of ${row.split_of}`;
  const amount = shown(world, row.amount, row.currency);
  return `Transfer of ${amount} from ${row.username} to ${row.recipient}${of}: ${row.status}.`;
}

function conversionSummary(world: World, row: Conversion): string {
  const [from, to] = [shown(world, row.amount_from, row.currency_from), shown(world, row.amount_to, row.currency_to)];
  return `Conversion of ${from} into ${to} at a rate of ${row.rate}: ${row.status}.`;
}

function disputeSummary(world: World, row: Dispute): string {
  const amount = shown(world, row.amount, row.currency);
  return `Dispute over ${amount} of the cash-in ${row.transaction_id}: ${row.status}.${overdueOf(world, row)}`;
}

/** Why a dispute is open although nobody answered it in time (`D53`); empty if it is not. */
function overdueOf({ clock, settings }: World, { status, deadline_at }: Dispute): string {
  if (status !== "open" || settings.unanswered_dispute !== "open" || clock.now() < deadline_at) return "";
  const deadline = formatInstant(deadline_at);
  return ` Its deadline passed at ${deadline} without a reply; the setting unanswered_dispute keeps it open.`;
}

function walletSummary({ wallet_id, username, currency, chain, network, status }: Wallet): string {
  return `Fixed wallet ${wallet_id} of ${username} for ${currency} by ${chain ?? network}: ${status}.`;
}

function refundSummary({ subject, subject_type }: Webhook, told: JournalEntry | undefined): string {
  const { amount_refunded, amount_returned_to, currency, currency_returned_to, reason } = (told?.data.data ??
    {}) as Record<string, string>;
  const amount = `${amount_refunded ?? amount_returned_to} ${currency ?? currency_returned_to}`;
  return `Refund of ${amount} of the ${resourceWord(subject_type)} ${subject}: ${ended(reason)}`;
}
