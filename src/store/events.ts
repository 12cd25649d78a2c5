/** The events of a world for expectations: filtered before they are read, and counted without being read. */
import type { Database } from "./database.ts";
import { PROBE, type Webhook } from "./webhooks.ts";

/** The part of a webhook that an expectation tests. */
export type StoredEvent = Pick<
  Webhook,
  "position" | "webhook_id" | "event" | "username" | "client_id" | "body" | "status" | "created_at"
>;

/** A filter of events; null matches any. */
export interface EventFilter {
  /** Only events after this entry of the journal. */
  readonly afterEntry: number;
  readonly kinds: readonly string[];
  /** The latest instant at which they may have been created. */
  readonly until: number | null;
  readonly status: string | null;
  /** A text that their bodies contain. */
  readonly text: string | null;
}

const NARROWED = `entry > ? AND event IN (SELECT value FROM json_each(?)) AND subject_type <> '${PROBE}'
  AND (? IS NULL OR created_at <= ?) AND (? IS NULL OR status = ?) AND (? IS NULL OR instr(body, CAST(? AS BLOB)) > 0)`;

function narrowedBy({ afterEntry, kinds, until, status, text }: EventFilter) {
  return [afterEntry, JSON.stringify(kinds), until, until, status, status, text, text];
}

/** Webhooks without the probes of the readiness report, which are no events of the world. */
export class EventStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Events after a position, oldest first. */
  after(position: number, limit: number, filter: EventFilter): StoredEvent[] {
    const sql = `SELECT position, webhook_id, event, username, client_id, body, status, created_at FROM webhooks
      WHERE position > ? AND ${NARROWED} ORDER BY position LIMIT ? + 0`;
    return this.#database.all(sql, position, ...narrowedBy(filter), limit);
  }

  count(filter: EventFilter): number {
    const sql = `SELECT count(*) AS count FROM webhooks WHERE ${NARROWED}`;
    return this.#database.count(sql, ...narrowedBy(filter));
  }

  /** The kinds of events, in the order of the first of each. @param afterEntry only events after this journal entry. */
  kinds(afterEntry: number): string[] {
    const sql = `SELECT event FROM webhooks WHERE entry > ? AND subject_type <> '${PROBE}'
      GROUP BY event ORDER BY min(position)`;
    return this.#database.all<{ event: string }>(sql, afterEntry).map(({ event }) => event);
  }
}
