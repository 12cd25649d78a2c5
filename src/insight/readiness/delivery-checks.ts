/** How the merchant's receiver takes webhooks, and what it makes of them. */
import { INBOX, isLocalHost } from "../../domain/destinations.ts";
import type { Attempt } from "../../store/webhooks.ts";
import type { Delivered, Evidence } from "./evidence.ts";
import type { Finding } from "./report.ts";

/** A receiver should answer in less than this (Delivery, Success). */
const IDEAL_MS = 2_000;

const ids = (webhooks: readonly Delivered[]) => [...new Set(webhooks.map(({ webhook_id }) => webhook_id))];

const unobserved = (detail: string): Finding => ({ verdict: "not_observed", evidence: [], detail });

interface Tried {
  readonly webhook: Delivered;
  readonly attempt: Attempt;
}

/** Attempts at a receiver of the merchant's own; the inbox is nobody's. */
function attemptsAt({ webhooks }: Evidence, wanted: (tried: Tried) => boolean = () => true): Tried[] {
  const all = webhooks.flatMap((webhook) => webhook.attempts.map((attempt) => ({ webhook, attempt })));
  return all.filter((tried) => tried.attempt.destination !== INBOX && wanted(tried));
}

const isAccepted = ({ attempt }: Tried) => attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
const isGenuine = ({ attempt }: Tried) => attempt.source === null;

/** Every webhook is answered with 2xx (WH-15). */
export function judgeAcceptance(evidence: Evidence): Finding {
  const isProduction = evidence.world.settings.receiver_environment === "production";
  const tried = attemptsAt(evidence, (one) => isGenuine(one) && !isProbe(one.webhook));
  if (isProduction || tried.length === 0) return unobserved("No webhook was sent to a receiver of the sandbox's kind.");
  const refused = tried.filter((one) => !isAccepted(one)).map(({ webhook }) => webhook);
  if (refused.length === 0)
    return { verdict: "pass", evidence: ids(tried.map(({ webhook }) => webhook)), detail: "All were." };
  const never = refused.filter(({ attempts }) => !attempts.some((attempt) => attempt.outcome === "delivered"));
  const detail = `${ids(refused).length} webhooks were not answered with 2xx at first, ${ids(never).length} of them never.`;
  return { verdict: never.length > 0 ? "fail" : "warn", evidence: ids(never.length > 0 ? never : refused), detail };
}

/** The receiver answers in under two seconds (WH-16). */
export function judgeSpeed(evidence: Evidence): Finding {
  const answered = attemptsAt(evidence, ({ attempt }) => attempt.duration_ms !== null);
  if (answered.length === 0) return unobserved("No receiver has answered.");
  const slow = answered.filter(({ attempt }) => (attempt.duration_ms ?? 0) >= IDEAL_MS);
  const timedOut = slow.filter(({ attempt }) => attempt.error?.kind === "timeout");
  if (slow.length === 0)
    return { verdict: "pass", evidence: [], detail: `All ${answered.length} answers came in time.` };
  const detail = `${slow.length} of ${answered.length} answers took two seconds or longer, ${timedOut.length} never came.`;
  return { verdict: timedOut.length > 0 ? "fail" : "warn", evidence: ids(slow.map(({ webhook }) => webhook)), detail };
}

/** A webhook that comes again is acknowledged again (WH-20). */
export function judgeDuplicates(evidence: Evidence): Finding {
  const again = attemptsAt(evidence, (one) => isGenuine(one) && cameBefore(one));
  if (again.length === 0) return unobserved("No webhook came twice.");
  return acknowledged(again, "that came again");
}

/** Events that come out of order are acknowledged like any other (WH-22). */
export function judgeOrder(evidence: Evidence): Finding {
  const firsts = attemptsAt(evidence, (one) => isGenuine(one) && !cameBefore(one));
  const late = firsts.filter((one) => firsts.some((other) => overtook(other, one)));
  if (late.length === 0) return unobserved("All events of a resource came in their order.");
  return acknowledged(late, "that came out of order");
}

