import { type Additions, type AdditionsMark, NO_ADDITIONS } from "./additions.ts";
import type { Connection, Statement } from "./connection.ts";
import type { FigureChanges } from "./figures.ts";
import type { Group } from "./group.ts";
import type { Memory } from "./memory.ts";
import { Room } from "./room.ts";
import type { SqlValue } from "./sql-value.ts";
import { MemoryFull } from "./storage-fault.ts";

/**
 * Statements that write up to which groups linger. In memory nothing is any safer for being committed, and a commit
 * copies every page that was touched.
 */
const MOST_LINGERING = 1_000;

/** Bytes of a database up to which groups linger in it: SQLite lets one in memory grow to 2^30. */
const MOST_BYTES_LINGERING = 700_000_000;

/** How far a transaction has come, beside what is written. */
interface Mark {
  readonly figures: number;
  readonly additions: AdditionsMark;
}

/** How work goes back: by its own savepoint, by that of the work around it, or, where nothing was written, by none. */
type Return = "own" | "shared" | "none";

/** Transactions that nest, and those that are committed together. */
export class Commits {
  readonly #open: () => Connection;
  readonly #figures: FigureChanges;
  readonly #additions: Additions;
  readonly #memory: Memory;
  /** As SQLite says too, but for a transaction that it has ended by itself. */
  #isInTransaction = false;
  /** Whose transaction stays open between pieces of work. */
  #group: Group | null = null;
  #joined = false;
  /** What ended that transaction before its time. */
  #lostBy: unknown;
  /** The first of those that were told that they are kept, and are not committed yet. */
  #lingering: Group | null = null;
  #written = 0;
  readonly #room = new Room(MOST_BYTES_LINGERING);
  /** How the work under way inside the transaction goes back, innermost last. */
  readonly #returns: Return[] = [];
  /** How many of them, the last ones, have written nothing yet. */
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

  /** Whether a transaction is under way, and not only open for more. */
  get isAtWork(): boolean {
    return this.#joined || (this.#isInTransaction && !this.#group && !this.#lingering);
  }

  /** To be told of every statement that writes, with its values, before it is run. */
  noteWriting(values: readonly SqlValue[]): void {
    this.#written++;
    this.#room.note(values);
    if (this.#unwritten > 0) this.#setSavepoint();
  }

  /** One savepoint, for the outermost work that has written nothing yet, serves for what is inside it as well. */
  #setSavepoint(): void {
    this.#open().savepoint.run();
    const outermost = this.#returns.length - this.#unwritten;
    this.#returns.fill("shared", outermost).fill("own", outermost, outermost + 1);
    this.#unwritten = 0;
  }

  /**
   * Runs `work` in one transaction; inside another it becomes a savepoint. What it throws undoes what it wrote. An open
   * group is committed before.
   */
  transaction<Result>(work: () => Result): Result {
    if (!this.#joined) this.settle();
    if (this.#isInTransaction) return this.#nested(work);
    this.#begin();
    try {
      const result = work();
      this.#commit();
      return result;
    } catch (error) {
      this.#rollBack();
      throw this.#asTold(error);
    }
  }

  /**
   * Runs `work` in a savepoint of a transaction that stays open for more, until {@link commitGroup}: a commit costs as
   * much as all else in a small piece of work, and much more on a file. The first that joins names the group.
   * @returns what `work` returns; it is not kept before the group has been told so.
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
      // SQLITE_FULL and its like end the whole transaction by themselves.
      const told = this.#asTold(error);
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

  /** Commits what has joined, if anything has, or lets it linger in memory; the group is told how it went. */
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

  /** Commits all that is done. @throws what lost work that was told that it is kept: nothing is to be built on it. */
  settle(): void {
    this.commitGroup();
    const first = this.#lingering;
    if (!first) return;
    try {
      this.#commitFor(first);
    } catch (error) {
      throw this.#lose(error);
    }
  }

  /** Undoes what `work` does. @returns what it returns. */
  trial<Result>(work: () => Result): Result {
    this.settle();
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

  /** A disk is not what is full where there is none. */
  #asTold(error: unknown): unknown {
    const isFull = (error as { code?: unknown } | null)?.code === "SQLITE_FULL";
    return isFull && !(error instanceof MemoryFull) && this.#open().sqlite.memory ? new MemoryFull() : error;
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
   * Undoes all that is not committed. @param group the one that was to be, told before those that lingered.
   * @returns what they are told.
   */
  #lose(error: unknown, group?: Group): unknown {
    const [first, told] = [this.#lingering, this.#asTold(error)];
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

  /** @param mark of what is known of it, to go back to; to nothing where SQLite has ended the transaction by itself. */
  #undo(mark: Mark, ...statements: Statement[]): void {
    const goesOn = this.#open().sqlite.inTransaction;
    this.#memory.clear();
    this.#figures.rewind(mark.figures);
    this.#additions.rewind(goesOn ? mark.additions : NO_ADDITIONS);
    if (goesOn) for (const statement of statements) statement.run();
  }
}
