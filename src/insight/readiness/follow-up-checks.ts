/** Whether the merchant follows up: reads the list for what it was not told, and answers disputes. */

import { INBOX } from "../../domain/destinations.ts";
import { counted } from "../../domain/words/counted.ts";
import type { Dispute } from "../../store/disputes.ts";
import type { World } from "../../world/world.ts";
import { type Call, idsOf, isAnswered } from "./calls.ts";
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
  const lost = isOfProduction(evidence) ? ["dropped"] : ["exhausted", "dropped"];
  const missed = webhooks.filter((webhook) => lost.includes(webhook.status) && isListed(webhook));
  const unseen = unseenIn(world, reads, missed);
  const overdue = unseen.filter(({ created_at }) => world.clock.now() - created_at >= DAY_MS);
  const what = unseen.length === 1 ? "its transaction" : "their transactions";
  const detail = `${counted(unseen.length, "webhook")} did not arrive, and the list has not shown ${what} since.`;
  if (overdue.length > 0) return { verdict: "fail", evidence: webhookIdsOf(overdue), detail };
  if (reads.length > 0) {
    return { verdict: "pass", evidence: idsOf(reads), detail: `The list was read ${counted(reads.length, "time")}.` };
  }
  if (unseen.length > 0) return { verdict: "warn", evidence: webhookIdsOf(unseen), detail };
  return unobserved("The list was not read, and no webhook was missed.");
}

/** Those of the webhooks whose transaction none of the answers of the list shows that came after them. */
function unseenIn(world: World, reads: readonly Call[], webhooks: readonly Delivered[]): readonly Delivered[] {
  if (webhooks.length === 0) return [];
  const shown = shownIn(world, reads);
  return webhooks.filter(({ subject, entry }) => (shown.latest.get(subject) ?? 0) < entry);
}

/** What the answers of the list have shown, up to an entry of the journal. */
interface Shown {
  readonly until: number;
  /** By transaction: the entry of the last call whose answer showed it. */
  readonly latest: Map<string, number>;
}

const known = new WeakMap<World, Shown>();

/** Reads each answer once, whatever is asked for how often. */
function shownIn(world: World, reads: readonly Call[]): Shown {
  const { until, latest } = known.get(world) ?? { until: 0, latest: new Map<string, number>() };
  for (const { request_id, entry } of reads.filter((read) => read.entry > until)) {
    const answer = world.requests.get(request_id)?.response_body.toString() ?? "";
    for (const [, id = ""] of answer.matchAll(LISTED_ID)) latest.set(id, entry);
  }
  const shown = { until: Math.max(until, reads.at(-1)?.entry ?? 0), latest };
  known.set(world, shown);
  return shown;
}

/** An item of an answer of the list; only its own account's are in it. */
const LISTED_ID = /"transaction_id":"([^"]+)"/g;

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
