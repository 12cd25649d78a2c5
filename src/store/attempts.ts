/** Attempts to deliver webhooks, from their start until their result is recorded. */
import type { AttemptError } from "../domain/attempt-error-kinds.ts";
import type { AttemptOutcome } from "../domain/attempt-outcomes.ts";
import type { Database } from "./database.ts";
import { Insertion } from "./insertion.ts";

/** An attempt under way; `timer` is the timer that started it, null for a re-delivery by hand. */
interface OpenAttempt {
  readonly webhook_id: string;
  readonly number: number;
  readonly manual: boolean;
  /** The wrong address that it is sent from (fault `source`); null for the sandbox's own. */
  readonly source: string | null;
  /** Whether it sends an extra copy (fault `duplicate`). */
  readonly duplicate: boolean;
  /** The journal entry that led to it: the event, the failed attempt before, or a control call. */
  readonly cause: number | null;
  readonly client_id: string;
  readonly at: number;
  readonly timer: { readonly due: number; readonly sequence: number } | null;
  readonly destination: string;
  readonly request_headers: Readonly<Record<string, string>>;
}

/** How an attempt ended. Status and kind of error go into the journal; the rest depends on the machine. */
export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  /** That of the answer, also of one that was broken off; null if none had begun. */
  readonly status: number | null;
  readonly response_headers: Readonly<Record<string, string | string[]>>;
  /** At most the first 64 KiB. */
  readonly response_body: Buffer;
  /** Whether there is more of the body than this: it is longer, or was broken off. */
  readonly response_truncated: boolean;
  /** Null if the answer is whole. */
  readonly error: AttemptError | null;
  readonly duration_ms: number;
}

/** The part of an attempt that is read when many are examined. */
export interface AttemptTrace {
  readonly position: number;
  readonly webhook_id: string;
  readonly manual: boolean;
  readonly source: string | null;
  readonly duplicate: boolean;
  readonly destination: string;
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly duration_ms: number;
}

/** The result of an attempt without an answer. */
export function unanswered(error: AttemptError, durationMs: number): AttemptResult {
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
  outcome: AttemptOutcome | null;
  status: number | null;
  response_headers: string | null;
  response_body: Buffer | null;
  response_truncated: number;
  error: string | null;
  duration_ms: number | null;
}

/** Its values are given one by one, in this order: every webhook needs it. */
const INSERT = new Insertion("attempts", [
  ...["webhook_id", "number", "manual", "source", "duplicate", "cause", "client_id", "at"],
  ...["timer_due", "timer_sequence", "destination", "request_headers"],
]).sql;

/** An attempt as it is shown. */
export type Attempt = ReturnType<typeof parseAttempt>;

/** Attempts by position and by webhook. */
export class AttemptStore {
  readonly #database: Database;
  /** Instants of attempts by credential, oldest first, as far back as {@link since} was asked for. */
  readonly #instants = new Map<string, number[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Forgets the remembered instants, because what was written may have been undone. */
  forget(): void {
    this.#instants.clear();
  }

  /** How many attempts there were. @param which `scheduled` leaves out those by hand and extra copies. */
  count(webhookId: string, which: "all" | "scheduled"): number {
    const narrowed = which === "all" ? "" : "AND manual = 0 AND duplicate = 0";
    const sql = `SELECT count(*) AS count FROM attempts WHERE webhook_id = ? ${narrowed}`;
    return this.#database.count(sql, webhookId);
  }

  /**
   * How many attempts of a credential's integration were made after an instant, without those by hand (`D61`).
   * @param after no earlier than in the call before: time does not go back.
   */
  since(clientId: string, after: number): number {
    const known = this.#instants.get(clientId) ?? this.#instantsAfter(clientId, after);
    const first = known.findIndex((at) => at > after);
    const since = first === 0 ? known : first < 0 ? [] : known.slice(first);
    this.#instants.set(clientId, since);
    return since.length;
  }

