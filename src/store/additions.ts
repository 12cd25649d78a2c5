/**
 * Rows of tables that are only ever added to: journal, calls, postings. They wait in memory and are written several by
 * one statement, since what a statement costs by itself is more than a row of it; before a transaction ends, and before
 * anything else is done with their table, they are there.
 */
import type { SqlValue } from "./sql-value.ts";

/** How the rows of one table are added. */
interface AddedTable {
  readonly name: string;
  /** Columns in the order of the values. */
  readonly columns: readonly string[];
  /** Statements that add so many rows, by their number. */
  readonly statements: Map<number, string>;
}

interface AddedRow {
  readonly table: AddedTable;
  readonly values: readonly SqlValue[];
}

/** How far the transaction under way has come, to go back to. */
export interface AdditionsMark {
  readonly rows: number;
  readonly written: number;
}

/** So many rows one statement adds, largest first: each number is a sum of few of these. */
const AT_ONCE = [16, 8, 4, 2, 1] as const;

/** As many as wait; what waits outlives collections of what is young. */
const MOST_WAITING = 64;

/** The rows that the transaction under way adds. */
export class Additions {
  readonly #run: (sql: string, values: readonly SqlValue[]) => void;
  readonly #tables = new Map<string, AddedTable>();
  /** Which statements have to do with one of the tables. */
  readonly #concerned = new Map<string, boolean>();
  readonly #rows: AddedRow[] = [];
  /** So many of the rows, from the first, are written; a savepoint that is undone may take them back. */
  #written = 0;

  /** @param run runs a statement that writes. */
  constructor(run: (sql: string, values: readonly SqlValue[]) => void) {
    this.#run = run;
  }

  /** What adds rows to a table, given their values in the order of its columns. */
  to(name: string, columns: readonly string[]): (values: readonly SqlValue[]) => void {
    const table = this.#tables.get(name) ?? { name, columns, statements: new Map() };
    this.#tables.set(name, table);
    this.#concerned.clear();
    return (values) => {
      this.#rows.push({ table, values });
      if (this.waiting >= MOST_WAITING) this.write();
    };
  }

  /** How many rows are not written yet. */
  get waiting(): number {
    return this.#rows.length - this.#written;
  }

  get mark(): AdditionsMark {
    return { rows: this.#rows.length, written: this.#written };
  }

  /** To be told of every statement before it is run. */
  writeWhatConcerns(sql: string): void {
    if (this.waiting === 0) return;
    let isConcerned = this.#concerned.get(sql);
    if (isConcerned === undefined) {
      isConcerned = new RegExp(`\\b(?:${[...this.#tables.keys()].join("|")})\\b`).test(sql);
      this.#concerned.set(sql, isConcerned);
    }
    if (isConcerned) this.write();
  }

  write(): void {
    if (this.waiting === 0) return;
    const waiting = this.#rows.slice(this.#written);
    for (const table of this.#tables.values()) {
      this.#insert(
        table,
        waiting.filter((row) => row.table === table),
      );
    }
    this.#written = this.#rows.length;
  }

  /** Tells that what was done since a {@link mark} is undone. */
  rewind({ rows, written }: AdditionsMark): void {
    this.#rows.length = rows;
    this.#written = written;
  }

  /** Tells that nothing that is written is undone by itself any more. */
  keep(): void {
    this.#rows.splice(0, this.#written);
    this.#written = 0;
  }

  #insert(table: AddedTable, rows: readonly AddedRow[]): void {
    let done = 0;
    for (const count of AT_ONCE) {
      for (; rows.length - done >= count; done += count) {
        this.#run(
          statementOf(table, count),
          rows.slice(done, done + count).flatMap(({ values }) => values),
        );
      }
    }
  }
}

function statementOf({ name, columns, statements }: AddedTable, count: number): string {
  const known = statements.get(count);
  if (known) return known;
  const row = `(${columns.map(() => "?").join(", ")})`;
  const sql = `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${Array(count).fill(row).join(", ")}`;
  statements.set(count, sql);
  return sql;
}
