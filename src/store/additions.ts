/**
 * New rows of the tables that grow with every call. They wait in memory and are written several at a time, because the
 * overhead of a statement exceeds the cost of a row. They are written before a transaction ends, and before any other
 * statement on their table is run.
 */
import { remembering } from "../domain/remembering.ts";
import type { SqlValue } from "./sql-value.ts";

type Row = readonly SqlValue[];

/** A point to rewind to: per table, how many rows the current transaction has added and how many are written. */
export type AdditionsMark = readonly number[];

/** The mark before anything was added. */
export const NO_ADDITIONS: AdditionsMark = [];

/** The new rows of one table. */
export interface Added {
  /** Adds a row, given its values in the order of the columns. */
  add(values: Row): void;
  /** Searches the rows that are not written yet, newest first. */
  find(isMeant: (values: Row) => boolean): Row | undefined;
}

/** The rows that the current transaction adds. */
export class Additions {
  readonly #run: (sql: string, values: Row) => void;
  readonly #tables = new Map<string, AddedRows>();
  /** By statement, the tables that it names. */
  readonly #concerned = new Map<string, readonly AddedRows[]>();

  /** @param run runs a statement that writes. */
  constructor(run: (sql: string, values: Row) => void) {
    this.#run = run;
  }

  to(name: string, columns: readonly string[]): Added {
    const table = this.#tables.get(name) ?? new AddedRows(name, columns, this.#run);
    this.#tables.set(name, table);
    this.#concerned.clear();
    return table;
  }

  /** How many rows are not written yet. */
  get waiting(): number {
    let waiting = 0;
    for (const table of this.#tables.values()) waiting += table.waiting;
    return waiting;
  }

  get mark(): AdditionsMark {
    // Taken often and hardly ever used: an array that does not grow costs next to nothing.
    const mark = new Array<number>(2 * this.#tables.size);
    let at = 0;
    for (const table of this.#tables.values()) {
      mark[at++] = table.added;
      mark[at++] = table.written;
    }
    return mark;
  }

  /** Writes the waiting rows of the tables that a statement names. To be called before any statement is run. */
  writeWhatConcerns(sql: string): void {
    for (const table of this.#concerned.get(sql) ?? this.#concern(sql)) table.write();
  }

  write(): void {
    for (const table of this.#tables.values()) table.write();
  }

  /** Writes the tables that have many waiting rows. To be called at the end of each piece of work. */
  writeMany(): void {
    for (const table of this.#tables.values()) if (table.waiting >= MANY) table.write();
  }

  /** Goes back to a {@link mark}: what was done since is undone. */
  rewind(mark: AdditionsMark): void {
    let at = 0;
    for (const table of this.#tables.values()) table.rewind(mark[at++] ?? 0, mark[at++] ?? 0);
  }

  /** Forgets the rows that are written: no savepoint can undo them any more. */
  keep(): void {
    for (const table of this.#tables.values()) table.keep();
  }

  #concern(sql: string): readonly AddedRows[] {
    const words = wordsOf(sql);
    const tables = [...this.#tables].filter(([name]) => words.has(name)).map(([, table]) => table);
    this.#concerned.set(sql, tables);
    return tables;
  }
}

const LONGEST_SQL = 10_000;

/** The words of a statement, cached: all worlds of a process have the same statements. */
const wordsOf = remembering((sql) => new Set(sql.split(/\W+/)), LONGEST_SQL);

/** Numbers of rows that one statement can add, largest first: any number is a sum of few of these. */
const AT_ONCE = [16, 8, 4, 2, 1] as const;

/** So many rows are first added one by one: most worlds get few, and preparing further statements would cost more. */
const FEW = 100;
const ONE_BY_ONE = [1] as const;

/** So many waiting rows are written when work ends: kept longer, they would outlive collections of young objects. */
const MANY = 32;

/** When this many rows wait, they are written even before a piece of work ends. */
const MOST_WAITING = 1_000;

/** The new rows of one table. */
class AddedRows implements Added {
  /** How many of the rows, from the first, are written; undoing a savepoint may undo that. */
  written = 0;
  readonly #name: string;
  readonly #columns: readonly string[];
  readonly #run: (sql: string, values: Row) => void;
  readonly #rows: Row[] = [];
  /** How many rows have ever been written. */
  #soFar = 0;
  /** Statements by the number of rows that they add. */
  readonly #statements = new Map<number, string>();

  constructor(name: string, columns: readonly string[], run: (sql: string, values: Row) => void) {
    this.#name = name;
    this.#columns = columns;
    this.#run = run;
  }

  get added(): number {
    return this.#rows.length;
  }

  get waiting(): number {
    return this.#rows.length - this.written;
  }

  add(values: Row): void {
    this.#rows.push(values);
    if (this.waiting >= MOST_WAITING) this.write();
  }

  find(isMeant: (values: Row) => boolean): Row | undefined {
    for (let position = this.#rows.length - 1; position >= this.written; position--) {
      const row = this.#rows[position] as Row;
      if (isMeant(row)) return row;
    }
    return undefined;
  }

  write(): void {
    const counts = this.#soFar < FEW ? ONE_BY_ONE : AT_ONCE;
    for (const count of counts) {
      while (this.waiting >= count) {
        this.#run(this.#statement(count), this.#valuesOf(this.written, count));
        this.written += count;
        this.#soFar += count;
      }
    }
  }

  rewind(added: number, written: number): void {
    this.#rows.length = added;
    this.written = written;
  }

  keep(): void {
    if (this.written === this.#rows.length) this.#rows.length = 0;
    else this.#rows.splice(0, this.written);
    this.written = 0;
  }

  #valuesOf(first: number, count: number): Row {
    const values = new Array<SqlValue>(count * this.#columns.length);
    let at = 0;
    for (let position = first; position < first + count; position++) {
      for (const value of this.#rows[position] as Row) values[at++] = value;
    }
    return values;
  }

  #statement(count: number): string {
    const known = this.#statements.get(count);
    if (known) return known;
    const row = `(${this.#columns.map(() => "?").join(", ")})`;
    const sql = `INSERT INTO ${this.#name} (${this.#columns.join(", ")}) VALUES ${Array(count).fill(row).join(", ")}`;
    this.#statements.set(count, sql);
    return sql;
  }
}