/** What does not come from the service's addresses is answered with 403 (AUTH-06). */
export function judgeSources(evidence: Evidence): Finding {
  const forged = attemptsAt(evidence, (one) => !isGenuine(one) && one.attempt.status !== null);
  if (forged.length === 0) return unobserved("No webhook came from a wrong address.");
  const taken = forged.filter(isAccepted);
  const refused = forged.filter(({ attempt }) => attempt.status === 403);
  const evidenceIds = ids((taken.length > 0 ? taken : forged).map(({ webhook }) => webhook));
  if (taken.length > 0) return { verdict: "fail", evidence: evidenceIds, detail: `${taken.length} were accepted.` };
  if (refused.length === forged.length)
    return { verdict: "pass", evidence: evidenceIds, detail: "All were answered 403." };
  return { verdict: "warn", evidence: evidenceIds, detail: "They were refused, but not with 403." };
}

/** A receiver of production does not take events of a sandbox (WH-08). */
export function judgeEnvironment(evidence: Evidence): Finding {
  if (evidence.world.settings.receiver_environment !== "production") {
    return unobserved("The receiver is one of the sandbox's; set receiver_environment to production to judge this.");
  }
  const tried = attemptsAt(evidence, (one) => isGenuine(one) && one.attempt.status !== null);
  if (tried.length === 0) return unobserved("No webhook was sent to a receiver.");
  const taken = tried.filter(isAccepted).map(({ webhook }) => webhook);
  if (taken.length === 0)
    return { verdict: "pass", evidence: ids(tried.map(({ webhook }) => webhook)), detail: "None was taken." };
  return {
    verdict: "fail",
    evidence: ids(taken),
    detail: `${ids(taken).length} events with X-Sandbox: 1 were accepted.`,
  };
}

/** Destinations are https (WH-13). */
export function judgeDestinations({ webhooks }: Evidence): Finding {
  const named = webhooks.filter(({ destination }) => destination !== null && destination !== INBOX);
  if (named.length === 0) return unobserved("No webhook has a destination of the merchant's.");
  const plain = named.filter(({ destination }) => destination?.startsWith("http:"));
  if (plain.length === 0) return { verdict: "pass", evidence: ids(named), detail: "All destinations are https." };
  const away = plain.filter(({ destination }) => !isLocalHost(new URL(destination ?? "").hostname));
  if (away.length > 0) return { verdict: "fail", evidence: ids(away), detail: "Plain http leaves this machine." };
  return {
    verdict: "warn",
    evidence: ids(plain),
    detail: "Plain http, to this machine alone: fine here, not in production.",
  };
}

/** Disputes are answered before their deadline (Disputes). */
export function judgeDisputes({ disputes, world }: Evidence): Finding {
  const now = world.clock.now();
  const due = disputes.filter(({ responded_at, deadline_at, resolved_at }) => {
    const canceledBefore = resolved_at !== null && resolved_at < deadline_at && responded_at === null;
    return responded_at !== null || (now >= deadline_at && !canceledBefore);
  });
  if (due.length === 0) return unobserved("No dispute has come to its deadline.");
  const missed = due.filter(({ responded_at }) => responded_at === null).map(({ infraction_id }) => infraction_id);
  if (missed.length === 0) {
    return { verdict: "pass", evidence: due.map(({ infraction_id }) => infraction_id), detail: "All were answered." };
  }
  return { verdict: "fail", evidence: missed, detail: `${missed.length} disputes passed their deadline unanswered.` };
}

function acknowledged(tried: readonly Tried[], what: string): Finding {
  const refused = tried.filter((one) => !isAccepted(one));
  const evidence = ids((refused.length > 0 ? refused : tried).map(({ webhook }) => webhook));
  if (refused.length === 0) return { verdict: "pass", evidence, detail: `All ${tried.length} ${what} were taken.` };
  return {
    verdict: "fail",
    evidence,
    detail: `${refused.length} of ${tried.length} ${what} were not answered with 2xx.`,
  };
}

/** Whether the receiver had accepted the webhook before this attempt. */
function cameBefore({ webhook, attempt }: Tried): boolean {
  const index = webhook.attempts.indexOf(attempt);
  return webhook.attempts.slice(0, index).some((before) => isAccepted({ webhook, attempt: before }));
}

/** Whether a later event of the same resource was tried before an earlier one. */
function overtook(other: Tried, one: Tried): boolean {
  const isSame = other.webhook.transaction_id === one.webhook.transaction_id;
  return isSame && other.webhook.position > one.webhook.position && other.attempt.position < one.attempt.position;
}

/** Probes with a transaction that does not exist are no events of the world. */
function isProbe({ subject_type }: Delivered): boolean {
  return subject_type === "probe";
}