  #instantsAfter(clientId: string, after: number): number[] {
    const before = "SELECT position FROM attempts WHERE at <= ? ORDER BY position DESC LIMIT 1";
    const sql = `SELECT at FROM attempts WHERE position > ifnull((${before}), 0) AND client_id = ? AND manual = 0`;
    return this.#database.all<{ at: number }>(`${sql} ORDER BY position`, after, clientId).map(({ at }) => at);
  }

  /** Begins an attempt. @returns its position, for {@link close}. */
  open(attempt: OpenAttempt): number {
    if (!attempt.manual) this.#instants.get(attempt.client_id)?.push(attempt.at);
    return this.#database.insert(
      INSERT,
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

  close(position: number, result: AttemptResult): void {
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

  hasOpen(): boolean {
    return this.#database.get("SELECT 1 FROM attempts WHERE outcome IS NULL LIMIT 1") !== undefined;
  }

  /** The subjects of the webhooks that have an attempt under way. */
  openSubjects(): string[] {
    const sql = "SELECT DISTINCT subject FROM attempts JOIN webhooks USING (webhook_id) WHERE outcome IS NULL";
    return this.#database.all<{ subject: string }>(sql).map(({ subject }) => subject);
  }

  /** An attempt by its position. */
  get(position: number): Attempt | undefined {
    const row = this.#database.get<AttemptRow>("SELECT * FROM attempts WHERE position = ?", position);
    return row && parseAttempt(row);
  }

  /** Removes the attempts of timers that were under way when the process died. @returns them, to be made again. */
  takeOpen() {
    const areOpen = "outcome IS NULL AND timer_due IS NOT NULL";
    const open = this.#database.all<AttemptRow & { timer_due: number; timer_sequence: number }>(
      `SELECT * FROM attempts WHERE ${areOpen} ORDER BY position`,
    );
    this.#database.run(`DELETE FROM attempts WHERE ${areOpen}`);
    this.forget();
    return open.map((row) => ({
      webhook_id: row.webhook_id,
      timer: { due: row.timer_due, sequence: row.timer_sequence },
      source: row.source,
      duplicate: row.duplicate === 1,
      cause: row.cause,
    }));
  }

  /** The positions of the attempts by hand that are under way. */
  openByHand(): number[] {
    const sql = "SELECT position FROM attempts WHERE outcome IS NULL AND timer_due IS NULL ORDER BY position";
    return this.#database.all<{ position: number }>(sql).map(({ position }) => position);
  }

  /** Attempts that have ended, after a position, oldest first. */
  traces(after: number, limit: number): AttemptTrace[] {
    const sql = `SELECT position, webhook_id, manual, source, duplicate, destination, status, error, duration_ms
      FROM attempts WHERE position > ? AND outcome IS NOT NULL ORDER BY position LIMIT ? + 0`;
    const rows = this.#database.all<AttemptRow & { duration_ms: number }>(sql, after, limit);
    return rows.map((row) => ({ ...parseTrace(row), duration_ms: row.duration_ms }));
  }

  of(webhookId: string): Attempt[] {
    const sql = "SELECT * FROM attempts WHERE webhook_id = ? ORDER BY position";
    return this.#database.all<AttemptRow>(sql, webhookId).map(parseAttempt);
  }

  /** When each attempt to deliver a webhook was made, in their order. */
  instantsOf(webhookId: string): number[] {
    const sql = "SELECT at FROM attempts WHERE webhook_id = ? ORDER BY position";
    return this.#database.all<{ at: number }>(sql, webhookId).map(({ at }) => at);
  }
}

function parseTrace(row: AttemptRow): Omit<AttemptTrace, "duration_ms"> {
  return {
    position: row.position,
    webhook_id: row.webhook_id,
    manual: row.manual === 1,
    source: row.source,
    duplicate: row.duplicate === 1,
    destination: row.destination,
    status: row.status,
    error: row.error === null ? null : JSON.parse(row.error),
  };
}

function parseAttempt(row: AttemptRow) {
  return {
    ...parseTrace(row),
    number: row.number,
    cause: row.cause,
    at: row.at,
    request_headers: JSON.parse(row.request_headers) as Record<string, string>,
    outcome: row.outcome,
    response_headers: JSON.parse(row.response_headers ?? "{}") as AttemptResult["response_headers"],
    // Said, as an inferred type is published as `Buffer<ArrayBufferLike>`, which TypeScript before 5.7 does not know.
    response_body: row.response_body as Buffer | null,
    response_truncated: row.response_truncated === 1,
    duration_ms: row.duration_ms,
  };
}
