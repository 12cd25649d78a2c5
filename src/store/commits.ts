import { type Additions, type AdditionsMark, NO_ADDITIONS } from "./additions.ts";
import type { Connection, Statement } from "./connection.ts";
import type { FigureChanges } from "./figures.ts";
import type { Group } from "./group.ts";
import type { Memory } from "./memory.ts";
import { Room } from "./room.ts";
import type { SqlValue } from "./sql-value.ts";
import { codeOf, DamagedFile, isDamage, MemoryFull } from "./storage-fault.ts";

/**
 * Up to this many writing statements, groups in a database in memory linger: they count as kept, but are not committed
 * yet. There a commit makes nothing safer, and it copies every page that was touched.
 */
const MOST_LINGERING = 1_000;

/** Size in bytes up to which groups linger in a database: SQLite lets one in memory grow to 2^30. */
const MOST_BYTES_LINGERING = 700_000_000;

/** A point of a transaction to rewind to, for what SQLite itself does not undo. */
interface Mark {
  readonly figures: number;
  readonly additions: AdditionsMark;
}

/** How work is undone: by its own savepoint, by that of the enclosing work or, if it has written nothing, by none. */
type Return = "own" | "shared" | "none";

/** Transactions that nest, and groups of them that are committed together. */
export class Commits {
  readonly #open: () => Connection;
  readonly #figures: FigureChanges;
  readonly #additions: Additions;
  readonly #memory: Memory;
  /** The same as in SQLite, unless SQLite has ended the transaction by itself. */
  #isInTransaction = false;
  /** The group whose transaction stays open between pieces of work; null if there is none. */
  #group: Group | null = null;
  #joined = false;
  /** The error with which SQLite ended that transaction by itself. */
  #lostBy: unknown;
  /** The first of the groups that were told that they are kept but are not committed yet. */
  #lingering: Group | null = null;
  #written = 0;
  readonly #room = new Room(MOST_BYTES_LINGERING);
  /** How each piece of work under way inside the transaction is undone, innermost last. */
  readonly #returns: Return[] = [];
  /** How many of them, counted from the innermost, have written nothing yet. */
  #unwritten = 0;

