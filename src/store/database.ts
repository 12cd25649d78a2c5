/** The only place that opens SQLite: one database per world, in memory or in a file. */
import { readFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type Added, Additions } from "./additions.ts";
import { Commits } from "./commits.ts";
import { Connection, withoutLog } from "./connection.ts";
import { openAhead, openBytes, openCopy } from "./copies.ts";
import { BUSY_TIMEOUT_MS, openingFault, refuseDamaged, refuseDamagedFile, refuseForeignFile } from "./data-files.ts";
import { FigureChanges, Figures, type FigureTable } from "./figures.ts";
import type { Group } from "./group.ts";
import type { Insertion } from "./insertion.ts";
import { Memory, type MemoryKey } from "./memory.ts";
import { migrate, NEWEST_VERSION } from "./migrations.ts";
import type { SqlValue } from "./sql-value.ts";
import { isStorageFault } from "./storage-fault.ts";

/** Size in bytes up to which serializing a database in memory, and opening it again, takes no noticeable time. */
const MOST_TO_COPY = 500_000;

/** The same for an unchanged copy, which need not be serialized: the bytes that it came from are still there. */
const MOST_TO_COPY_AGAIN = 8_000_000;

/** The bytes of a new, empty world: making one from nothing means running all migrations. */
let emptyBytes: Buffer | undefined;

/** The bytes that a database is a copy of, and the function that turns the copy into a world of its own. */
interface Copied {
  readonly bytes: Buffer;
  readonly finish: (database: Database) => void;
}

/**
 * A database with transactions that nest.
 * Its statements have `LIMIT ? + 0` and, in frequent queries with an order, `column = ? || ''`: SQLite plans a
 * statement anew for each value of a bare parameter there.
 * Statements of `get`, `all`, `run` read integers as numbers; those of `exact…` as bigint, for amounts.
 */
export class Database {
  /** Null while the database rests, see {@link rest}. */
  #open: Connection | null;
  /** The bytes of the database while it rests; for a copy, those before {@link Copied.finish}. */
  #resting: Buffer | null = null;
  /** What it is a copy of; null if it is no copy, or had been changed when it came to rest. */
  #copied: Copied | null = null;
  /** How many rows have been written, also by earlier connections. */
  #changes = 0;
  #isClosed = false;
  readonly #memory = new Memory();
  readonly #figures = new FigureChanges();
  readonly #additions = new Additions((sql, values) => this.#write(sql, values));
  readonly #commits = new Commits(() => this.#connection, this.#figures, this.#additions, this.#memory);

  private constructor(connection: Connection) {
    this.#open = connection;
  }

  /** A new, empty world in memory. */
  static inMemory(): Database {
    const sqlite = new Sqlite(":memory:");
    migrate(sqlite, ":memory:");
    return new Database(new Connection(sqlite));
  }

  /** As {@link Database.inMemory}, for many worlds: each is a copy of one that is made once. */
  static oneOfMany(): Database {
    if (emptyBytes === undefined) {
      const first = Database.inMemory();
      emptyBytes = first.serialize();
      first.close();
    }
    return Database.fromBytes(emptyBytes);
  }

  /**
   * A world in memory from the bytes of {@link Database.serialize}, of this version of the program or an older one.
   * @param finish is applied to the copy, and again to a new copy after a rest, where it must have the same effect.
   */
  static fromBytes(bytes: Buffer, finish: Copied["finish"] = () => {}): Database {
    const database = new Database(openCopy(bytes));
    database.#copied = { bytes, finish };
    database.#finishCopy();
    return database;
  }

