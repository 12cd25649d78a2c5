/** The outbox: events with their frozen bytes, and every attempt to deliver them. */
import { INBOX } from "../domain/destinations.ts";
import type { WebhookStatus } from "../domain/webhook-statuses.ts";
import type { Added } from "./additions.ts";
import { countsOf } from "./counts.ts";
import type { Database } from "./database.ts";
import { LateIndex } from "./late-index.ts";
import { rowsWithin } from "./pages.ts";
import { NARROWED_WEBHOOKS, narrowedBy, type WebhookFilter } from "./webhook-filter.ts";

/** The subject type of webhooks that were made up to see how a receiver takes them (interface, section 6). */
export const PROBE = "probe";

/** An event on its way to a receiver. */
export interface Webhook {
  readonly position: number;
  readonly webhook_id: string;
  /** The journal entry of the event. */
  readonly entry: number;
  readonly event: string;
  /** The resource that it tells of. */
  readonly subject_type: string;
  readonly subject: string;
  readonly transaction_id: string;
  readonly username: string;
  readonly client_id: string;
  readonly destination: string | null;
  readonly body: Buffer;
  readonly status: WebhookStatus;
  readonly created_at: number;
  /** Of the schedule; known when that attempt has ended. */
  readonly first_attempt_at: number | null;
  readonly next_attempt_at: number | null;
}

/** An attempt under way; `timer` is what it took, null for a re-delivery by hand. */
export interface OpenAttempt {
  readonly webhook_id: string;
  readonly number: number;
  readonly manual: boolean;
  /** A wrong address that it leaves from (fault `source`). */
  readonly source: string | null;
  /** Whether it is a further copy (fault `duplicate`). */
  readonly duplicate: boolean;
  /** The journal entry that led to it: the event, the failed attempt before, or a control call. */
  readonly cause: number | null;
  readonly client_id: string;
  readonly at: number;
  readonly timer: { readonly due: number; readonly sequence: number } | null;
  readonly destination: string;
  readonly request_headers: Readonly<Record<string, string>>;
}

/** How an attempt ended. `outcome` alone goes into the journal: the rest depends on the machine. */
export interface AttemptResult {
  readonly outcome: "delivered" | "refused" | "failed";
  readonly status: number | null;
  readonly response_headers: Readonly<Record<string, string | string[]>>;
  /** At most the first 64 KiB. */
  readonly response_body: Buffer;
  readonly response_truncated: boolean;
  /** What went wrong below HTTP, as a word such as `timeout`, and a sentence on it. */
  readonly error: { readonly kind: string; readonly message: string } | null;
  readonly duration_ms: number;
}

/** As much of an attempt as is judged of many. */
export interface AttemptTrace {
  readonly position: number;
  readonly webhook_id: string;
  readonly manual: boolean;
  readonly source: string | null;
  readonly duplicate: boolean;
  readonly destination: string;
  readonly status: number | null;
  readonly error: AttemptResult["error"];
  readonly duration_ms: number;
}

/** An attempt that no answer came of. */
export function unanswered(error: NonNullable<AttemptResult["error"]>, durationMs: number): AttemptResult {
  return {
    outcome: "failed",
    status: null,
    response_headers: {},
    response_body: Buffer.alloc(0),
    response_truncated: false,
    error,
    duration_ms: durationMs,
  };
}

interface AttemptRow {
  position: number;
  webhook_id: string;
  number: number;
  manual: number;
  source: string | null;
  duplicate: number;
  cause: number | null;
  client_id: string;
  at: number;
  timer_due: number | null;
  timer_sequence: number | null;
  destination: string;
  request_headers: string;
  outcome: AttemptResult["outcome"] | null;
  status: number | null;
  response_headers: string | null;
  response_body: Buffer | null;
  response_truncated: number;
  error: string | null;
  duration_ms: number | null;
}

/** An attempt as it is shown. */
export type Attempt = ReturnType<typeof parseAttempt>;

const ADDED = [
  ...["webhook_id", "entry", "event", "subject_type", "subject", "transaction_id", "username", "client_id"],
  ...["destination", "body", "status", "created_at", "first_attempt_at", "next_attempt_at"],
];
const COLUMNS = ADDED.join(", ");
const ONE = `SELECT position, ${COLUMNS} FROM webhooks WHERE webhook_id = ?`;

