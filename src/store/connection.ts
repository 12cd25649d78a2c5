/** An open SQLite database with its prepared statements, kept by their text. */
import type Sqlite from "better-sqlite3";

/** A prepared statement; its caller knows the type of its rows. */
export type Statement = Sqlite.Statement<unknown[]>;

/** An open database, whose statements are prepared once and kept as long as it is open. */
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

  /** Sets the savepoint of {@link rollbackTo}; prepared on first use, as a world that is only created needs none. */
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

  /** This connection, with all statements prepared that another one of the same tables has used. */
  preparedAs(other: Connection): this {
    for (const sql of other.#statements.keys()) this.statement(sql);
    for (const sql of other.#exact.keys()) this.exact(sql);
    return this;
  }

  /** Size of the database in bytes. */
  get size(): number {
    this.#pageBytes ??= this.sqlite.pragma("page_size", { simple: true }) as number;
    return this.#pageBytes * (this.statement("PRAGMA page_count").get() as { page_count: number }).page_count;
  }

  /** The whole database as bytes, which can be opened in memory and as a file. */
  serialize(): Buffer {
    return withoutLog(this.sqlite.serialize());
  }
}

/** Sets read and write version 1 in the header, no write-ahead log: memory has none, and a file asks for it again. */
export function withoutLog(bytes: Buffer): Buffer {
  bytes[18] = 1;
  bytes[19] = 1;
  return bytes;
}
