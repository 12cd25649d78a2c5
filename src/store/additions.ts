/**
 * New rows of the tables that grow with every call: they wait in memory and are written several by one statement, since
 * what a statement costs by itself is more than a row of it. Before a transaction ends, and before anything else is done
 * with their table, they are there.
 */
import { remembering } from "../domain/remembering.ts";
import type { SqlValue } from "./sql-value.ts";

type Row = readonly SqlValue[];

/** Of each table, how many of its rows the transaction under way has added and how many are written, to go back to. */
export type AdditionsMark = readonly number[];

/** Nothing that is added, of no table. */
export const NO_ADDITIONS: AdditionsMark = [];

/** The new rows of one table. */
export interface Added {
  /** Adds a row, given its values in the order of the columns. */
  add(values: Row): void;
  /** Looks among the rows that are not written yet. */
  find(isMeant: (values: Row) => boolean): Row | undefined;
}

/** The rows that the transaction under way adds. */
export class Additions {
  readonly #run: (sql: string, values: Row) => void;
  readonly #tables = new Map<string, AddedRows>();
  /** The tables that statements have to do with. */
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
    // Nearly always asked for in vain: without growing, it costs next to nothing.
    const mark = new Array<number>(2 * this.#tables.size);
    let at = 0;
    for (const table of this.#tables.values()) {
      mark[at++] = table.added;
      mark[at++] = table.written;
    }
    return mark;
  }

  /** To be told of every statement before it is run. */
  writeWhatConcerns(sql: string): void {
    for (const table of this.#concerned.get(sql) ?? this.#concern(sql)) table.write();
  }

  write(): void {
    for (const table of this.#tables.values()) table.write();
  }

  /** To be told of the end of each piece of work. */
  writeMany(): void {
    for (const table of this.#tables.values()) if (table.waiting >= MANY) table.write();
  }

  /** Tells that what was done since a {@link mark} is undone. */
  rewind(mark: AdditionsMark): void {
    let at = 0;
    for (const table of this.#tables.values()) table.rewind(mark[at++] ?? 0, mark[at++] ?? 0);
  }

  /** Tells that nothing that is written is undone by itself any more. */
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

/** The worlds of a process all have the same statements. */
const wordsOf = remembering((sql) => new Set(sql.split(/\W+/)), LONGEST_SQL);

/** So many rows one statement adds, largest first: each number is a sum of few of these. */
const AT_ONCE = [16, 8, 4, 2, 1] as const;

/** Most worlds get few rows: to prepare statements for several at once would take longer than they save. */
const FEW = 100;
const ONE_BY_ONE = [1] as const;

/** From so many on they are written when a piece of work ends: what waits outlives collections of what is young. */
const MANY = 32;

/** So many one piece of work leaves waiting. */
const MOST_WAITING = 1_000;

/** Those of one table. */
class AddedRows implements Added {
  /** So many of the rows, from the first, are written; a savepoint that is undone may take them back. */
  written = 0;
  readonly #name: string;
  readonly #columns: readonly string[];
  readonly #run: (sql: string, values: Row) => void;
  readonly #rows: Row[] = [];
  /** As many as have ever been written. */
  #soFar = 0;
  /** Statements that add so many rows, by their number. */
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
