/** The only place that opens SQLite: one database per world, in memory or in a file. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";

/** What SQLite takes and gives. */
export type SqlValue = string | number | bigint | Buffer | null;

/** "PSBX": marks a file as a world of this product. */
const APPLICATION_ID = 0x50534258;

/** A data file that cannot be opened as a world; the message says which and why. */
export class StoreError extends Error {
  override readonly name = "StoreError";
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

/** A world without content, made once: worlds are made by the hundred. */
let template: Buffer | undefined;

/** Small ones: each of the many tables and indexes takes one at least, and most worlds have little in them. */
const PAGE_BYTES = 2048;

function emptyWorld(): Buffer {
  const sqlite = new Sqlite(":memory:");
  sqlite.pragma(`page_size = ${PAGE_BYTES}`);
  migrate(sqlite, ":memory:");
  const bytes = sqlite.serialize();
  sqlite.close();
  return bytes;
}

/**
 * A connection with prepared statements kept by their text, and transactions that nest.
 * Statements of `get`, `all`, `run` read integers as numbers; those of `exact…` as bigint, for amounts.
 */
export class Database {
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>();
  readonly #exact = new Map<string, Sqlite.Statement<unknown[]>>();
  readonly #begin: Sqlite.Statement<unknown[]>;
  readonly #commit: Sqlite.Statement<unknown[]>;
  readonly #rollback: Sqlite.Statement<unknown[]>;

  private constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite;
    this.#begin = sqlite.prepare("BEGIN IMMEDIATE");
    this.#commit = sqlite.prepare("COMMIT");
    this.#rollback = sqlite.prepare("ROLLBACK");
  }

  /** A new, empty world in memory. */
  static inMemory(): Database {
    template ??= emptyWorld();
    return Database.fromBytes(template);
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
      refuseForeignFile(path);
      const sqlite = new Sqlite(path, { timeout: 100 });
      sqlite.pragma("locking_mode = EXCLUSIVE");
      sqlite.pragma("journal_mode = WAL");
      sqlite.pragma("synchronous = NORMAL");
      // Checkpoints are what costs on a file: one per 32 MB of log instead of one per 4 MB.
      sqlite.pragma("wal_autocheckpoint = 16000");
      refuseDamaged(sqlite, path);
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
      refuseForeignFile(path);
      const sqlite = new Sqlite(withoutLog(readFileSync(path)));
      refuseDamaged(sqlite, path);
      migrate(sqlite, path);
      return new Database(sqlite);
    } catch (error) {
      throw asStoreError(path, error);
    }
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  run(sql: string, ...values: SqlValue[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  exactGet<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#exactStatement(sql).get(...values) as Row | undefined;
  }

  exactAll<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#exactStatement(sql).all(...values) as Row[];
  }

  /** Runs `work` in one transaction; inside another it becomes a savepoint. What it throws undoes what it wrote. */
  transaction<Result>(work: () => Result): Result {
    if (this.#sqlite.inTransaction) return this.#savepoint(work);
    this.#begin.run();
    try {
      const result = work();
      this.#commit.run();
      return result;
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#rollback.run();
      throw error;
    }
  }

  /** The whole database as bytes, for forks and snapshots; they open in memory and in a file alike. */
  serialize(): Buffer {
    return withoutLog(this.#sqlite.serialize());
  }

  close(): void {
    this.#sqlite.close();
  }

  #savepoint<Result>(work: () => Result): Result {
    this.run("SAVEPOINT inner_work");
    try {
      const result = work();
      this.run("RELEASE inner_work");
      return result;
    } catch (error) {
      // SQLITE_FULL and its like end the whole transaction by themselves.
      if (this.#sqlite.inTransaction) {
        this.run("ROLLBACK TO inner_work");
        this.run("RELEASE inner_work");
      }
      throw error;
    }
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

/** Looks before anything is written, so that a file that is not ours stays as it is. */
function refuseForeignFile(path: string): void {
  const header = readFileSync(path).subarray(0, 100);
  if (header.length < 100) throw new StoreError(`${path} is damaged: it ends before its header does.`);
  const ours = header.toString("latin1", 0, 15) === "SQLite format 3" && header.readUInt32BE(68) === APPLICATION_ID;
  if (!ours) throw new StoreError(`${path} is not a world of payments-sandbox.`);
  if (header.readUInt32BE(60) > migrations.length) {
    throw new StoreError(`${path} was written by a newer version of payments-sandbox.`);
  }
}

/** A page that is broken behind a whole header. */
function refuseDamaged(sqlite: Sqlite.Database, path: string): void {
  const verdict = sqlite.pragma("quick_check(1)", { simple: true });
  if (verdict === "ok") return;
  sqlite.close();
  throw new StoreError(`${path} is damaged: ${String(verdict).split("\n")[0]}.`);
}

function asStoreError(path: string, error: unknown): Error {
  if (error instanceof StoreError) return error;
  const code = (error as { code?: string }).code ?? "";
  if (code.startsWith("SQLITE_BUSY")) return new StoreError(`${path} is in use by another process.`);
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`${path} cannot be opened: ${reason}.`);
}
