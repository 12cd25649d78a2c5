/** How the merchant's receiver takes webhooks. */
import type { AttemptErrorKind } from "../../domain/attempt-error-kinds.ts";
import { counted } from "../../domain/words/counted.ts";
import { whyUnanswered } from "../sentences/entry-sentences.ts";
import { type Delivered, isGenuine, isMadeUp, isRefused, isTaken, type Tried, webhookIdsOf } from "./deliveries.ts";
import { type Evidence, isOfProduction } from "./evidence.ts";
import { type Finding, unobserved, unobservedInProduction } from "./finding.ts";

/** A receiver should answer in less than this (Delivery, Success). */
const IDEAL_MS = 2_000;

/** Errors of a receiver that got the webhook and failed over it; one that was not reached has refused nothing. */
const BROKE: readonly AttemptErrorKind[] = ["timeout", "connection_closed", "not_http", "headers_too_large"];

/** Errors on our side of an attempt, which say nothing of the receiver. */
const OURS: readonly AttemptErrorKind[] = ["source_not_available", "interrupted"];

/** Every webhook is answered with 2xx (WH-15). */
export function judgeAcceptance(evidence: Evidence): Finding {
  if (isOfProduction(evidence)) return unobservedInProduction();
  const { tried } = evidence;
  const own = tried.filter((one) => isGenuine(one) && !isSettled(one) && !isMadeUp(one.webhook) && !isOurs(one));
  if (own.length === 0) return unobserved("No webhook of an event was sent to a receiver of the merchant's own.");
  const refused = own.filter((one) => !isTaken(one));
  const taken = own.filter(isTaken);
  if (refused.length === 0) {
    const ids = webhookIdsOf(taken);
    return { verdict: "pass", evidence: ids, detail: `${counted(ids.length, "webhook")} answered with 2xx at once.` };
  }
  const takenIds = new Set(webhookIdsOf(taken));
  const never = refused.filter(({ webhook_id }) => !takenIds.has(webhook_id));
  const lost = taken.length === 0 ? never : never.filter(isLost);
  const all = counted(webhookIdsOf(refused).length, "webhook");
  const instead = [...new Set(refused.map(answerOf))].join(", ");
  const detail = `${all} not answered with 2xx at first, ${webhookIdsOf(never).length} of them not so far (${instead}).`;
  const verdict = lost.length > 0 ? "fail" : "warn";
  return { verdict, evidence: webhookIdsOf(lost.length > 0 ? lost : refused), detail };
}

/** The receiver answers in under two seconds (WH-16). */
export function judgeSpeed({ tried }: Evidence): Finding {
  const timed = tried.filter((one) => one.duration_ms > 0 && (one.status !== null || isOverdue(one)));
  if (timed.length === 0) {
    const isReplay = tried.some((one) => one.duration_ms === 0 && wasReached(one));
    return unobserved(isReplay ? "A replay does not hold how long answers took." : "No receiver has answered.");
  }
  const slow = timed.filter(({ duration_ms }) => duration_ms >= IDEAL_MS);
  if (slow.length === 0) {
    return {
      verdict: "pass",
      evidence: webhookIdsOf(timed),
      detail: `${counted(timed.length, "answer")} came in time.`,
    };
  }
  const never = slow.filter(isOverdue).length;
  const detail = `${slow.length} of ${counted(timed.length, "answer")} took two seconds or longer, ${never} never came to an end.`;
  return { verdict: never > 0 ? "fail" : "warn", evidence: webhookIdsOf(slow), detail };
}

/** A webhook that comes again is acknowledged again (WH-20). */
export function judgeDuplicates(evidence: Evidence): Finding {
  if (isOfProduction(evidence)) return unobservedInProduction();
  const again = evidence.tried.filter((one) => isGenuine(one) && one.again && wasReached(one));
  if (again.length === 0) return unobserved("No webhook came twice.");
  return acknowledged(again, "came again");
}

/** Events that come out of order are acknowledged like any other (WH-22). */
export function judgeOrder(evidence: Evidence): Finding {
  if (isOfProduction(evidence)) return unobservedInProduction();
  const { tried, webhooks } = evidence;
  const threads = threadsOf(webhooks);
  const strays = new Map<Delivered, Tried>();
  const seen = new Set<Delivered>();
  const decided = new Set<Delivered>();
  for (const one of tried) {
    const { webhook } = one;
    const thread = threads.get(threadOf(webhook));
    if (!thread || !isGenuine(one) || !wasReached(one)) continue;
    const isDecided = isTaken(one) || isRefused(one);
    // A webhook that was neither taken nor refused is judged again when it comes again. If it came in order first, the
    // receiver may break over it for another reason, and only an answer after it took a later event tells of the order.
    const isLate = isDecided && webhook.position < thread.taken;
    const isJudged = !decided.has(webhook) && (strays.has(webhook) || !seen.has(webhook) || isLate);
    if (isJudged && isStray(thread, seen, one)) strays.set(webhook, one);
    seen.add(webhook);
    if (isDecided) decided.add(webhook);
    thread.latest = Math.max(thread.latest, webhook.position);
    if (isTaken(one)) thread.taken = Math.max(thread.taken, webhook.position);
  }
  if (strays.size === 0) return unobserved("All events of a resource first came in their order.");
  return acknowledged([...strays.values()], "came out of order");
}

