/** One remembered value; a missing row is remembered too. */
interface Remembered {
  readonly value: unknown;
}

/** As many as are remembered of a statement at most: keys may come from callers. */
const MOST_REMEMBERED = 1_000;

const WRITES = /^\s*(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+(\w+)/i;

/** Rows that are read in every call and seldom written, as long as they stay what they are. */
export class Memory {
  /** By table, statement and key. */
  readonly #tables = new Map<string, Map<string, Map<string, Remembered>>>();
  /** Which table a statement writes to; null for none that matters here. */
  readonly #written = new Map<string, string | null>();

  recall(table: string, sql: string, key: string): Remembered | undefined {
    return this.#tables.get(table)?.get(sql)?.get(key);
  }

  remember(table: string, sql: string, key: string, value: unknown): void {
    const statements = this.#tables.get(table) ?? new Map<string, Map<string, Remembered>>();
    const rows = statements.get(sql) ?? new Map<string, Remembered>();
    if (rows.size === MOST_REMEMBERED) rows.clear();
    rows.set(key, { value: Object.freeze(value) });
    this.#tables.set(table, statements.set(sql, rows));
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
    this.#tables.clear();
  }
}
