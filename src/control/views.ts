/** How the control interface shows what a world holds. */
import { formatAmount } from "../domain/money.ts";
import type { LiveWorld } from "../host/live-world.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import type { SnapshotInfo } from "../host/snapshots.ts";
import type { CallFinding } from "../insight/readiness/findings.ts";
import { balanceEntries } from "../service/accounts.ts";
import { actionsAllowed } from "../service/actions.ts";
import { transactionFields } from "../service/transactions.ts";
import type { Account, Credential } from "../store/accounts.ts";
import type { Attempt } from "../store/attempts.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LedgerPosting } from "../store/ledger.ts";
import type { LoggedRequest } from "../store/logged-calls.ts";
import { type Timer, timerId } from "../store/timers.ts";
import type { Transaction } from "../store/transactions.ts";
import type { Webhook } from "../store/webhooks.ts";
import { answerHeaders } from "../world/answer-headers.ts";
import { formatInstant, formatInstantOrNull } from "../world/instants.ts";
import type { World } from "../world/world.ts";

/** The address of a world below the process's own. */
function baseUrl(root: string, id: string): string {
  return id === DEFAULT_WORLD ? root : `${root}/worlds/${id}`;
}

/** The answer of `GET /`. */
export function worldView(live: LiveWorld, root: string) {
  const { world } = live;
  return {
    world: world.id,
    base_url: baseUrl(root, world.id),
    clock: clockView(live),
    seed: world.identity.seed,
    settings: world.settings,
    scenarios: live.scenarios.names,
    accounts: world.accounts.all().map((account) => accountView(world, account)),
  };
}

/** The answer of `GET /clock`. */
export function clockView({ world }: LiveWorld) {
  const next = world.timers.next();
  return {
    mode: world.clock.mode,
    speed: world.clock.speed,
    now: formatInstant(world.clock.now()),
    pending_timers: world.timers.count(),
    next_timer_at: next ? formatInstant(next.due) : null,
  };
}

/** An account with its balances and credentials. */
export function accountView(world: World, account: Account) {
  const { username, name, document, email, status, postback_url, created_at } = account;
  return {
    username,
    name,
    document,
    email,
    status,
    postback_url,
    created_at: formatInstant(created_at),
    balances: balanceEntries(world, username),
    credentials: world.accounts.credentialsOf(username).map(credentialView),
  };
}

/** A credential with its secrets, unmasked; `postback_url` is its own, null where it inherits the account's (`D46`). */
export function credentialView({ client_id, client_secret, signing_key, postback_url }: Credential) {
  return { client_id, client_secret, signing_key, postback_url };
}

/** A transaction as it is listed. */
export function transactionView(world: World, row: Transaction) {
  const { qr_code, address, clabe, confirmations, split, wallet_id, depositor } = row.details;
  const { reason, error_code, error_message } = row.details;
  const scale = world.currencies.scale(row.currency);
  const paid = { qr_code, address, clabe, confirmations, split, wallet_id, depositor };
  const own = { ...paid, reason, error_code, error_message };
  return {
    ...transactionFields(world, row),
    client_id: row.client_id,
    postback_url: row.postback_url,
    amount_refunded: formatAmount(row.refunded, scale),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
    actions: actionsAllowed(world, row.type, row.transaction_id, row.status),
  };
}

/** All that is known of a transaction. */
export function transactionDetail(world: World, row: Transaction) {
  return { ...transactionView(world, row), ...known(world, row.transaction_id) };
}

/** What the ledger, the clock and the journal know of a resource. */
export function known(world: World, id: string) {
  return {
    postings: world.ledger.of(id).map((posting) => postingView(world, posting)),
    timers: world.timers.of(id).map(timerView),
    journal: world.journal.of(id).map(entryView),
  };
}

/**
 * A posting as it is listed, its amount at full scale (`D01`); `cause` is the sequence of the journal entry that it
 * belongs to.
 */
export function postingView(world: World, posting: LedgerPosting) {
  const { position, entry, at, subject, source, destination, currency, amount } = posting;
  const text = world.currencies.format(amount, currency);
  return { id: position, at: formatInstant(at), subject, source, destination, currency, amount: text, cause: entry };
}

/** A snapshot as it is listed. */
export function snapshotView({ name, at, entries }: SnapshotInfo) {
  return { name, at: formatInstant(at), entries };
}

/** A timer as it is listed. */
export function timerView(timer: Timer) {
  const { due, kind, subject, cause, rule, recurring } = timer;
  return { id: timerId(timer), at: formatInstant(due), kind, subject, recurring, cause, rule };
}

/**
 * A journal entry as it is listed, streamed and traced; `cause` is the sequence of the entry that led to it, null for
 * none.
 */
export function entryView({ at, ...entry }: JournalEntry) {
  const { sequence, kind, subject, cause, rule, data } = entry;
  return { sequence, at: formatInstant(at), kind, subject, cause, rule, data };
}

/**
 * A webhook with every attempt; `headers` are those of the last one, null before the first. `envelope` equals `body`:
 * interface, section 4 has that name, though a `wallet_deposit` has no envelope (`D66`).
 */
export function webhookView(world: World, webhook: Webhook) {
  const { webhook_id, event, transaction_id, username, client_id, destination, status } = webhook;
  const attempts = world.attempts.of(webhook_id).map((attempt) => attemptView(attempt, webhook));
  const body = JSON.parse(webhook.body.toString());
  return {
    webhook_id,
    event,
    transaction_id,
    subject: webhook.subject,
    username,
    client_id,
    destination,
    status,
    created_at: formatInstant(webhook.created_at),
    next_attempt_at: formatInstantOrNull(webhook.next_attempt_at),
    body,
    envelope: body,
    headers: attempts.at(-1)?.request.headers ?? null,
    attempts,
  };
}

function attemptView(attempt: Attempt, webhook: Webhook) {
  const { number, manual, source, duplicate, at, destination, request_headers, outcome, status, error, duration_ms } =
    attempt;
  const { response_headers, response_body, response_truncated } = attempt;
  const body = response_body?.toString() ?? "";
  return {
    number,
    manual,
    duplicate,
    source,
    at: formatInstant(at),
    outcome,
    request: { method: "POST" as const, url: destination, headers: request_headers, body: webhook.body.toString() },
    response: status === null ? null : { status, headers: response_headers, body, truncated: response_truncated },
    error,
    duration_ms,
  };
}

/**
 * A call of `/v2`. Its duration is only how long a fault held its answer back; `findings` are those of the readiness
 * report.
 */
export function requestView(row: LoggedRequest, findings: readonly CallFinding[] = []) {
  const { request_id, at, client_id, ip, method, path, query, headers, status, error_code } = row;
  return {
    request_id,
    at: formatInstant(at),
    client_id,
    ip,
    method,
    path,
    query,
    headers,
    body: row.body.toString(),
    status,
    error_code,
    response: { headers: answerHeaders(row), body: row.response_body.toString() },
    duration_ms: row.duration_ms,
    findings,
  };
}
