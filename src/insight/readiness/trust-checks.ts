/** Whom the merchant's receiver trusts, and whether it can be trusted itself. */

import { plainHost } from "../../domain/destinations.ts";
import { counted } from "../../domain/words/counted.ts";
import { type Delivered, isGenuine, isRefused, isTaken, type Tried, webhookIdsOf } from "./deliveries.ts";
import { type Evidence, isOfProduction } from "./evidence.ts";
import { type Finding, unobserved, unobservedInProduction } from "./finding.ts";

/** Host names that stay on this machine; containers reach it by names of their own. */
const LOOPBACK = /^127(\.\d+){3}$|^\[::1\]$|(^|\.)localhost$|^host\.(docker|containers)\.internal$/i;

/** What does not come from the service's addresses is answered with 403 (AUTH-06). */
export function judgeSources(evidence: Evidence): Finding {
  const forged = evidence.tried.filter((one) => !isGenuine(one));
  const taken = forged.filter(isTaken);
  if (taken.length > 0) {
    const ids = webhookIdsOf(taken);
    return { verdict: "fail", evidence: ids, detail: `${counted(ids.length, "webhook")} from a wrong address taken.` };
  }
  if (isOfProduction(evidence)) return unobservedInProduction();
  const answered = forged.filter(({ status }) => status !== null);
  if (answered.length === 0) return unobserved(whyNone(forged));
  const unrefused = answered.filter((one) => !isRefused(one));
  if (unrefused.length > 0) return refusesNothing(unrefused, "webhook", "from a wrong address");
  const otherwise = answered.filter(({ status }) => status !== 403);
  if (otherwise.length === 0) {
    const ids = webhookIdsOf(answered);
    const detail = `${counted(ids.length, "webhook")} from a wrong address answered 403.`;
    const unsent = unsentOf(forged.at(-1));
    if (unsent === null) return { verdict: "pass", evidence: ids, detail };
    return { verdict: "warn", evidence: ids, detail: `${detail} The last one could not be sent: ${unsent}` };
  }
  const detail = `What came from a wrong address was refused with ${statusesOf(otherwise)} instead of 403.`;
  return { verdict: "warn", evidence: webhookIdsOf(otherwise), detail };
}

/** A receiver of production does not take events of a sandbox (WH-08). */
export function judgeEnvironment(evidence: Evidence): Finding {
  if (!isOfProduction(evidence)) {
    return unobserved("The setting receiver_environment is sandbox; with production this is judged.");
  }
  const answered = evidence.tried.filter((one) => isGenuine(one) && one.status !== null);
  if (answered.length === 0) return unobserved("No receiver has answered.");
  const taken = webhookIdsOf(answered.filter(isTaken));
  if (taken.length > 0) {
    return { verdict: "fail", evidence: taken, detail: `${counted(taken.length, "event")} with X-Sandbox: 1 taken.` };
  }
  const otherwise = answered.filter((one) => !isRefused(one));
  if (otherwise.length > 0) return refusesNothing(otherwise, "event", "with X-Sandbox: 1");
  return { verdict: "pass", evidence: webhookIdsOf(answered), detail: "No event with X-Sandbox: 1 was taken." };
}

/** Destinations are https, with a certificate that is valid (WH-13, WH-14). */
export function judgeDestinations({ webhooks, world }: Evidence): Finding {
  const sent = webhooks.flatMap((webhook) => {
    return webhook.receiver === null ? [] : [{ webhook, url: new URL(webhook.receiver) }];
  });
  if (sent.length === 0) return unobserved("No webhook is known to have a destination of the merchant's.");
  const ids = (some: typeof sent) => webhookIdsOf(some.map(({ webhook }) => webhook));
  const plain = sent.filter(({ url }) => url.protocol === "http:");
  const away = plain.filter(({ url }) => !LOOPBACK.test(plainHost(url.hostname)));
  if (away.length > 0) return { verdict: "fail", evidence: ids(away), detail: "Plain http leaves this machine." };
  const unproven = sent.filter(({ webhook }) => isUnproven(webhook));
  if (unproven.length > 0) {
    return {
      verdict: "fail",
      evidence: ids(unproven),
      detail: "An https destination has no certificate that is valid.",
    };
  }
  if (plain.length === 0 && world.settings.webhook_targets === "any") {
    const detail = "All destinations are https; nobody looks at certificates where the setting webhook_targets is any.";
    return { verdict: "warn", evidence: ids(sent), detail };
  }
  if (plain.length === 0) return { verdict: "pass", evidence: ids(sent), detail: "All destinations are https." };
  const detail = "Plain http, to this machine alone: fine here, not in production.";
  return { verdict: "warn", evidence: ids(plain), detail };
}

/** For attempts whose answers neither take a webhook nor refuse it. */
function refusesNothing(tried: readonly Tried[], noun: string, which: string): Finding {
  const evidence = webhookIdsOf(tried);
  const all = counted(evidence.length, noun);
  return { verdict: "warn", evidence, detail: `${all} ${which} answered ${statusesOf(tried)}, which refuses nothing.` };
}

function statusesOf(tried: readonly Tried[]): string {
  return [...new Set(tried.map(({ status }) => status))].join(", ");
}

/** Why no webhook from a wrong address was answered. */
function whyNone(forged: readonly Tried[]): string {
  const failed = forged.findLast((one) => one.error !== null);
  if (!failed) return "No webhook came from a wrong address; a probe sends one.";
  return unsentOf(failed) ?? "What came from a wrong address got no whole answer.";
}

/** Why a webhook could not be sent: its source address does not exist here; null for any other. */
function unsentOf(one: Tried | undefined): string | null {
  if (one?.error?.kind !== "source_not_available") return null;
  return `${one.error.message} Give an address of this machine that webhooks do not come from.`;
}

/** Whether the last attempt failed for the certificate. */
function isUnproven({ attempts }: Delivered): boolean {
  return attempts.at(-1)?.error?.kind === "tls";
}
