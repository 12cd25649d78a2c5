/** The outbox: events with their frozen bytes. */
import { INBOX } from "../domain/destinations.ts";
import type { WebhookStatus } from "../domain/webhook-statuses.ts";
import type { Added } from "./additions.ts";
import { countsOf } from "./counts.ts";
import type { Database } from "./database.ts";
import { LateIndex } from "./late-index.ts";
import { rowsWithin } from "./pages.ts";
import { NARROWED_WEBHOOKS, narrowedBy, type WebhookFilter } from "./webhook-filter.ts";

/** The subject type of probes: webhooks made up to test how a receiver handles them (interface, section 6). */
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
  /** The instant of the first attempt of the schedule; null until that attempt has ended. */
  readonly first_attempt_at: number | null;
  readonly next_attempt_at: number | null;
}

const ADDED = [
  ...["webhook_id", "entry", "event", "subject_type", "subject", "transaction_id", "username", "client_id"],
  ...["destination", "body", "status", "created_at", "first_attempt_at", "next_attempt_at"],
];
const COLUMNS = ADDED.join(", ");
const ONE = `SELECT position, ${COLUMNS} FROM webhooks WHERE webhook_id = ?`;

/** Webhooks by id and by position. */
export class WebhookStore {
  readonly #database: Database;
  readonly #added: Added;
  readonly #byTransaction: LateIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("webhooks", ADDED);
    this.#byTransaction = new LateIndex(database, "webhooks", "transaction_id");
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

  /** How many of these have at most `bytes` bytes in bodies and attempts: at least 1; `limit` if all of them fit. */
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

  /** The newest webhook of an account that a receiver accepted, at `destination` if given; no probes, no inbox. */
  lastTaken(username: string, destination: string | null = null): Webhook | undefined {
    const sql = `SELECT position, ${COLUMNS} FROM webhooks WHERE username = ? AND status = 'delivered'
      AND destination <> ? AND subject_type <> ? AND destination = ifnull(?, destination) ORDER BY position DESC LIMIT 1`;
    return this.#database.get(sql, username, INBOX, PROBE, destination);
  }

  /** @param attemptedAt when the scheduled attempt whose result this is was made; null if there is none. */
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

  /** Puts back a webhook that exceeds the rate. @param entry the journal entry of this; the first one is kept. */
  putBack(webhookId: string, nextAttemptAt: number, entry: number): void {
    const sql = `UPDATE webhooks SET status = 'throttled', next_attempt_at = ?, put_back = ifnull(put_back, ?)
      WHERE webhook_id = ?`;
    this.#database.run(sql, nextAttemptAt, entry, webhookId);
  }

  /** The last webhook of its credential that was put back before it and whose own timer is due after that place. */
  putBackBefore(
    { webhook_id, client_id }: Webhook,
    { due, sequence }: { readonly due: number; readonly sequence: number },
  ): { readonly webhook_id: string; readonly next_attempt_at: number } | undefined {
    const sql = `SELECT webhook_id, next_attempt_at FROM webhooks AS other WHERE status = 'throttled' AND client_id = ?
      AND put_back < (SELECT put_back FROM webhooks WHERE webhook_id = ?) AND EXISTS (SELECT 1 FROM timers
        WHERE subject = other.webhook_id AND due = other.next_attempt_at AND (due, sequence) > (?, ?))
      ORDER BY put_back DESC LIMIT 1`;
    return this.#database.get(sql, client_id, webhook_id, due, sequence);
  }

  setDestination(webhookId: string, destination: string): void {
    this.#database.run("UPDATE webhooks SET destination = ? WHERE webhook_id = ?", destination, webhookId);
  }

  /** How many events there were, by kind. */
  countsByEvent(): ReadonlyMap<string, number> {
    const sql = `SELECT event AS name, count(*) AS count FROM webhooks WHERE subject_type <> '${PROBE}' GROUP BY 1`;
    return countsOf(this.#database, sql);
  }

  /** How many cash-outs failed, by error code. */
  countsByCashoutError(): ReadonlyMap<string, number> {
    const code = "json_extract(CAST(body AS TEXT), '$.data.error_code')";
    const sql = `SELECT ${code} AS name, count(*) AS count FROM webhooks WHERE event = 'cashout.failed' GROUP BY 1`;
    return countsOf(this.#database, sql);
  }

  /** Webhooks that are still to be delivered. */
  countPending(): number {
    const sql = "SELECT count(*) AS count FROM webhooks WHERE status IN ('pending', 'throttled')";
    return this.#database.count(sql);
  }

  /** All further attempts go to the inbox, if there was a destination. */
  redirectToInbox(): void {
    this.#database.run("UPDATE webhooks SET destination = ? WHERE destination IS NOT NULL", INBOX);
  }
}
