/** Whether the merchant follows up: reads the list for what it was not told, and answers disputes. */

import { disputesRepliedTo } from "../../domain/identifiers/resource-ids.ts";
import { REPLY_PATH } from "../../domain/service-calls.ts";
import { counted } from "../../domain/words/counted.ts";
import type { Dispute } from "../../store/disputes.ts";
import type { World } from "../../world/world.ts";
import { type Call, hasCome, idsOf, isAnswered, isThere } from "./calls.ts";
import { type Delivered, isTaken, webhookIdsOf } from "./deliveries.ts";
import { type Evidence, isOfProduction } from "./evidence.ts";
import { type Finding, unobserved, unobservedInProduction } from "./finding.ts";

const LIST_PATH = "/v2/account/transactions/list";
const LISTED = ["cashin", "cashout"];
const DISPUTES_PATH = "/v2/account/infractions";

/** A merchant that reconciles does so at least once a day. */
const DAY_MS = 86_400_000;

/** The transaction list is used, webhooks are not the only source of truth (WH-23). */
export function judgeReconciliation(evidence: Evidence): Finding {
  const { calls, webhooks, world } = evidence;
  const reads = calls.filter((call) => call.path === LIST_PATH && call.status === 200 && hasCome(call));
  const lost = isOfProduction(evidence) ? ["dropped"] : ["exhausted", "dropped"];
  const confirmed = new Set(webhooks.filter(isTakenConfirmation).map(({ subject }) => subject));
  const isKnown = (one: Delivered) => isConfirmation(one) && confirmed.has(one.subject);
  const missed = webhooks.filter((one) => lost.includes(one.status) && isListed(one) && !isKnown(one));
  const unseen = unseenIn(world, reads, missed);
  const overdue = unseen.filter(({ created_at }) => world.clock.now() - created_at >= DAY_MS);
  const [were, what] = unseen.length === 1 ? ["was", "its transaction"] : ["were", "their transactions"];
  const detail = `${counted(unseen.length, "webhook")} ${were} not taken, and the list has not shown ${what} since.`;
  if (overdue.length > 0) return { verdict: "fail", evidence: webhookIdsOf(overdue), detail };
  if (reads.length > 0) {
    return { verdict: "pass", evidence: idsOf(reads), detail: `The list was read ${counted(reads.length, "time")}.` };
  }
  if (unseen.length > 0) return { verdict: "warn", evidence: webhookIdsOf(unseen), detail };
  return unobserved(
    "The list was not read, and no receiver is known to have missed what became of a cash-in or cash-out.",
  );
}

/** Those of the webhooks whose transaction none of the answers of the list shows that came after them. */
function unseenIn(world: World, reads: readonly Call[], webhooks: readonly Delivered[]): readonly Delivered[] {
  if (webhooks.length === 0) return [];
  const shown = shownIn(world, reads);
  return webhooks.filter(({ subject, entry }) => (shown.get(subject) ?? 0) < entry);
}

/** What the answers of the list have shown. */
interface Shown {
  /** The last call that was read. */
  readonly last: Call;
  /** By transaction: the entry of the last call whose answer showed it. */
  readonly latest: Map<string, number>;
}

const known = new WeakMap<World, Shown>();

/** Reads each answer once, whatever is asked for how often. @returns {@link Shown.latest}. */
function shownIn(world: World, reads: readonly Call[]): ReadonlyMap<string, number> {
  const before = known.get(world);
  const { last, latest } = before && isThere(world, before.last) ? before : { latest: new Map<string, number>() };
  for (const read of reads.filter(({ position }) => position > (last?.position ?? 0))) {
    const answer = world.requests.get(read.request_id)?.response_body.toString() ?? "";
    for (const [, id = ""] of answer.matchAll(LISTED_ID)) latest.set(id, read.entry);
    known.set(world, { last: read, latest });
  }
  return latest;
}

/** An item of an answer of the list; only its own account's are in it. */
const LISTED_ID = /"transaction_id":"([^"]+)"/g;

/** Disputes are answered before their deadline (Infraction, deadline_at). */
export function judgeDisputes(evidence: Evidence): Finding {
  const now = evidence.world.clock.now();
  const isOwn = ownReplies(evidence);
  const isOthers = (dispute: Dispute) => dispute.responded_at !== null && !isOwn(dispute);
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
  const hindered = hinderedReplies(evidence);
  const triesFor = (dispute: Dispute) =>
    (hindered.get(dispute.infraction_id) ?? []).filter((call) => isInTime(call, dispute));
  const isTold = tellerOf(evidence, opened);
  const ignored = missed.filter((dispute) => triesFor(dispute).length === 0 && isTold(dispute));
  if (ignored.length > 0) return { verdict: "fail", evidence: idsFor(ignored), detail: `${detail}.` };
  const tries = new Set(missed.flatMap(triesFor));
  if (tries.size > 0) {
    const replies = counted(tries.size, "reply", "replies");
    const why = `${replies} in time came to nothing through no fault of the merchant's.`;
    return { verdict: "warn", evidence: idsOf([...tries]), detail: `${detail}; ${why}` };
  }
  if (isOfProduction(evidence)) return unobservedInProduction();
  return { verdict: "warn", evidence: idsFor(missed), detail: `${detail}; no webhook of them was taken in time.` };
}

