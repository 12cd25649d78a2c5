/** The only place that opens SQLite: one database per world, in memory or in a file. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import {
  APPLICATION_ID,
  asStoreError,
  BUSY_TIMEOUT_MS,
  refuseDamaged,
  refuseDamagedFile,
  refuseForeignFile,
} from "./data-files.ts";
import { Memory } from "./memory.ts";
import { StoreError } from "./store-error.ts";

export { StoreError };

/** What SQLite takes and gives. */
export type SqlValue = string | number | bigint | Buffer | null;

/** What is done with transactions that are committed together: told how the one they share has ended. */
export interface Group {
  /** Called inside the transaction, before it ends. */
  beforeCommit(): void;
  kept(): void;
  /** All of it has come to nothing. */
  undone(error: unknown): void;
}

/** Whether an error says that the disk takes nothing more; what was being written has been undone. */
export function isStorageFault(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return ["SQLITE_FULL", "ENOSPC", "EDQUOT", "EFBIG", "EIO"].includes(code) || code.startsWith("SQLITE_IOERR");
}

const migrationsFolder = join(dirname(fileURLToPath(import.meta.url)), "migrations");
const migrations = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith(".sql"))
  .sort()
  .map((name) => readFileSync(join(migrationsFolder, name), "utf8"));

/**
 * In memory small ones: each of the many tables and indexes takes one at least, and most worlds have little in them. In
 * a file those that the system writes anyway.
 */
export const PAGE_BYTES = { memory: 1024, file: 4096 } as const;

/**
 * A connection with prepared statements kept by their text, and transactions that nest.
 * In them it is `LIMIT ? + 0`: SQLite plans a statement anew for each value of a bare parameter there.
 * Statements of `get`, `all`, `run` read integers as numbers; those of `exact…` as bigint, for amounts.
 */
export class Database {
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>();
  readonly #memory = new Memory();
  readonly #exact = new Map<string, Sqlite.Statement<unknown[]>>();
  readonly #begin: Sqlite.Statement<unknown[]>;
  readonly #commit: Sqlite.Statement<unknown[]>;
  readonly #rollback: Sqlite.Statement<unknown[]>;
  readonly #savepoint: Sqlite.Statement<unknown[]>;
  readonly #release: Sqlite.Statement<unknown[]>;
  readonly #rollbackTo: Sqlite.Statement<unknown[]>;
  /** Whose transaction stays open between pieces of work. */
  #group: Group | null = null;
  #joined = false;
  /** What ended that transaction before its time. */
  #lostBy: unknown;