  /** To be called where nobody waits: as {@link openAhead}, for one more copy of the bytes of this one. */
  openNext(): void {
    if (this.#copied && this.#open) openAhead(this.#copied.bytes, this.#open);
  }

  /**
   * A world in an existing file.
   * @throws {StoreError} when the file is damaged, newer than this program, not ours, or in use.
   * @throws the system's error when no further file can be opened.
   */
  static inFile(path: string): Database {
    try {
      refuseForeignFile(path, NEWEST_VERSION);
      const isSound = refuseDamagedFile(path);
      const sqlite = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
      return closedIfNot(sqlite, () => {
        sqlite.pragma("locking_mode = EXCLUSIVE");
        sqlite.pragma("journal_mode = WAL");
        sqlite.pragma("synchronous = NORMAL");
        // Otherwise the rollback data of savepoints would be written to a file.
        sqlite.pragma("temp_store = MEMORY");
        // Checkpoints are what costs on a file: one per 32 MB of log instead of one per 4 MB.
        sqlite.pragma("wal_autocheckpoint = 8000");
        if (!isSound) refuseDamaged(sqlite, path);
        migrate(sqlite, path);
        return new Database(new Connection(sqlite));
      });
    } catch (error) {
      throw openingFault(path, error);
    }
  }

  /**
   * A copy in memory of a world in a file that nobody has open; the file stays as it is.
   * @throws {StoreError} as {@link Database.inFile}.
   */
  static copyOfFile(path: string): Database {
    try {
      refuseForeignFile(path, NEWEST_VERSION);
      const sqlite = new Sqlite(withoutLog(readFileSync(path)));
      return closedIfNot(sqlite, () => {
        refuseDamaged(sqlite, path);
        migrate(sqlite, path);
        return new Database(new Connection(sqlite));
      });
    } catch (error) {
      throw openingFault(path, error);
    }
  }

  /**
   * What `make` returns for the row that `sql` selects, cached as by {@link remembered}: for frequent queries of a
   * table that is seldom written.
   * @param table the table that `sql` reads.
   */
  recall<Row, Value>(table: string, sql: string, key: string, make: (row: Row | undefined) => Value): Value {
    return this.remembered({ table, what: sql, key }, () => make(this.get<Row>(sql, key)));
  }

  /**
   * What `make` derives from a table, cached until something writes to the table or anything is undone. Callers share
   * the value and must not change it.
   */
  remembered<Value>(of: MemoryKey, make: () => Value): Value {
    const known = this.#memory.recall(of);
    if (known !== undefined) return known.value as Value;
    const value = make();
    this.#memory.remember(of, value);
    return value;
  }

  /**
   * A map of what is known of rows that this database has written; it is emptied whenever something is undone.
   * @param name users of the same name share the map.
   */
  knownUntilUndone<Value>(name: string): Map<string, Value> {
    return this.#memory.map(name);
  }

  /** Figures of a table, which are written when a transaction is committed. */
  figures<Value>(table: FigureTable<Value>): Figures<Value> {
    return new Figures(table, this.#figures, () => this.#commits.isInTransaction);
  }

  /** New rows of a table, which are written together. @param columns the order of their values. */
  additions(table: string, columns: readonly string[]): Added {
    const added = this.#additions.to(table, columns);
    const add = (values: readonly SqlValue[]) => {
      this.#memory.forget(table);
      added.add(values);
      if (this.#commits.isInTransaction) return;
      this.#additions.write();
      this.#additions.keep();
    };
    return { add, find: (isMeant) => added.find(isMeant) };
  }

  /** As {@link get}, but it neither writes the new rows of the table that still wait nor finds them. */
  getWritten<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#connection.statement(sql).get(...values) as Row | undefined;
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#additions.writeWhatConcerns(sql);
    return this.#connection.statement(sql).get(...values) as Row | undefined;
  }

  /** The `count` of the one row of a query that counts. */
  count(sql: string, ...values: SqlValue[]): number {
    this.#additions.writeWhatConcerns(sql);
    return (this.#connection.statement(sql).get(...values) as { count: number }).count;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    this.#additions.writeWhatConcerns(sql);
    return this.#connection.statement(sql).all(...values) as Row[];
  }

  run(sql: string, ...values: SqlValue[]): number {
    this.#additions.writeWhatConcerns(sql);
    return this.#write(sql, values).changes;
  }

  /** Like {@link run}, of an INSERT. @returns the rowid of the row. */
  insert(sql: string, ...values: SqlValue[]): number {
    this.#additions.writeWhatConcerns(sql);
    return Number(this.#write(sql, values).lastInsertRowid);
  }

  /** Adds a row, as {@link insert} does. @returns its rowid. */
  insertRow<Column extends string>(insertion: Insertion<Column>, row: Readonly<Record<Column, SqlValue>>): number {
    this.#additions.writeWhatConcerns(insertion.sql);
    return Number(this.#write(insertion.sql, insertion.valuesOf(row)).lastInsertRowid);
  }

  #write(sql: string, values: readonly SqlValue[]): Sqlite.RunResult {
    this.#memory.forgetWhatIsWrittenBy(sql);
    this.#commits.noteWriting(values);
    const result = this.#connection.statement(sql).run(...values);
    this.#changes += result.changes;
    return result;
  }

  /** Runs an optional statement: a storage fault is ignored, unless work in a transaction is under way. */
  runIfThereIsRoom(sql: string): void {
    if (this.#commits.isAtWork) return void this.run(sql);
    this.#commits.commitAll();
    try {
      this.run(sql);
    } catch (error) {
      if (!isStorageFault(error)) throw error;
    }
  }

  exactGet<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#additions.writeWhatConcerns(sql);
    return this.#connection.exact(sql).get(...values) as Row | undefined;
  }

  exactAll<Row>(sql: string, ...values: SqlValue[]): Row[] {
    this.#additions.writeWhatConcerns(sql);
    return this.#connection.exact(sql).all(...values) as Row[];
  }

  /** As {@link Commits.asTold}, for what {@link get} and the like throw. */
  asTold(error: unknown): unknown {
    return this.#commits.asTold(error);
  }

  /** As {@link Commits.transaction}. */
  transaction<Result>(work: () => Result): Result {
    return this.#commits.transaction(work);
  }

  /** As {@link Commits.join}. */
  join<Result>(group: Group, work: () => Result): Result {
    return this.#commits.join(group, work);
  }

  /** As {@link Commits.hasGroup}. */
  get hasGroup(): boolean {
    return this.#commits.hasGroup;
  }

  /** As {@link Commits.commitAll}. */
  commitAll(): void {
    this.#commits.commitAll();
  }

  /** As {@link Commits.commitGroup}. */
  commitGroup(): void {
    this.#commits.commitGroup();
  }

  /** Grows with every row that is written. */
  get changes(): number {
    return this.#changes + this.#additions.waiting;
  }

  /** The bytes of this database after `work`, which is undone then: the database can serve for the next sample. */
  sample(work: () => void): Buffer {
    return this.#commits.trial(() => {
      work();
      this.#figures.write();
      this.#additions.write();
      return this.#connection.serialize();
    });
  }

  /** The whole database as bytes, for forks and snapshots; they open in memory and in a file alike. Not to be changed. */
  serialize(): Buffer {
    this.#commits.commitAll();
    return this.#resting && !this.#copied ? this.#resting : this.#connection.serialize();
  }

  /**
   * Releases memory until the database is used again: many worlds are made, and most of them are idle. Of an unchanged
   * copy in memory only the bytes that it came from are kept, which others share; of another small database in memory
   * its own bytes; any other database frees the memory that it does not need.
   */
  rest(): void {
    if (!this.#open || this.#isClosed) return;
    this.#commits.commitAll();
    const { sqlite } = this.#open;
    if (this.changes > 0) this.#copied = null;
    const size = this.#copied?.bytes.length ?? this.#open.size;
    this.#memory.clear();
    if (!sqlite.memory || size > (this.#copied ? MOST_TO_COPY_AGAIN : MOST_TO_COPY)) {
      sqlite.pragma("shrink_memory");
      return;
    }
    this.#resting = this.#copied?.bytes ?? this.serialize();
    this.#open = null;
    sqlite.close();
  }

  close(): void {
    this.commitGroup();
    this.#isClosed = true;
    [this.#resting, this.#copied] = [null, null];
    this.#open?.sqlite.close();
  }

  /** The open connection; a database that rests is opened again. */
  get #connection(): Connection {
    return this.#open ?? this.#wake();
  }

  #wake(): Connection {
    if (!this.#resting) throw new TypeError("The database connection is not open");
    [this.#open, this.#resting] = [openBytes(this.#resting), null];
    this.#finishCopy();
    return this.#open;
  }

  /** Applies {@link Copied.finish} to a copy; what it writes does not count as a change. */
  #finishCopy(): void {
    if (!this.#copied) return;
    const before = this.#changes;
    const { begin, commit } = this.#connection;
    begin.run();
    this.#copied.finish(this);
    commit.run();
    this.#changes = before;
  }
}

/** What `open` returns. If it throws, the connection is closed: else the file would be in use, even to this process. */
function closedIfNot(sqlite: Sqlite.Database, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