/** Webhooks by id and by position, their attempts, and what the inbox got. */
export class WebhookStore {
  readonly #database: Database;
  readonly #added: Added;
  /** Instants of attempts by credential, oldest first, as far back as was asked for. */
  readonly #attempts = new Map<string, number[]>();
  readonly #byTransaction: LateIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("webhooks", ADDED);
    this.#byTransaction = new LateIndex(database, "webhooks", "transaction_id");
  }

  /** What was written may have been undone: look again. */
  forget(): void {
    this.#attempts.clear();
  }

  insert(row: Omit<Webhook, "position">): void {
    this.#added.add([
      row.webhook_id,
      row.entry,
      row.event,
      row.subject_type,
      row.subject,
      row.transaction_id,
      row.username,
      row.client_id,
      row.destination,
      row.body,
      row.status,
      row.created_at,
      row.first_attempt_at,
      row.next_attempt_at,
    ]);
  }

  get(webhookId: string): Webhook | undefined {
    return this.#database.recall("webhooks", ONE, webhookId, (row?: Webhook) => row);
  }

  /** Webhooks whose envelope names this id as `transaction_id`, oldest first. */
  toldAs(transactionId: string): Webhook[] {
    this.#byTransaction.seeToIt();
    const sql = `SELECT position, ${COLUMNS} FROM webhooks WHERE transaction_id = ? ORDER BY position`;
    return this.#database.all(sql, transactionId);
  }

  /** Webhooks after a position, oldest first, narrowed by what is given. */
  after(position: number, limit: number, filter: WebhookFilter = {}): Webhook[] {
    const sql = `SELECT position, ${COLUMNS} FROM webhooks WHERE ${NARROWED_WEBHOOKS} ORDER BY position LIMIT ? + 0`;
    return this.#database.all(sql, ...narrowedBy(position, filter), limit);
  }

  /** How many of those, at most `limit`, have no more than so many bytes of bodies in all their attempts; one at least. */
  countWithin(bytes: number, position: number, limit: number, filter: WebhookFilter = {}): number {
    const attempt = "length(webhooks.body) + ifnull(length(response_headers), 0) + ifnull(length(response_body), 0)";
    const attempts = `SELECT ifnull(sum(${attempt}), 0) FROM attempts WHERE webhook_id = webhooks.webhook_id`;
    const sql = `SELECT length(body) + (${attempts}) AS size FROM webhooks WHERE ${NARROWED_WEBHOOKS} ORDER BY position LIMIT ? + 0`;
    return rowsWithin(bytes, this.#database.all(sql, ...narrowedBy(position, filter), limit), limit);
  }

  /** Webhooks after a position without their bodies, oldest first. */
  traces(after: number, limit: number): Omit<Webhook, "body">[] {
    const columns = COLUMNS.replace("body, ", "");
    const sql = `SELECT position, ${columns} FROM webhooks WHERE position > ? ORDER BY position LIMIT ? + 0`;
    return this.#database.all(sql, after, limit);
  }

  /** The newest webhook that a receiver of an account's took, at that destination where one is given. */
  lastTaken(username: string, destination: string | null = null): Webhook | undefined {
    const sql = `SELECT position, ${COLUMNS} FROM webhooks WHERE username = ? AND status = 'delivered'
      AND destination <> ? AND subject_type <> ? AND destination = ifnull(?, destination) ORDER BY position DESC LIMIT 1`;
    return this.#database.get(sql, username, INBOX, PROBE, destination);
  }

  /** @param attemptedAt when an attempt of the schedule, whose end this is, was made; null where it is none's. */
  setStatus(
    webhookId: string,
    status: WebhookStatus,
    nextAttemptAt: number | null,
    attemptedAt: number | null = null,
  ): void {
    const sql = `UPDATE webhooks SET status = ?, next_attempt_at = ?, put_back = NULL,
      first_attempt_at = ifnull(first_attempt_at, ?) WHERE webhook_id = ?`;
    this.#database.run(sql, status, nextAttemptAt, attemptedAt, webhookId);
  }

  /** Puts a webhook back that the rate has no room for. @param entry that tells of it, which the first one stays. */
  putBack(webhookId: string, nextAttemptAt: number, entry: number): void {
    const sql = `UPDATE webhooks SET status = 'throttled', next_attempt_at = ?, put_back = ifnull(put_back, ?)
      WHERE webhook_id = ?`;
    this.#database.run(sql, nextAttemptAt, entry, webhookId);
  }

  /** Whether another one of its credential, put back before it, comes again only after an instant. */
  comesAfterOther({ webhook_id, client_id }: Webhook, instant: number): boolean {
    const sql = `SELECT 1 FROM webhooks WHERE status = 'throttled' AND client_id = ? AND next_attempt_at > ?
      AND put_back < (SELECT put_back FROM webhooks WHERE webhook_id = ?) LIMIT 1`;
    return this.#database.get(sql, client_id, instant, webhook_id) !== undefined;
  }

  setDestination(webhookId: string, destination: string): void {
    this.#database.run("UPDATE webhooks SET destination = ? WHERE webhook_id = ?", destination, webhookId);
  }

  /** Events by kind. */
  countsByEvent(): ReadonlyMap<string, number> {
    const sql = `SELECT event AS name, count(*) AS count FROM webhooks WHERE subject_type <> '${PROBE}' GROUP BY 1`;
    return countsOf(this.#database, sql);
  }

  /** Failed cash-outs by their error code. */
  countsByCashoutError(): ReadonlyMap<string, number> {
    const code = "json_extract(CAST(body AS TEXT), '$.data.error_code')";
    const sql = `SELECT ${code} AS name, count(*) AS count FROM webhooks WHERE event = 'cashout.failed' GROUP BY 1`;
    return countsOf(this.#database, sql);
  }

  /** Webhooks that are still to be delivered. */
  countPending(): number {
    const sql = "SELECT count(*) AS count FROM webhooks WHERE status IN ('pending', 'throttled')";
    return this.#database.get<{ count: number }>(sql)?.count ?? 0;
  }

  /** All that is still to be sent goes to the inbox. */
  redirectToInbox(): void {
    this.#database.run("UPDATE webhooks SET destination = ? WHERE destination IS NOT NULL", INBOX);
  }

  /** Attempts so far on the schedule, those by hand and further copies left out. */
  scheduledAttempts(webhookId: string): number {
    const sql = "SELECT count(*) AS count FROM attempts WHERE webhook_id = ? AND manual = 0 AND duplicate = 0";
    return this.#database.get<{ count: number }>(sql, webhookId)?.count ?? 0;
  }

  /**
   * Attempts of a credential's integration after an instant, those by hand left out (`D61`).
   * @param after no earlier than what was asked before: time does not go back.
   */
  attemptsSince(clientId: string, after: number): number {
    const known = this.#attempts.get(clientId) ?? this.#attemptsAfter(clientId, after);
    const first = known.findIndex((at) => at > after);
    const since = first === 0 ? known : first < 0 ? [] : known.slice(first);
    this.#attempts.set(clientId, since);
    return since.length;
  }

  #attemptsAfter(clientId: string, after: number): number[] {
    const before = "SELECT position FROM attempts WHERE at <= ? ORDER BY position DESC LIMIT 1";
    const sql = `SELECT at FROM attempts WHERE position > ifnull((${before}), 0) AND client_id = ? AND manual = 0`;
    return this.#database.all<{ at: number }>(`${sql} ORDER BY position`, after, clientId).map(({ at }) => at);
  }

  /** Begins an attempt. @returns its position, to finish it by. */
  openAttempt(attempt: OpenAttempt): number {
    const sql = `INSERT INTO attempts (webhook_id, number, manual, source, duplicate, cause, client_id, at, timer_due, timer_sequence, destination,
      request_headers) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    if (!attempt.manual) this.#attempts.get(attempt.client_id)?.push(attempt.at);
    return this.#database.insert(
      sql,
      attempt.webhook_id,
      attempt.number,
      attempt.manual ? 1 : 0,
      attempt.source,
      attempt.duplicate ? 1 : 0,
      attempt.cause,
      attempt.client_id,
      attempt.at,
      attempt.timer?.due ?? null,
      attempt.timer?.sequence ?? null,
      attempt.destination,
      JSON.stringify(attempt.request_headers),
    );
  }

  closeAttempt(position: number, result: AttemptResult): void {
    this.#database.run(
      `UPDATE attempts SET outcome = ?, status = ?, response_headers = ?, response_body = ?, response_truncated = ?,
        error = ?, duration_ms = ? WHERE position = ?`,
      result.outcome,
      result.status,
      JSON.stringify(result.response_headers),
      result.response_body,
      result.response_truncated ? 1 : 0,
      result.error && JSON.stringify(result.error),
      result.duration_ms,
      position,
    );
  }

  hasOpenAttempts(): boolean {
    return this.#database.get("SELECT 1 FROM attempts WHERE outcome IS NULL LIMIT 1") !== undefined;
  }

  /** An attempt by its position. */
  attempt(position: number): Attempt | undefined {
    const row = this.#database.get<AttemptRow>("SELECT * FROM attempts WHERE position = ?", position);
    return row && parseAttempt(row);
  }

  /** Attempts that were in the air when the process died; they are taken out to be made again. */
  takeOpenAttempts() {
    const open = this.#database.all<AttemptRow>("SELECT * FROM attempts WHERE outcome IS NULL ORDER BY position");
    this.#database.run("DELETE FROM attempts WHERE outcome IS NULL");
    this.forget();
    return open.map((row) => ({
      webhook_id: row.webhook_id,
      due: row.timer_due,
      sequence: row.timer_sequence,
      source: row.source,
      duplicate: row.duplicate === 1,
      cause: row.cause,
    }));
  }

  /** Attempts that have ended, after a position, oldest first. */
  attemptTraces(after: number, limit: number): AttemptTrace[] {
    const sql = `SELECT position, webhook_id, manual, source, duplicate, destination, status, error, duration_ms
      FROM attempts WHERE position > ? AND outcome IS NOT NULL ORDER BY position LIMIT ? + 0`;
    return this.#database.all<AttemptRow & { duration_ms: number }>(sql, after, limit).map((row) => ({
      position: row.position,
      webhook_id: row.webhook_id,
      manual: row.manual === 1,
      source: row.source,
      duplicate: row.duplicate === 1,
      destination: row.destination,
      status: row.status,
      error: row.error === null ? null : JSON.parse(row.error),
      duration_ms: row.duration_ms,
    }));
  }

  attemptsOf(webhookId: string): Attempt[] {
    const sql = "SELECT * FROM attempts WHERE webhook_id = ? ORDER BY position";
    return this.#database.all<AttemptRow>(sql, webhookId).map(parseAttempt);
  }

  putInInbox(at: number, webhookId: string, headers: Readonly<Record<string, string>>, body: Buffer): void {
    const sql = "INSERT INTO inbox (at, webhook_id, headers, body) VALUES (?, ?, ?, ?)";
    this.#database.run(sql, at, webhookId, JSON.stringify(headers), body);
  }

  inboxAfter(position: number, limit: number): { position: number; at: number; headers: object; body: Buffer }[] {
    const sql = "SELECT position, at, headers, body FROM inbox WHERE position > ? ORDER BY position LIMIT ? + 0";
    return this.#database
      .all<{ position: number; at: number; headers: string; body: Buffer }>(sql, position, limit)
      .map((row) => ({ ...row, headers: JSON.parse(row.headers) }));
  }
}

function parseAttempt(row: AttemptRow) {
  return {
    number: row.number,
    position: row.position,
    webhook_id: row.webhook_id,
    manual: row.manual === 1,
    source: row.source,
    duplicate: row.duplicate === 1,
    cause: row.cause,
    at: row.at,
    destination: row.destination,
    request_headers: JSON.parse(row.request_headers) as Record<string, string>,
    outcome: row.outcome,
    status: row.status,
    response_headers: JSON.parse(row.response_headers ?? "{}") as AttemptResult["response_headers"],
    response_body: row.response_body,
    response_truncated: row.response_truncated === 1,
    error: row.error ? (JSON.parse(row.error) as { kind: string; message: string }) : null,
    duration_ms: row.duration_ms,
  };
}
