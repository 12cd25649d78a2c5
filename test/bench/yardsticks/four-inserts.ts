/**
 * The least that a charge could be in SQLite: a transaction, its idempotency key, its timer and its journal entry, in
 * one transaction, with keys in order.
 */
import Sqlite from "better-sqlite3";

/** Each can be found again by the id of its transaction, as a service that answers for them must. */
const SCHEMA = `
  CREATE TABLE transactions (
    position INTEGER PRIMARY KEY, transaction_id TEXT NOT NULL UNIQUE, username TEXT NOT NULL, currency TEXT NOT NULL,
    amount INTEGER NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL, details TEXT NOT NULL
  );
  CREATE TABLE external_ids (
    external_id TEXT PRIMARY KEY, transaction_id TEXT NOT NULL, body_digest TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE timers (
    due INTEGER NOT NULL, sequence INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL,
    PRIMARY KEY (due, sequence)
  ) WITHOUT ROWID;
  CREATE INDEX timers_by_subject ON timers (subject);
  CREATE TABLE journal (
    sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, data TEXT NOT NULL
  );
  CREATE INDEX journal_by_subject ON journal (subject);`;

/** What is written of a charge. */
interface Written {
  readonly externalId: string;
  /** In minor units. */
  readonly amount: number;
}

const NOW_MS = Date.UTC(2026, 0, 1, 12);
const DETAILS = JSON.stringify({ text: "x".repeat(160) });
const DIGEST = "0123456789abcdef".repeat(4);

/**
 * Opens such a database.
 * @param file a new file, with a write-ahead log, or ":memory:".
 * @returns what writes one charge, in one transaction, and gives its id.
 */
export function fourInserts(file: string): (charge: Written) => string {
  const sqlite = new Sqlite(file);
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma("synchronous = NORMAL");
  sqlite.exec(SCHEMA);
  const transaction = sqlite.prepare("INSERT INTO transactions VALUES (?, ?, 'acme', 'BRL', ?, 'pending', ?, ?)");
  const externalId = sqlite.prepare("INSERT INTO external_ids VALUES (?, ?, ?)");
  const timer = sqlite.prepare("INSERT INTO timers VALUES (?, ?, 'charge.expiry', ?)");
  const journal = sqlite.prepare("INSERT INTO journal VALUES (?, ?, 'cashin.created', ?, ?)");
  let sequence = 0;
  return sqlite.transaction((charge: Written) => {
    const at = NOW_MS + ++sequence;
    const id = sequence.toString(16).padStart(32, "0");
    transaction.run(sequence, id, charge.amount, at, DETAILS);
    externalId.run(charge.externalId, id, DIGEST);
    timer.run(at, sequence, id);
    journal.run(sequence, at, id, DETAILS);
    return id;
  });
}