  constructor(open: () => Connection, figures: FigureChanges, additions: Additions, memory: Memory) {
    this.#open = open;
    this.#figures = figures;
    this.#additions = additions;
    this.#memory = memory;
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  /** Whether work is under way in a transaction, as opposed to one that is only kept open for more. */
  get isAtWork(): boolean {
    return this.#joined || (this.#isInTransaction && !this.#group && !this.#lingering);
  }

  /** To be called with the values of every statement that writes, before it is run. */
  noteWriting(values: readonly SqlValue[]): void {
    this.#written++;
    this.#room.note(values);
    if (this.#unwritten > 0) this.#setSavepoint();
  }

  /** Sets one savepoint for the outermost work that has written nothing yet; the work inside it shares it. */
  #setSavepoint(): void {
    this.#open().savepoint.run();
    const outermost = this.#returns.length - this.#unwritten;
    this.#returns.fill("shared", outermost).fill("own", outermost, outermost + 1);
    this.#unwritten = 0;
  }

  /**
   * Runs `work` in one transaction; inside another it becomes a savepoint. If it throws, what it wrote is undone. An
   * open group is committed first.
   */
  transaction<Result>(work: () => Result): Result {
    if (!this.#joined) this.commitAll();
    if (this.#isInTransaction) return this.#nested(work);
    this.#begin();
    try {
      const result = work();
      this.#commit();
      return result;
    } catch (error) {
      this.#rollBack();
      throw this.asTold(error);
    }
  }

  /**
   * Runs `work` in a savepoint of a transaction that stays open for more, until {@link commitGroup}: a commit costs as
   * much as all else in a small piece of work, and much more on a file. The first work that joins determines the group.
   * @returns what `work` returns; its writes may still be lost until the group has been told that they are kept.
   */
  join<Result>(group: Group, work: () => Result): Result {
    this.#group ??= group;
    this.#joined = true;
    try {
      if (!this.#isInTransaction) this.#begin();
      return this.#nested(() => {
        const result = work();
        this.#additions.writeMany();
        return result;
      });
    } catch (error) {
      // With errors such as SQLITE_FULL, SQLite ends the whole transaction by itself.
      const told = this.asTold(error);
      if (!this.#open().sqlite.inTransaction) this.#lostBy = told;
      throw told;
    } finally {
      this.#joined = false;
    }
  }

  /** Whether work has joined that is not committed yet. */
  get hasGroup(): boolean {
    return this.#group !== null;
  }

  /** Commits what has joined, if anything has, or lets it linger in memory; the group is told the outcome. */
  commitGroup(): void {
    const [group, lostBy] = [this.#group, this.#lostBy];
    if (!group) return;
    [this.#group, this.#lostBy] = [null, undefined];
    try {
      if (lostBy) throw lostBy;
      if (this.#mayLinger) this.#linger(group);
      else this.#commitFor(group);
    } catch (error) {
      this.#lose(error, group);
      return;
    }
    group.kept();
  }

  /** Commits everything. @throws the error that lost work which was reported as kept: callers must not build on it. */
  commitAll(): void {
    this.commitGroup();
    const first = this.#lingering;
    if (!first) return;
    try {
      this.#commitFor(first);
    } catch (error) {
      throw this.#lose(error);
    }
  }

  /** Runs `work` and undoes what it did. @returns what it returns. */
  trial<Result>(work: () => Result): Result {
    this.commitAll();
    this.#begin();
    try {
      return work();
    } finally {
      this.#rollBack();
    }
  }

  get #mayLinger(): boolean {
    const connection = this.#open();
    if (!connection.sqlite.memory || this.#written > MOST_LINGERING) return false;
    return this.#room.isLeft(connection);
  }

  /** The error to report: it names a damaged file; for a database in memory, SQLITE_FULL does not mean a full disk. */
  asTold(error: unknown): unknown {
    const isTold = error instanceof DamagedFile || error instanceof MemoryFull;
    const isFull = codeOf(error) === "SQLITE_FULL";
    // Any other error is told as it is, also of a database that rests or is closed.
    if (isTold || !(isDamage(error) || isFull)) return error;
    const { memory: isInMemory, name: path } = this.#open().sqlite;
    if (isInMemory) return isFull ? new MemoryFull() : error;
    return isFull ? error : new DamagedFile(path, error);
  }

  #linger(group: Group): void {
    this.#lingering ??= group;
    this.#additions.keep();
  }

  #begin(): void {
    this.#open().begin.run();
    this.#isInTransaction = true;
  }

  #commitFor(group: Group): void {
    group.beforeCommit();
    this.#commit();
  }

  #commit(): void {
    this.#figures.write();
    this.#additions.write();
    this.#open().commit.run();
    this.#end();
    this.#figures.keep();
    this.#additions.keep();
  }

  #rollBack(): void {
    this.#end();
    this.#undo({ figures: 0, additions: NO_ADDITIONS }, this.#open().rollback);
  }

  /**
   * Undoes everything that is not committed.
   * @param group the group that was to be committed; it is told before the first of those that linger.
   * @returns the error that they are told.
   */
  #lose(error: unknown, group?: Group): unknown {
    const [first, told] = [this.#lingering, this.asTold(error)];
    this.#rollBack();
    group?.undone(told);
    first?.undone(told);
    return told;
  }

  #end(): void {
    this.#isInTransaction = false;
    this.#lingering = null;
    this.#written = 0;
  }

  #nested<Result>(work: () => Result): Result {
    const mark = { figures: this.#figures.mark, additions: this.#additions.mark };
    this.#returns.push("none");
    this.#unwritten++;
    let result: Result;
    try {
      result = work();
    } catch (error) {
      this.#undo(mark, ...this.#statementsBack(this.#leave()));
      throw error;
    }
    if (this.#leave() === "own") this.#open().release.run();
    return result;
  }

  #leave(): Return | undefined {
    if (this.#unwritten > 0) this.#unwritten--;
    return this.#returns.pop();
  }

  #statementsBack(by: Return | undefined): Statement[] {
    const { rollbackTo, release } = this.#open();
    if (by === "own") return [rollbackTo, release];
    return by === "shared" ? [rollbackTo] : [];
  }

  /** @param mark the point to rewind to; additions go back to none if SQLite has ended the transaction by itself. */
  #undo(mark: Mark, ...statements: Statement[]): void {
    const goesOn = this.#open().sqlite.inTransaction;
    this.#memory.clear();
    this.#figures.rewind(mark.figures);
    this.#additions.rewind(goesOn ? mark.additions : NO_ADDITIONS);
    if (goesOn) for (const statement of statements) statement.run();
  }
}
