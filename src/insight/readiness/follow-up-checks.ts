/** Whether the merchant follows up: reads the list for what it was not told, and answers disputes. */
import { counted } from "../../domain/counted.ts";
import { INBOX } from "../../domain/destinations.ts";
import type { Dispute } from "../../store/disputes.ts";
import { parseInstant } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { type Call, idsOf, isAnswered, objectIn } from "./calls.ts";
import { type Delivered, isTaken, webhookIdsOf } from "./deliveries.ts";
import { type Evidence, isOfProduction } from "./evidence.ts";
import { type Finding, unobserved, unobservedInProduction } from "./finding.ts";

const LIST_PATH = "/v2/account/transactions/list";
const LISTED = ["cashin", "cashout"];
const DISPUTES_PATH = "/v2/account/infractions";
const REPLY_PATH = "/v2/account/infractions/reply";

/** A merchant that reconciles does so at least once a day. */
const DAY_MS = 86_400_000;

/** The transaction list is used, webhooks are not the only source of truth (WH-23). */
export function judgeReconciliation(evidence: Evidence): Finding {
  const { calls, webhooks, world } = evidence;
  const reads = calls.filter((call) => call.path === LIST_PATH && call.status === 200 && isAnswered(call));
  const shown = reads.map((call) => ({ call, given: objectIn(call.text) ?? {} }));
  const lost = isOfProduction(evidence) ? ["dropped"] : ["exhausted", "dropped"];
  const missed = webhooks.filter((webhook) => lost.includes(webhook.status) && isListed(webhook));
  const unseen = missed.filter((webhook) => !shown.some((list) => mayShow(world, list, webhook)));
  const overdue = unseen.filter(({ created_at }) => world.clock.now() - created_at >= DAY_MS);
  const detail = `${counted(unseen.length, "webhook")} did not arrive, and the list was not read since.`;
  if (overdue.length > 0) return { verdict: "fail", evidence: webhookIdsOf(overdue), detail };
  if (reads.length > 0) {
    return { verdict: "pass", evidence: idsOf(reads), detail: `The list was read ${counted(reads.length, "time")}.` };
  }
  if (unseen.length > 0) return { verdict: "warn", evidence: webhookIdsOf(unseen), detail };
  return unobserved("The list was not read, and no webhook was missed.");
}

/** A call for the list, and the body with its filters. */
interface ReadList {
  readonly call: Call;
  readonly given: Readonly<Record<string, unknown>>;
}

/** Whether a list that was read after a webhook was made may have shown its transaction, as far as the filters tell. */
function mayShow(world: World, { call, given }: ReadList, webhook: Delivered): boolean {
  if (call.username !== webhook.username || call.entry < webhook.entry) return false;
  const row = world.transactions.get(webhook.subject);
  const { created_from: from, created_to: to } = given;
  if (!row) return true;
  const isSame = FILTERS.every(
    (name) => given[name] === undefined || given[name] === null || given[name] === row[name],
  );
  const isWithin = (moment: unknown, sign: number) => {
    const at = typeof moment === "string" ? parseInstant(moment) : null;
    return at === null || (row.created_at - at) * sign >= 0;
  };
  return isSame && isWithin(from, 1) && isWithin(to, -1);
}

/** Filters of the list that match fields of a transaction which never change. */
const FILTERS = ["type", "currency", "external_id", "transaction_id", "source"] as const;

/** Disputes are answered before their deadline (Infraction, deadline_at). */
export function judgeDisputes(evidence: Evidence): Finding {
  const now = evidence.world.clock.now();
  const own = repliesOf(evidence);
  const isOthers = (dispute: Dispute) =>
    dispute.responded_at !== null && !own.has(replyKey(dispute, dispute.responded_at));
  const due = evidence.disputes.filter((dispute) => isDue(dispute, now) && !isOthers(dispute));
  if (due.length === 0) return unobserved("No dispute has come to its deadline.");
  const opened = openingsOf(evidence);
  const idsFor = (disputes: readonly Dispute[]) =>
    disputes.map(({ infraction_id }) => opened.get(infraction_id)?.webhook_id ?? infraction_id);
  const missed = due.filter(({ responded_at }) => responded_at === null);
  if (missed.length === 0) {
    return { verdict: "pass", evidence: idsFor(due), detail: `${counted(due.length, "dispute")} answered in time.` };
  }
  const detail = `${missed.length} of ${counted(due.length, "dispute")} passed the deadline without an answer`;
  const lastLook = lastByAccount(evidence.calls.filter(({ path, status }) => path === DISPUTES_PATH && status === 200));
  const known = missed.filter(({ infraction_id, username }) => {
    const webhook = opened.get(infraction_id);
    return webhook && (hasArrived(webhook) || (lastLook.get(username) ?? 0) > webhook.entry);
  });
  if (known.length > 0) return { verdict: "fail", evidence: idsFor(known), detail: `${detail}.` };
  if (isOfProduction(evidence)) return unobservedInProduction();
  return { verdict: "warn", evidence: idsFor(missed), detail: `${detail}; no webhook of them was taken.` };
}

/** Whether a webhook reached the merchant, if only in the inbox, where merchants without a receiver read it. */
function hasArrived({ attempts, destination, status }: Delivered): boolean {
  return attempts.some(isTaken) || (destination === INBOX && status === "delivered");
}

/** Whether a webhook is for a receiver of the merchant's own, about something that the list shows (`D47`). */
function isListed({ destination, subject_type }: Delivered): boolean {
  return destination !== null && destination !== INBOX && LISTED.includes(subject_type);
}

/** The journal entry of the last of these calls, by account: at one instant, only entries tell the order. */
function lastByAccount(calls: readonly Call[]): ReadonlyMap<string | null, number> {
  return new Map(calls.filter(isAnswered).map(({ username, entry }) => [username, entry]));
}

/** Whether a dispute was answered, or its deadline has passed; one that was decided before that needs no answer. */
function isDue({ responded_at, resolved_at, deadline_at }: Dispute, now: number): boolean {
  if (responded_at !== null) return true;
  return now >= deadline_at && (resolved_at === null || resolved_at >= deadline_at);
}

/** The replies that the merchant itself made, by {@link replyKey}; those of `trigger` are not among them. */
function repliesOf({ calls }: Evidence): ReadonlySet<string> {
  const replies = calls.filter(({ path, status }) => path === REPLY_PATH && status === 200);
  return new Set(replies.map((call) => replyKey(call, call.at)));
}

function replyKey({ username }: { username: string | null }, at: number): string {
  return `${username} ${at}`;
}

/** The webhooks about the opening of disputes, by dispute. */
function openingsOf({ webhooks }: Evidence): ReadonlyMap<string, Delivered> {
  const openings = webhooks.filter(({ event }) => event === "chargeback.opened");
  return new Map(openings.map((webhook) => [webhook.subject, webhook]));
}
