/** The ordered record of all that happened in a world. */
import type { Added } from "./additions.ts";
import { countsOf } from "./counts.ts";
import type { Database } from "./database.ts";
import { LateIndex } from "./late-index.ts";
import { rowsWithin } from "./pages.ts";

/** One entry. `cause` is the sequence of the entry that led to it, `rule` the `file:line` of a scenario rule. */
export interface JournalEntry {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly subject: string | null;
  readonly cause: number | null;
  readonly rule: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A filter of entries; what is left out matches any. */
interface JournalFilter {
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
}

type Row = Omit<JournalEntry, "data"> & { data: string };

const ADDED = ["sequence", "at", "kind", "subject", "cause", "rule", "data"] as const;
const COLUMNS = ADDED.join(", ");

/** Entries by their sequence, which counts from 1; they are only ever added. */
export class JournalStore {
  readonly #database: Database;
  readonly #added: Added;
  readonly #bySubject: LateIndex;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("journal", ADDED);
    this.#bySubject = new LateIndex(database, "journal", "subject");
  }

  insert(entry: JournalEntry): void {
    const { sequence, at, kind, subject, cause, rule, data } = entry;
    this.#added.add([sequence, at, kind, subject, cause, rule, JSON.stringify(data)]);
  }

  /** The last entry's sequence and instant; zeros for an empty journal. */
  last(): { sequence: number; at: number } {
    const sql = "SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1";
    return this.#database.get(sql) ?? { sequence: 0, at: 0 };
  }

  get(sequence: number): JournalEntry | undefined {
    const row = this.#database.get<Row>(`SELECT ${COLUMNS} FROM journal WHERE sequence = ?`, sequence);
    return row && parse(row);
  }

  /** Entries after `sequence`, oldest first, narrowed by what is given. */
  after(sequence: number, limit: number, filter: JournalFilter = {}): JournalEntry[] {
    return this.#narrowed<Row>(COLUMNS, sequence, limit, filter).map(parse);
  }

  /** How many of these entries have at most `bytes` bytes of data together: at least 1; `limit` if all of them fit. */
  countWithin(bytes: number, sequence: number, limit: number, filter: JournalFilter = {}): number {
    const sizes = this.#narrowed<{ size: number }>("octet_length(data) AS size", sequence, limit, filter);
    return rowsWithin(bytes, sizes, limit);
  }

  /** Entries of a kind are found by a scan, those about a subject by its index. */
  #narrowed<Found>(columns: string, sequence: number, limit: number, { kind, subject }: JournalFilter): Found[] {
    if (subject !== undefined) this.#bySubject.seeToIt();
    const isIt = subject === undefined ? "" : "AND subject = ?";
    const isOfKind = kind === undefined ? "" : "AND kind = ?";
    const sql = `SELECT ${columns} FROM journal WHERE sequence > ? ${isIt} ${isOfKind} ORDER BY sequence LIMIT ? + 0`;
    const given = [subject, kind].filter((value) => value !== undefined);
    return this.#database.all<Found>(sql, sequence, ...given, limit);
  }

  /** Entries of a kind at sequences from `first` to `last`, oldest first. */
  ofKind(kind: string, first: number, last: number): JournalEntry[] {
    const sql = `SELECT ${COLUMNS} FROM journal WHERE sequence BETWEEN ? AND ? AND kind = ? ORDER BY sequence`;
    return this.#database.all<Row>(sql, first, last, kind).map(parse);
  }

  /** How often resources came into each state, not how often they stayed in it; by names such as `cashin.confirmed`. */
  countsByState(): ReadonlyMap<string, number> {
    const state = "json_extract(data, '$.resource') || '.' || json_extract(data, '$.to')";
    const sql = `SELECT ${state} AS name, count(*) AS count FROM journal
      WHERE kind = 'transition' AND json_extract(data, '$.from') IS NOT json_extract(data, '$.to') GROUP BY 1`;
    return countsOf(this.#database, sql);
  }

  /**
   * How many webhooks were delivered or given up in the entries after `before` up to `last`, each counted once, without
   * the delivery of extra copies. Counted in SQL, because an advance may have written a great many entries.
   */
  webhooksEnded(before: number, last: number): { delivered: number; failed: number } {
    const sql = `SELECT
      count(DISTINCT data ->> '$.webhook_id')
        FILTER (WHERE kind = 'webhook.delivered' AND data ->> '$.duplicate' IS NULL) AS delivered,
      count(*) FILTER (WHERE kind = 'webhook.exhausted') AS failed FROM journal WHERE sequence > ? AND sequence <= ?`;
    return this.#database.get(sql, before, last) ?? { delivered: 0, failed: 0 };
  }

  of(subject: string): JournalEntry[] {
    this.#bySubject.seeToIt();
    const sql = `SELECT ${COLUMNS} FROM journal WHERE subject = ? ORDER BY sequence`;
    return this.#database.all<Row>(sql, subject).map(parse);
  }

  /** The newest entries about a subject, at most `limit`, oldest first. @param before an exclusive upper sequence. */
  latestOf(subject: string, limit: number, before = Number.MAX_SAFE_INTEGER): JournalEntry[] {
    this.#bySubject.seeToIt();
    const sql = `SELECT ${COLUMNS} FROM journal WHERE subject = ? AND sequence < ? ORDER BY sequence DESC LIMIT ? + 0`;
    return this.#database.all<Row>(sql, subject, before, limit).map(parse).reverse();
  }

  /** The first entry about a subject: for a resource, that of its creation. */
  firstOf(subject: string): JournalEntry | undefined {
    this.#bySubject.seeToIt();
    const row = this.#database.get<Row>(
      `SELECT ${COLUMNS} FROM journal WHERE subject = ? ORDER BY sequence LIMIT 1`,
      subject,
    );
    return row && parse(row);
  }

  /** Like {@link latestOf}, for entries of one kind only. */
  latestOfKind(subject: string, kind: string, limit: number, before = Number.MAX_SAFE_INTEGER): JournalEntry[] {
    this.#bySubject.seeToIt();
    const sql = `SELECT ${COLUMNS} FROM journal WHERE subject = ? AND sequence < ? AND kind = ? || ''
      ORDER BY sequence DESC LIMIT ? + 0`;
    return this.#database.all<Row>(sql, subject, before, kind, limit).map(parse).reverse();
  }
}

function parse(row: Row): JournalEntry {
  return { ...row, data: JSON.parse(row.data) };
}
