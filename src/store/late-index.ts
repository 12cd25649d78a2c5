import type { Database } from "./database.ts";

/** Rows up to which a table is looked through as quickly. */
const FEW_ROWS = 2_000;

const IS_THERE = "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?";

/**
 * Indexes of what only questions about the past look for (explain, a resource's history): every write would pay for
 * them, and most worlds are never asked. The first question to a large table makes its index, which stays.
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

  /** To be called before a question that looks for the column. */
  seeToIt(): void {
    const rows = this.#database.get<{ rowid: number | null }>(this.#lastRow)?.rowid ?? 0;
    if (rows <= FEW_ROWS || this.#database.get(IS_THERE, this.#name)) return;
    this.#database.runIfThereIsRoom(this.#create);
  }
}
