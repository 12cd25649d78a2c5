import type { Evidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { judgeDisputes, judgeReconciliation } from "./follow-up-checks.ts";
import { judgeExternalIds, judgeRetries } from "./idempotency-checks.ts";
import { judgeAcceptance, judgeDuplicates, judgeOrder, judgeSpeed, judgeUnknown } from "./receiver-checks.ts";
import { judgeNonces, judgeSignatures } from "./signature-checks.ts";
import { judgeTokens } from "./token-check.ts";
import { judgeDestinations, judgeEnvironment, judgeSources } from "./trust-checks.ts";
import { judgeBackoff, judgeBlocks, judgeRetryAfter } from "./waiting-checks.ts";

interface Check {
  readonly id: string;
  readonly title: string;
  /** Headings of the specification, each with the number or row below it. */
  readonly source: string;
  /** What to do if it does not pass. */
  readonly advice: string;
  readonly judge: (evidence: Evidence) => Finding;
}

/** TABLE: the checks of the readiness report, one for each piece of guidance in the specification. */
export const readinessChecks: readonly Check[] = [
  {
    id: "token-reused",
    title: "A token is reused, not fetched for each request",
    source: "Authentication, 1",
    advice: "Keep the token for its hour and share it; fetch a new one shortly before it expires.",
    judge: judgeTokens,
  },
  {
    id: "external-id",
    title: "Calls that move money carry an external_id",
    source: "Transaction (cash-in, cash-out), external_id",
    advice: "Give every cash-in, cash-out, transfer and conversion an external_id of your own: retries are safe then.",
    judge: judgeExternalIds,
  },
  {
    id: "same-body-on-retry",
    title: "A retry has the same external_id and the same body",
    source: "POST {base_url}/v2/conversions/new, Idempotency; Errors, DUPLICATE_EXTERNAL_ID",
    advice: "Keep the body that was sent, and send the very same one again; a changed order is a new external_id.",
    judge: judgeRetries,
  },
  {
    id: "fresh-nonce",
    title: "Every signed call has a fresh nonce",
    source: "Authentication, 3",
    advice: "Make a new UUID v4 for every call, retries too, and sign with it.",
    judge: judgeNonces,
  },
  {
    id: "signature",
    title: "Signatures are right",
    source: "Authentication, 2; POST {base_url}/v2/conversions/new, Headers",
    advice:
      "Sign timestamp.nonce.body over the bytes that are sent, HMAC-SHA256 with the signing key, in lower-case hex; the timestamp is Unix seconds of now, the nonce a UUID v4.",
    judge: judgeSignatures,
  },
  {
    id: "retry-after",
    title: "Retry-After is waited for on 429",
    source: "Errors, Client guidance",
    advice:
      "On 429 wait for as many seconds as Retry-After says before the next call to that endpoint or, where the credential is blocked, to any.",
    judge: judgeRetryAfter,
  },
  {
    id: "backoff",
    title: "Retries on 502 and 503 back off 1, 2, 4, 8 s",
    source: "Errors, Client guidance",
    advice: "Wait 1 s before the first retry, and twice as long before each next one.",
    judge: judgeBackoff,
  },
  {
    id: "no-retry-when-blocked",
    title: "Nothing is retried at once when blocked",
    source: "Errors, IP_BLOCKED_TEMPORARILY to SECURITY_BLOCKED",
    advice: "On IP_BLOCKED_TEMPORARILY wait five minutes; on IP_BLACKLISTED and SECURITY_BLOCKED stop and ask support.",
    judge: judgeBlocks,
  },
  {
    id: "receiver-accepts",
    title: "The receiver answers webhooks with 2xx",
    source: "Delivery, Success",
    advice: "Store the event, answer 2xx, and work on it afterwards; answer 2xx to kinds that you do not use.",
    judge: judgeAcceptance,
  },
  {
    id: "receiver-quick",
    title: "The receiver answers in under two seconds",
    source: "Delivery, Success",
    advice: "Answer before the work is done: put the event into a queue of your own.",
    judge: judgeSpeed,
  },
  {
    id: "duplicates",
    title: "A webhook that comes twice is acknowledged twice",
    source: "Delivery, Duplicates",
    advice: "Remember X-Webhook-Id; answer 2xx to one that is known, and do nothing else.",
    judge: judgeDuplicates,
  },
  {
    id: "out-of-order",
    title: "Events that come out of order are acknowledged",
    source: "Delivery, Outbound rate",
    advice: "Do not rely on the order: answer 2xx, and look the transaction up where an event does not fit.",
    judge: judgeOrder,
  },
  {
    id: "unknown-transaction",
    title: "An event about an unknown transaction does no harm",
    source: "What the service does, 6; Delivery, Success",
    advice: "Answer 2xx, or 4xx where you refuse it, and credit nothing: money may come in that nobody asked for.",
    judge: judgeUnknown,
  },
  {
    id: "wrong-source",
    title: "A wrong source address is answered 403",
    source: "Authentication, 5",
    advice: "Accept webhooks from the service's two addresses alone, and answer 403 to all others.",
    judge: judgeSources,
  },
  {
    id: "reconciliation",
    title: "Transactions are reconciled by the list",
    source: "Delivery, Reconciliation",
    advice: "Read POST /v2/account/transactions/list from time to time: a webhook may never arrive.",
    judge: judgeReconciliation,
  },
  {
    id: "disputes-answered",
    title: "Disputes are answered before the deadline",
    source: "Infraction (chargeback dispute), deadline_at",
    advice: "On chargeback.opened reply with evidence within seven days; an unanswered dispute is lost.",
    judge: judgeDisputes,
  },
  {
    id: "sandbox-refused-in-production",
    title: "A production receiver refuses X-Sandbox: 1",
    source: "Delivery, Sandbox",
    advice: "In production answer every webhook that has the header X-Sandbox with 403.",
    judge: judgeEnvironment,
  },
  {
    id: "https",
    title: "Webhooks go to an https address",
    source: "Delivery, URL",
    advice:
      "Give the service an https URL with a certificate of a public authority; plain http is for this machine alone.",
    judge: judgeDestinations,
  },
];