/** Whether something came before the deadline of a dispute. */
function isInTime({ at }: { readonly at: number }, { deadline_at }: Dispute): boolean {
  return at < deadline_at;
}

/** Tells whether the merchant knew of a dispute in time: its webhook had reached it, or it had looked. */
function tellerOf({ calls, world }: Evidence, opened: ReadonlyMap<string, Delivered>): (dispute: Dispute) => boolean {
  const looks = calls.filter((call) => call.path === DISPUTES_PATH && call.status === 200 && isAnswered(call));
  return (dispute) => {
    const webhook = opened.get(dispute.infraction_id);
    if (!webhook) return false;
    // At one instant, only entries of the journal tell the order.
    const isLook = (call: Call) => call.username === dispute.username && call.entry > webhook.entry;
    return hasArrived(world, webhook, dispute) || looks.some((call) => isLook(call) && isInTime(call, dispute));
  };
}

/** Whether a webhook reached the merchant in time, if only in the inbox, where merchants without a receiver read it. */
function hasArrived(world: World, { webhook_id }: Delivered, dispute: Dispute): boolean {
  return world.attempts.of(webhook_id).some((one) => one.error === null && isTaken(one) && isInTime(one, dispute));
}

/** By dispute that they are about: the replies that came to nothing through no fault of the merchant's. */
function hinderedReplies({ calls, world }: Evidence): ReadonlyMap<string, readonly Call[]> {
  const hindered = new Map<string, Call[]>();
  for (const call of calls) {
    if (call.path !== REPLY_PATH || call.status === 200 || !isHindered(call)) continue;
    // With its files, a reply is often larger than the text of a call.
    const body = world.requests.get(call.request_id)?.body.toString("latin1") ?? "";
    for (const id of disputesRepliedTo(body)) hindered.set(id, [...(hindered.get(id) ?? []), call]);
  }
  return hindered;
}

/** Codes by which an account or an address is shut out, whatever it sends. */
const SHUT_OUT = ["SECURITY_BLOCKED", "IP_BLACKLISTED"];

/** Whether a fault rule refused a call or lost its answer, or its caller was shut out. */
function isHindered({ struck, status, error_code }: Call): boolean {
  const isStruck = struck === "error" || struck === "status" || struck === "disconnect";
  return isStruck || status >= 500 || SHUT_OUT.includes(error_code ?? "");
}

/** Whether a webhook is for a receiver of the merchant's own, about something that the list shows (`D47`). */
function isListed({ receiver, subject_type }: Delivered): boolean {
  return receiver !== null && LISTED.includes(subject_type);
}

/** Whether a webhook tells that a cash-in was paid; of a deposit, two do (`D44`). */
function isConfirmation({ event }: Delivered): boolean {
  return event === "cashin.confirmed" || event === "wallet_deposit";
}

function isTakenConfirmation(webhook: Delivered): boolean {
  return isConfirmation(webhook) && webhook.status === "delivered";
}

/** Whether a dispute was answered, or its deadline has passed; one that was decided before that needs no answer. */
function isDue({ responded_at, resolved_at, deadline_at }: Dispute, now: number): boolean {
  if (responded_at !== null) return true;
  return now >= deadline_at && (resolved_at === null || resolved_at >= deadline_at);
}

/** Transitions of a dispute among which its reply is: it takes one, and is decided. */
const MOST_TRANSITIONS = 10;

/** Tells whether the merchant itself replied to a dispute, not `trigger` or a scenario in its place. */
function ownReplies({ calls, world }: Evidence): (dispute: Dispute) => boolean {
  const replies = calls.filter(({ path, status }) => path === REPLY_PATH && status === 200);
  const own = new Set<number | null>(replies.map(({ entry }) => entry));
  return ({ infraction_id }) => {
    const transitions = world.journal.latestOfKind(infraction_id, "transition", MOST_TRANSITIONS);
    return transitions.some(({ cause, data }) => data.trigger === "reply" && own.has(cause));
  };
}

/** The webhooks about the opening of disputes, by dispute. */
function openingsOf({ webhooks }: Evidence): ReadonlyMap<string, Delivered> {
  const openings = webhooks.filter(({ event }) => event === "chargeback.opened");
  return new Map(openings.map((webhook) => [webhook.subject, webhook]));
}
