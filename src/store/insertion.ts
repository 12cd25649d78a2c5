/** Inserts single rows: a statement, and the values of a row for it, out of one list of columns. */
import type { SqlValue } from "./sql-value.ts";

/** The INSERT of one row into a table. To be made once: its text is that by which its statement is found. */
export class Insertion<Column extends string> {
  readonly sql: string;
  readonly #columns: readonly Column[];

  /** @param computed expressions for further columns, which are not part of the row. */
  constructor(table: string, columns: readonly Column[], computed: Readonly<Record<string, string>> = {}) {
    const names = [...columns, ...Object.keys(computed)];
    const values = [...columns.map(() => "?"), ...Object.values(computed)];
    this.sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${values.join(", ")})`;
    this.#columns = columns;
  }

  /** The values of a row, in the order of the columns. */
  valuesOf(row: Readonly<Record<Column, SqlValue>>): SqlValue[] {
    return this.#columns.map((column) => row[column]);
  }
}