/** An event about a transaction that the merchant does not know is answered too: deposits come unasked. */
export function judgeUnknown(evidence: Evidence): Finding {
  if (isOfProduction(evidence)) return unobservedInProduction();
  const probes = evidence.tried.filter((one) => isMadeUp(one.webhook) && isGenuine(one));
  const reached = probes.filter(wasReached);
  // A receiver that was down for one probe is judged by the others.
  const sent = reached.length > 0 ? reached : probes.filter((one) => !isOurs(one));
  if (sent.length === 0) return unobserved("No event about an unknown transaction was sent; a probe sends one.");
  const broken = sent.filter((one) => !isTaken(one) && !isRefused(one));
  if (broken.length === 0) {
    const [last] = sent.slice(-1);
    return { verdict: "pass", evidence: webhookIdsOf(sent), detail: `The last one was answered ${last?.status}.` };
  }
  const came = [...new Set(broken.map(answerOf))].join(", ");
  return { verdict: "fail", evidence: webhookIdsOf(broken), detail: `What came of it: ${came}.` };
}

function acknowledged(tried: readonly Tried[], what: string): Finding {
  const refused = tried.filter((one) => !isTaken(one));
  if (refused.length === 0) {
    const detail = `${counted(tried.length, "delivery", "deliveries")} that ${what}: all answered with 2xx.`;
    return { verdict: "pass", evidence: webhookIdsOf(tried), detail };
  }
  const all = counted(tried.length, "delivery", "deliveries");
  const detail = `${all} that ${what}: ${refused.length} not answered with 2xx.`;
  return { verdict: "fail", evidence: webhookIdsOf(refused), detail };
}

/** The events of one resource for one receiver, in the order in which they happened. */
interface Thread {
  readonly events: Delivered[];
  /** How many of its first events the receiver has seen without a gap. */
  complete: number;
  /** The position of the latest event that the receiver has seen. */
  latest: number;
  /** That of the latest one that it has taken. */
  taken: number;
}

function threadsOf(webhooks: readonly Delivered[]): ReadonlyMap<string, Thread> {
  const threads = new Map<string, Thread>();
  for (const webhook of webhooks) {
    const name = threadOf(webhook);
    const thread = threads.get(name);
    if (thread) thread.events.push(webhook);
    else threads.set(name, { events: [webhook], complete: 0, latest: 0, taken: 0 });
  }
  return threads;
}

/** The thread that a webhook belongs to: a dispute shares that of its cash-in. */
function threadOf({ receiver, username, subject_type, subject, transaction_id }: Delivered): string {
  return `${receiver} ${username} ${subject_type === "dispute" ? transaction_id : subject}`;
}

/** Whether an event comes before one that happened earlier, or after one that happened later. */
function isStray(thread: Thread, seen: ReadonlySet<Delivered>, { webhook }: Tried): boolean {
  for (let next = thread.events[thread.complete]; next && seen.has(next); ) next = thread.events[++thread.complete];
  const missing = thread.events[thread.complete];
  return webhook.position < thread.latest || (missing !== undefined && missing.position < webhook.position);
}

/** Whether the webhook was delivered before this attempt; a forged copy that was taken does not count. */
function isSettled({ webhook, position }: Tried): boolean {
  return webhook.attempts.some((one) => one.position < position && isGenuine(one) && isTaken(one));
}

/** Whether a webhook that was not taken looks lost: given up, or refused for what it is (a status below 500). */
function isLost({ webhook, status }: Tried): boolean {
  return webhook.status === "exhausted" || (status !== null && status < 500);
}

/** The answer or error instead of 2xx. */
function answerOf({ status, error }: Tried): string {
  return status === null ? whyUnanswered(error?.kind ?? "no answer") : String(status);
}

/** Whether the receiver took too long; a time-out that was set to less than that says nothing. */
function isOverdue({ error, duration_ms }: Tried): boolean {
  return error?.kind === "timeout" && duration_ms >= IDEAL_MS;
}

/** Whether the receiver got it, even if no answer came. */
function wasReached({ status, error }: Tried): boolean {
  return status !== null || (error !== null && BROKE.includes(error.kind));
}

function isOurs({ error }: Tried): boolean {
  return error !== null && OURS.includes(error.kind);
}
