/** Rows that are read in every call and seldom written, as long as they stay what they are. */

/** One remembered value; a missing row is remembered too. */
interface Remembered {
  readonly value: unknown;
}

/** As many as are remembered of a table at most: keys may come from callers. */
const MOST_OF_A_TABLE = 1_000;

const WRITES = /^\s*(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+(\w+)/i;

export class Memory {
  readonly #tables = new Map<string, Map<string, Remembered>>();
  /** Which table a statement writes to; null for none that matters here. */
  readonly #written = new Map<string, string | null>();

  recall(table: string, sql: string, key: string): Remembered | undefined {
    return this.#tables.get(table)?.get(`${sql} ${key}`);
  }

  remember(table: string, sql: string, key: string, value: unknown): void {
    let rows = this.#tables.get(table);
    if (!rows) {
      rows = new Map();
      this.#tables.set(table, rows);
    }
    if (rows.size === MOST_OF_A_TABLE) rows.clear();
    rows.set(`${sql} ${key}`, { value: Object.freeze(value) });
  }

  /** To be told of every statement that is run. */
  forgetWhatIsWrittenBy(sql: string): void {
    let table = this.#written.get(sql);
    if (table === undefined) {
      table = WRITES.exec(sql)?.[1] ?? null;
      this.#written.set(sql, table);
    }
    if (table !== null) this.#tables.get(table)?.clear();
  }

  /** Something was undone. */
  clear(): void {
    for (const rows of this.#tables.values()) rows.clear();
  }
}