  private constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare("BEGIN IMMEDIATE");
    this.#commit = sqlite.prepare("COMMIT");
    this.#rollback = sqlite.prepare("ROLLBACK");
    this.#savepoint = sqlite.prepare("SAVEPOINT inner_work");
    this.#release = sqlite.prepare("RELEASE inner_work");
    this.#rollbackTo = sqlite.prepare("ROLLBACK TO inner_work");
  }

  /** A new, empty world in memory. @param pageBytes of its pages, and of those of a file that it is written to. */
  static inMemory(pageBytes: number = PAGE_BYTES.memory): Database {
    const sqlite = new Sqlite(":memory:");
    sqlite.pragma(`page_size = ${pageBytes}`);
    migrate(sqlite, ":memory:");
    return new Database(sqlite);
  }

  /** A world in memory from the bytes of {@link Database.serialize}. */
  static fromBytes(bytes: Buffer): Database {
    const sqlite = new Sqlite(bytes);
    sqlite.pragma("journal_mode = MEMORY");
    return new Database(sqlite);
  }

  /**
   * A world in a file, which is there.
   * @throws {StoreError} when the file is damaged, newer than this program, not ours, or in use.
   */
  static inFile(path: string): Database {
    try {
      refuseForeignFile(path, migrations.length);
      const isSound = refuseDamagedFile(path);
      const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
      sqlite.pragma("locking_mode = EXCLUSIVE");
      sqlite.pragma("journal_mode = WAL");
      sqlite.pragma("synchronous = NORMAL");
      // What a savepoint keeps to go back to would else be written to a file too.
      sqlite.pragma("temp_store = MEMORY");
      // Checkpoints are what costs on a file: one per 32 MB of log instead of one per 4 MB.
      sqlite.pragma("wal_autocheckpoint = 8000");
      if (!isSound) refuseDamaged(sqlite, path);
      migrate(sqlite, path);
      return new Database(sqlite);
    } catch (error) {
      throw asStoreError(path, error);
    }
  }

  /**
   * A copy in memory of a world in a file that nobody has open; the file stays as it is.
   * @throws {StoreError} as {@link Database.inFile}.
   */
  static copyOfFile(path: string): Database {
    try {
      refuseForeignFile(path, migrations.length);
      const sqlite = new Sqlite(withoutLog(readFileSync(path)));
      refuseDamaged(sqlite, path);
      migrate(sqlite, path);
      return new Database(sqlite);
    } catch (error) {
      throw asStoreError(path, error);
    }
  }

  /**
   * What `make` makes of the row that `sql` gets, where the same is asked over and over and the table seldom written:
   * remembered until something writes to it or is undone. Shared between those who ask: not to be changed.
   * @param table the one that `sql` reads.
   */
  recall<Row, Value>(table: string, sql: string, key: string, make: (row: Row | undefined) => Value): Value {
    const known = this.#memory.recall(table, sql, key);
    if (known !== undefined) return known.value as Value;
    const value = make(this.get<Row>(sql, key));
    this.#memory.remember(table, sql, key, value);
    return value;
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  run(sql: string, ...values: SqlValue[]): number {
    this.#memory.forgetWhatIsWrittenBy(sql);
    return this.#statement(sql).run(...values).changes;
  }

  /** Like {@link run}, of an INSERT. @returns the rowid of the row. */
  insert(sql: string, ...values: SqlValue[]): number {
    this.#memory.forgetWhatIsWrittenBy(sql);
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  exactGet<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#exactStatement(sql).get(...values) as Row | undefined;
  }

  exactAll<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#exactStatement(sql).all(...values) as Row[];
  }

  /**
   * Runs `work` in one transaction; inside another it becomes a savepoint. What it throws undoes what it wrote. An open
   * group is committed before.
   */
  transaction<Result>(work: () => Result): Result {
    if (!this.#joined) this.commitGroup();
    if (this.#sqlite.inTransaction) return this.#nested(work);
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      this.#undo(this.#rollback);
      throw error;
    }
  }

  /**
   * Runs `work` in a savepoint of a transaction that stays open for more, until {@link commitGroup}: a commit costs as
   * much as all else in a small piece of work, and much more on a file. The first that joins names the group.
   * @returns what `work` returns; it is not kept before the group has been told so.
   */
  join<Result>(group: Group, work: () => Result): Result {
    const isFirst = this.#group === null;
    this.#group ??= group;
    this.#joined = true;
    try {
      if (isFirst) this.#begin.run();
      return this.#nested(work);
    } catch (error) {
      // SQLITE_FULL and its like end the whole transaction by themselves.
      if (!this.#sqlite.inTransaction) this.#lostBy = error;
      throw error;
    } finally {
      this.#joined = false;
    }
  }

  /** Whether work has joined that is not committed yet. */
  get hasGroup(): boolean {
    return this.#group !== null;
  }

  /** Commits what has joined, if anything has; the group is told how it went. */
  commitGroup(): void {
    const [group, lostBy] = [this.#group, this.#lostBy];
    if (!group) return;
    [this.#group, this.#lostBy] = [null, undefined];
    try {
      if (lostBy) throw lostBy;
      group.beforeCommit();
      this.#commit.run();
    } catch (error) {
      this.#undo(this.#rollback);
      group.undone(error);
      return;
    }
    group.kept();
  }

  /** Grows with every row that is written. */
  get changes(): number {
    return this.get<{ count: number }>("SELECT total_changes() AS count")?.count ?? 0;
  }

  /** The bytes of what this database is after `work`, which is undone: it serves for the next one. */
  sample(work: () => void): Buffer {
    this.#begin.run();
    try {
      work();
      return this.#sqlite.serialize();
    } finally {
      this.#undo(this.#rollback);
    }
  }

  /** The whole database as bytes, for forks and snapshots; they open in memory and in a file alike. */
  serialize(): Buffer {
    this.commitGroup();
    return withoutLog(this.#sqlite.serialize());
  }

  /** Gives back the memory of pages that were read: for worlds that have been made and rest. */
  shrink(): void {
    this.#sqlite.pragma("shrink_memory");
  }

  close(): void {
    this.commitGroup();
    this.#sqlite.close();
  }

  #nested<Result>(work: () => Result): Result {
    this.#savepoint.run();
    try {
      const result = work();
      this.#release.run();
      return result;
    } catch (error) {
      this.#undo(this.#rollbackTo, this.#release);
      throw error;
    }
  }

  /** Unless SQLite has ended the whole transaction by itself. */
  #undo(...statements: Sqlite.Statement<unknown[]>[]): void {
    this.#memory.clear();
    if (this.#sqlite.inTransaction) for (const statement of statements) statement.run();
  }

  #statement(sql: string): Sqlite.Statement<unknown[]> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #exactStatement(sql: string): Sqlite.Statement<unknown[]> {
    const known = this.#exact.get(sql);
    if (known) return known;
    const statement = this.#sqlite.prepare(sql).safeIntegers(true);
    this.#exact.set(sql, statement);
    return statement;
  }
}

function migrate(sqlite: Sqlite.Database, path: string): void {
  const version = sqlite.pragma("user_version", { simple: true }) as number;
  if (version > migrations.length) throw new StoreError(`${path} was written by a newer version of payments-sandbox.`);
  if (version === migrations.length) return;
  sqlite.transaction(() => {
    for (const sql of migrations.slice(version)) sqlite.exec(sql);
    sqlite.pragma(`application_id = ${APPLICATION_ID}`);
    sqlite.pragma(`user_version = ${migrations.length}`);
  })();
}

/** Read and write version 1: a write-ahead log, which memory does not have, is asked for again by a file. */
function withoutLog(bytes: Buffer): Buffer {
  bytes[18] = 1;
  bytes[19] = 1;
  return bytes;
}
