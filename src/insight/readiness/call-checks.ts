/** How the merchant calls the service. */
import { TOKEN_LIFETIME_S } from "../../service/tokens.ts";
import { type Call, type Evidence, waitedMs } from "./evidence.ts";
import type { Finding } from "./report.ts";

const TOKEN_PATH = "/v2/oauth/token";

/** Calls that move money and take an `external_id`. */
const MONEY_PATHS = [
  "/v2/transactions/cashin",
  "/v2/transactions/cashout",
  "/v2/internal_transfers/payment",
  "/v2/conversions/new",
];

/** A token that is about to expire may be fetched anew: so long before its end. */
const RENEWAL_MS = 300_000;

/** Workers of one program may each have a token of their own. */
const TOLERATED_FETCHES = 2;

/** Clocks and networks are not exact: a wait counts when so much of it has passed. */
const PATIENCE = 0.9;

const ids = (calls: readonly Call[]) => calls.map(({ request_id }) => request_id);

const unobserved = (detail: string): Finding => ({ verdict: "not_observed", evidence: [], detail });

/** Tokens are cached, not fetched for each call (Authentication, 1). */
export function judgeTokens({ calls }: Evidence): Finding {
  const fetches = calls.filter(({ path, status }) => path === TOKEN_PATH && status === 200);
  const authenticated = calls.filter(({ path, client_id }) => path !== TOKEN_PATH && client_id !== null);
  if (authenticated.length < 2) return unobserved("Too few calls were made with a token.");
  const needless = fetches.filter((fetch) => {
    const clientId = fetch.proof.credential;
    const before = fetches.findLast((other) => other.ordinal < fetch.ordinal && other.proof.credential === clientId);
    return before !== undefined && waitedMs(before, fetch) < TOKEN_LIFETIME_S * 1000 - RENEWAL_MS;
  });
  const detail = `${fetches.length} tokens were fetched for ${authenticated.length} calls.`;
  if (needless.length === 0) return { verdict: "pass", evidence: ids(fetches), detail };
  const many = needless.length > TOLERATED_FETCHES && fetches.length * 4 > authenticated.length;
  return { verdict: many ? "fail" : "warn", evidence: ids(needless), detail };
}

/** Calls that move money carry an `external_id` (Idempotency). */
export function judgeExternalIds({ calls }: Evidence): Finding {
  const moving = calls.filter(({ path, method }) => method === "POST" && MONEY_PATHS.includes(path));
  if (moving.length === 0) return unobserved("No call that moves money was made.");
  const without = moving.filter(({ fields }) => typeof fields.external_id !== "string");
  if (without.length === 0) return { verdict: "pass", evidence: ids(moving), detail: "Every one of them had one." };
  const detail = `${without.length} of ${moving.length} calls that move money had no external_id.`;
  return { verdict: "fail", evidence: ids(without), detail };
}

/** A retry carries the same `external_id` and the same body. */
export function judgeRetries({ calls }: Evidence): Finding {
  const changed = calls.filter(({ error_code }) => error_code === "DUPLICATE_EXTERNAL_ID");
  if (changed.length > 0) {
    const detail = `${changed.length} calls used an external_id again with another body.`;
    return { verdict: "fail", evidence: ids(changed), detail };
  }
  const unanswered = calls.filter((call) => call.lost || call.status >= 500);
  const moving = unanswered.filter(({ path, fields }) => MONEY_PATHS.includes(path) && fields.external_id);
  const repeated = moving.filter((call) => calls.some((other) => isRepetition(call, other)));
  if (repeated.length > 0) {
    return { verdict: "pass", evidence: ids(repeated), detail: "What got no answer was repeated as it was." };
  }
  return unobserved("No call that moves money had to be repeated.");
}

/** Every signed call has a nonce of its own (X-Nonce). */
export function judgeNonces({ calls }: Evidence): Finding {
  const signed = calls.filter(({ headers }) => headers["x-nonce"]);
  if (signed.length < 2) return unobserved("Fewer than two calls were signed.");
  const seen = new Set<string>();
  const reused = signed.filter(({ headers, client_id }) => {
    const nonce = `${client_id} ${headers["x-nonce"]?.toLowerCase()}`;
    const known = seen.has(nonce);
    seen.add(nonce);
    return known;
  });
  if (reused.length === 0) return { verdict: "pass", evidence: ids(signed), detail: "Each had one of its own." };
  return { verdict: "fail", evidence: ids(reused), detail: `${reused.length} calls used a nonce again.` };
}

/** Signatures are right (HMAC signing). */
export function judgeSignatures({ calls }: Evidence): Finding {
  const wrong = calls.filter(
    ({ error_code }) => error_code === "MISSING_SIGNATURE" || error_code === "INVALID_SIGNATURE",
  );
  const right = calls.filter(({ proof, error_code }) => proof.signature === true && error_code !== "INVALID_SIGNATURE");
  if (wrong.length > 0) {
    const detail = `${wrong.length} calls were signed wrongly or not at all, ${right.length} rightly.`;
    return { verdict: "fail", evidence: ids(wrong), detail };
  }
  if (right.length === 0) return unobserved("No call that needs a signature was made.");
  return { verdict: "pass", evidence: ids(right), detail: `${right.length} signatures were right.` };
}

