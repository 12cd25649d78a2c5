/** The only place that opens SQLite: one database per world, in memory or in a file. */
import { readFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { type Added, Additions } from "./additions.ts";
import { Commits } from "./commits.ts";
import { Connection, withoutLog } from "./connection.ts";
import {
  BUSY_TIMEOUT_MS,
  openingFault,
  refuseDamaged,
  refuseDamagedFile,
  refuseForeignFile,
  versionOf,
} from "./data-files.ts";
import { FigureChanges, Figures, type FigureTable } from "./figures.ts";
import type { Group } from "./group.ts";
import { Memory, type MemoryKey } from "./memory.ts";
import { migrate, NEWEST_VERSION } from "./migrations.ts";
import type { SqlValue } from "./sql-value.ts";
import { isStorageFault } from "./storage-fault.ts";

/** Bytes of a database up to which to put it away, and to take it out again, is a matter of a moment. */
const MOST_TO_COPY = 500_000;

/** The same where there is nothing to put away, as the bytes that it came from are there. */
const MOST_TO_COPY_AGAIN = 8_000_000;

/**
 * Pages that SQLite keeps beside the bytes of a database in memory. Few: they are a second copy, and whenever the tree
 * of a table has been balanced, a commit goes through all of them.
 */
const CACHE_KB = 2_000;

/** Those of a new, empty world: to make one from nothing is to go through all migrations. */
let emptyBytes: Buffer | undefined;

/** The bytes that a database is a copy of, and what makes the copy its own. */
interface Copied {
  readonly bytes: Buffer;
  readonly finish: (database: Database) => void;
}

/**
 * A database with transactions that nest.
 * In them it is `LIMIT ? + 0`, and `column = ? || ''` where what is often asked for has an order: SQLite plans a
 * statement anew for each value of a bare parameter there.
 * Statements of `get`, `all`, `run` read integers as numbers; those of `exact…` as bigint, for amounts.
 */
export class Database {
  /** Null while it rests. */
  #open: Connection | null;
  /** All of it, while it rests, but for what makes a copy its own. */
  #resting: Buffer | null = null;
  /** What it is a copy of; null where it is none, or has rested as something else. */
  #copied: Copied | null = null;
  /** Rows that connections before this one have written. */
  #changesBefore = 0;
  #isClosed = false;
  readonly #memory = new Memory();
  readonly #figures = new FigureChanges();
  readonly #additions = new Additions((sql, values) => this.#write(sql, values));
  readonly #commits = new Commits(() => this.#connection, this.#figures, this.#additions, this.#memory);

  private constructor(sqlite: Sqlite.Database) {
    this.#open = new Connection(sqlite);
  }

  /** A new, empty world in memory. */
  static inMemory(): Database {
    const sqlite = new Sqlite(":memory:");
    migrate(sqlite, ":memory:");
    return new Database(sqlite);
  }

  /** As {@link Database.inMemory}, where one is made after the other: they are copies of the first. */
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
   * @param finish what is to be done to the copy; done again, to the same effect, to another copy when it has rested.
   */
  static fromBytes(bytes: Buffer, finish: Copied["finish"] = () => {}): Database {
    const database = new Database(openBytes(bytes));
    database.#copied = { bytes, finish };
    database.#finishCopy();
    return database;
  }

  /**
   * A world in a file, which is there.
   * @throws {StoreError} when the file is damaged, newer than this program, not ours, or in use.
   * @throws what the system says where no further file can be opened.
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
        // What a savepoint keeps to go back to would else be written to a file too.
        sqlite.pragma("temp_store = MEMORY");
        // Checkpoints are what costs on a file: one per 32 MB of log instead of one per 4 MB.
        sqlite.pragma("wal_autocheckpoint = 8000");
        if (!isSound) refuseDamaged(sqlite, path);
        migrate(sqlite, path);
        return new Database(sqlite);
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
        return new Database(sqlite);
      });
    } catch (error) {
      throw openingFault(path, error);
    }
  }

  /**
   * What `make` makes of the row that `sql` gets, where the same is asked over and over and the table seldom written:
   * as {@link remembered}.
   * @param table the one that `sql` reads.
   */
  recall<Row, Value>(table: string, sql: string, key: string, make: (row: Row | undefined) => Value): Value {
    return this.remembered({ table, what: sql, key }, () => make(this.get<Row>(sql, key)));
  }

  /**
   * What `make` makes of a table, remembered until something writes to it or is undone. Shared between those who ask:
   * not to be changed.
   */
  remembered<Value>(of: MemoryKey, make: () => Value): Value {
    const known = this.#memory.recall(of);
    if (known !== undefined) return known.value as Value;
    const value = make();
    this.#memory.remember(of, value);
    return value;
  }

  /**
   * What is known of rows that this database has written, by a key; it is empty after something was undone.
   * @param name the same for all who know the same.
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

  /** As {@link get}, of what is written; new rows of the table that wait for that are not looked at. */
  getWritten<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#connection.statement(sql).get(...values) as Row | undefined;
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    this.#additions.writeWhatConcerns(sql);
    return this.#connection.statement(sql).get(...values) as Row | undefined;
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

  #write(sql: string, values: readonly SqlValue[]): Sqlite.RunResult {
    this.#memory.forgetWhatIsWrittenBy(sql);
    this.#commits.noteWriting(values);
    return this.#connection.statement(sql).run(...values);
  }

  /** Runs what nothing depends on: a store that takes nothing more goes without, unless an operation is under way. */
  runIfThereIsRoom(sql: string): void {
    if (this.#commits.isAtWork) return void this.run(sql);
    this.#commits.settle();
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

  /** As {@link Commits.settle}. */
  settle(): void {
    this.#commits.settle();
  }

  /** As {@link Commits.commitGroup}. */
  commitGroup(): void {
    this.#commits.commitGroup();
  }

  /** Grows with every row that is written. */
  get changes(): number {
    return this.#changesBefore + (this.#open ? this.#changesNow + this.#additions.waiting : 0);
  }

  /** The bytes of what this database is after `work`, which is undone: it serves for the next one. */
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
    this.#commits.settle();
    return this.#resting && !this.#copied ? this.#resting : this.#connection.serialize();
  }

  /**
   * Takes up no more memory than it must, until it is used again: many worlds are made, and most of them rest. A copy
   * in memory to which nothing was done rests as the bytes that it came from, which others share; of a small one its
   * own bytes are left; others give back what they do not need.
   */
  rest(): void {
    if (!this.#open || this.#isClosed) return;
    this.#commits.settle();
    const { sqlite } = this.#open;
    const { changes } = this;
    if (changes > 0) this.#copied = null;
    const size = this.#copied?.bytes.length ?? this.#open.size;
    this.#memory.clear();
    if (!sqlite.memory || size > (this.#copied ? MOST_TO_COPY_AGAIN : MOST_TO_COPY)) {
      sqlite.pragma("shrink_memory");
      return;
    }
    [this.#changesBefore, this.#resting] = [changes, this.#copied?.bytes ?? this.serialize()];
    this.#open = null;
    sqlite.close();
  }

  close(): void {
    this.commitGroup();
    this.#isClosed = true;
    [this.#resting, this.#copied] = [null, null];
    this.#open?.sqlite.close();
  }

  /** Wakes it where it rests. */
  get #connection(): Connection {
    return this.#open ?? this.#wake();
  }

  #wake(): Connection {
    if (!this.#resting) throw new TypeError("The database connection is not open");
    const connection = new Connection(openBytes(this.#resting));
    [this.#open, this.#resting] = [connection, null];
    this.#finishCopy();
    return connection;
  }

  /** Does what is done to each copy, which is no change of it. */
  #finishCopy(): void {
    if (!this.#copied) return;
    const { begin, commit } = this.#connection;
    begin.run();
    this.#copied.finish(this);
    commit.run();
    this.#changesBefore -= this.#changesNow;
  }

  /** Rows that the connection has written. */
  get #changesNow(): number {
    return this.get<{ count: number }>("SELECT total_changes() AS count")?.count ?? 0;
  }
}

/** A database in memory that is what these bytes say. */
function openBytes(bytes: Buffer): Sqlite.Database {
  const sqlite = new Sqlite(bytes);
  sqlite.exec(`PRAGMA journal_mode = MEMORY; PRAGMA cache_size = -${CACHE_KB};`);
  if (versionOf(bytes) !== NEWEST_VERSION) migrate(sqlite, "A copy");
  return sqlite;
}

/** What `open` makes; where it throws, nothing holds the file any more: to this very process it would be in use. */
function closedIfNot(sqlite: Sqlite.Database, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    sqlite.close();
    throw error;
  }
}
