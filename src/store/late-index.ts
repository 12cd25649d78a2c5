import type { Database } from "./database.ts";

/** Number of rows up to which scanning a table is as quick as using an index. */
const FEW_ROWS = 2_000;

const IS_THERE = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?";

/**
 * Indexes that only queries about the past need (explain, a resource's history): every write would pay for them, and
 * most worlds are never asked. The first such query of a large table creates the index, which stays.
 */
export class LateIndex {
  readonly #database: Database;
  readonly #name: string;
  readonly #lastRow: string;
  readonly #create: string;

  constructor(database: Database, table: string, column: string) {
    this.#database = database;
    this.#name = `${table}_by_${column}`;
    this.#lastRow = `SELECT max(rowid) AS rowid FROM ${table}`;
    this.#create = `CREATE INDEX ${this.#name} ON ${table} (${column})`;
  }

  /** Creates the index if the table is large. To be called before a query by the column. */
  seeToIt(): void {
    const rows = this.#database.get<{ rowid: number | null }>(this.#lastRow)?.rowid ?? 0;
    if (rows <= FEW_ROWS || this.#database.get(IS_THERE, this.#name)) return;
    this.#database.runIfThereIsRoom(this.#create);
  }
}
