/** An open SQLite database with its prepared statements, kept by their text. */
import type Sqlite from "better-sqlite3";

/** A prepared statement; what its rows hold is for its caller to say. */
export type Statement = Sqlite.Statement<unknown[]>;

/** A database that is open, its statements prepared once and kept for as long as it is. */
export class Connection {
  readonly sqlite: Sqlite.Database;
  readonly begin: Statement;
  readonly commit: Statement;
  readonly rollback: Statement;
  readonly rollbackTo: Statement;
  #pageBytes: number | null = null;
  readonly #statements = new Map<string, Statement>();
  readonly #exact = new Map<string, Statement>();

  constructor(sqlite: Sqlite.Database) {
    this.sqlite = sqlite;
    this.begin = sqlite.prepare("BEGIN IMMEDIATE");
    this.commit = sqlite.prepare("COMMIT");
    this.rollback = sqlite.prepare("ROLLBACK");
    this.rollbackTo = sqlite.prepare("ROLLBACK TO inner_work");
  }

  /** Opens what {@link rollbackTo} goes back to; a world that is only made has no use for it. */
  get savepoint(): Statement {
    return this.statement("SAVEPOINT inner_work");
  }

  get release(): Statement {
    return this.statement("RELEASE inner_work");
  }

  /** A statement that reads integers as numbers. */
  statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** A statement that reads integers as bigint. */
  exact(sql: string): Statement {
    const known = this.#exact.get(sql);
    if (known) return known;
    const statement = this.sqlite.prepare(sql).safeIntegers(true);
    this.#exact.set(sql, statement);
    return statement;
  }

  /** In bytes. */
  get size(): number {
    this.#pageBytes ??= this.sqlite.pragma("page_size", { simple: true }) as number;
    return this.#pageBytes * (this.statement("PRAGMA page_count").get() as { page_count: number }).page_count;
  }

  /** The whole database as bytes, which open in memory and in a file alike. */
  serialize(): Buffer {
    return withoutLog(this.sqlite.serialize());
  }
}

/** Read and write version 1: a write-ahead log, which memory does not have, is asked for again by a file. */
export function withoutLog(bytes: Buffer): Buffer {
  bytes[18] = 1;
  bytes[19] = 1;
  return bytes;
}