/** On 429 the merchant waits for as long as Retry-After says (ERR-17). */
export function judgeRetryAfter({ calls }: Evidence): Finding {
  const limited = calls.filter(({ status, lost }) => status === 429 && !lost);
  const judged = limited.flatMap((call) => {
    const next = calls.find((other) => other.ordinal > call.ordinal && isSameCaller(call, other));
    const seconds = Number(call.response_headers["Retry-After"] ?? 0);
    return next ? [{ next, early: waitedMs(call, next) < seconds * 1000 * PATIENCE }] : [];
  });
  const early = judged.filter((one) => one.early).map(({ next }) => next);
  if (early.length > 0) {
    return {
      verdict: "fail",
      evidence: ids(early),
      detail: `${early.length} calls came before Retry-After had passed.`,
    };
  }
  if (judged.length === 0) return unobserved("No call after a 429 was made.");
  return { verdict: "pass", evidence: ids(judged.map(({ next }) => next)), detail: "Retry-After was waited for." };
}

/** On 502 and 503 it backs off 1, 2, 4, 8 s (ERR-18). */
export function judgeBackoff({ calls }: Evidence): Finding {
  const early: Call[] = [];
  const patient: Call[] = [];
  const failures = new Map<string, number>();
  const last = new Map<string, Call>();
  for (const call of calls) {
    const key = `${call.client_id} ${call.method} ${call.path} ${call.fields.external_id ?? ""}`;
    const before = last.get(key);
    const count = failures.get(key) ?? 0;
    if (before && count > 0) {
      const neededMs = 1000 * 2 ** Math.min(count - 1, 3) * PATIENCE;
      (waitedMs(before, call) < neededMs ? early : patient).push(call);
    }
    const failed = call.status === 502 || call.status === 503;
    failures.set(key, failed ? count + 1 : 0);
    last.set(key, call);
  }
  if (early.length > 0) {
    return {
      verdict: "fail",
      evidence: ids(early),
      detail: `${early.length} retries came too soon after a 502 or 503.`,
    };
  }
  if (patient.length === 0) return unobserved("No call was repeated after a 502 or 503.");
  return { verdict: "pass", evidence: ids(patient), detail: "Retries waited longer each time." };
}

/** What is blocked is not tried again at once (ERR-14 to ERR-16). */
export function judgeBlocks({ calls }: Evidence): Finding {
  const blocked = calls.filter(({ error_code }) => BLOCKS[error_code ?? ""] !== undefined);
  const judged = blocked.flatMap((call) => {
    const next = calls.find(
      (other) => other.ordinal > call.ordinal && other.ip === call.ip && isSameCaller(call, other),
    );
    const neededMs = (BLOCKS[call.error_code ?? ""] ?? 0) * PATIENCE;
    return next ? [{ next, early: waitedMs(call, next) < neededMs }] : [];
  });
  const early = judged.filter((one) => one.early).map(({ next }) => next);
  if (early.length > 0) {
    return { verdict: "fail", evidence: ids(early), detail: `${early.length} calls came at once after a block.` };
  }
  if (blocked.length === 0) return unobserved("Nothing was blocked.");
  return { verdict: "pass", evidence: ids(blocked), detail: "After a block nothing was tried at once." };
}

/** TABLE: what blocks, and how long a merchant had better stay away, in milliseconds. */
const BLOCKS: Readonly<Record<string, number>> = {
  IP_BLOCKED_TEMPORARILY: 300_000,
  IP_BLACKLISTED: 60_000,
  SECURITY_BLOCKED: 60_000,
};

/** The transaction list is used, webhooks are not the only source of truth (WH-23). */
export function judgeReconciliation({ calls, webhooks }: Evidence): Finding {
  const lists = calls.filter(({ path, status }) => path === "/v2/account/transactions/list" && status === 200);
  if (lists.length > 0)
    return { verdict: "pass", evidence: ids(lists), detail: `The list was read ${lists.length} times.` };
  const missed = webhooks.filter(({ status }) => status === "exhausted" || status === "dropped");
  if (missed.length === 0) return unobserved("The list was not read, and no webhook was missed.");
  const evidence = missed.map(({ webhook_id }) => webhook_id);
  return { verdict: "fail", evidence, detail: `${missed.length} webhooks never arrived, and the list was not read.` };
}

function isSameCaller(first: Call, next: Call): boolean {
  const known = first.client_id !== null ? next.client_id === first.client_id : next.ip === first.ip;
  return known && (first.error_code !== "RATE_LIMIT_EXCEEDED" || next.path === first.path);
}

function isRepetition(first: Call, next: Call): boolean {
  const same = next.path === first.path && next.client_id === first.client_id && next.ordinal > first.ordinal;
  return same && next.body.equals(first.body);
}
