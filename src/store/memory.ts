/** One remembered value; a missing row is remembered too. */
interface Remembered {
  readonly value: unknown;
}

/** What something is remembered by. */
export interface MemoryKey {
  /** The one table that it was read from. */
  readonly table: string;
  /** The statement, or what else it is. */
  readonly what: string;
  readonly key: string;
  /** As many as are remembered of a kind at most, since keys may come from callers; a thousand, unless they are large. */
  readonly most?: number;
}

const MOST_REMEMBERED = 1_000;

const WRITES = /^\s*(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+(\w+)/i;

/** Rows that are read in every call and seldom written, as long as they stay what they are. */
export class Memory {
  /** By table, kind and key. */
  readonly #tables = new Map<string, Map<string, Map<string, Remembered>>>();
  readonly #maps = new Map<string, Map<string, unknown>>();
  /** Which table a statement writes to; null for none that matters here. */
  readonly #written = new Map<string, string | null>();

  recall({ table, what, key }: MemoryKey): Remembered | undefined {
    return this.#tables.get(table)?.get(what)?.get(key);
  }

  remember({ table, what, key, most = MOST_REMEMBERED }: MemoryKey, value: unknown): void {
    const kinds = this.#tables.get(table) ?? new Map<string, Map<string, Remembered>>();
    const values = kinds.get(what) ?? new Map<string, Remembered>();
    if (values.size >= most) values.clear();
    values.set(key, { value: Object.freeze(value) });
    this.#tables.set(table, kinds.set(what, values));
  }

  /** To be told of every statement that is run. */
  forgetWhatIsWrittenBy(sql: string): void {
    let table = this.#written.get(sql);
    if (table === undefined) {
      table = WRITES.exec(sql)?.[1] ?? null;
      this.#written.set(sql, table);
    }
    if (table !== null) this.forget(table);
  }

  /** Something is written to a table. */
  forget(table: string): void {
    this.#tables.get(table)?.clear();
  }

  /** The map of a name, which is emptied when something was undone. */
  map<Value>(name: string): Map<string, Value> {
    const map = this.#maps.get(name) ?? new Map<string, unknown>();
    this.#maps.set(name, map);
    return map as Map<string, Value>;
  }

  /** Something was undone. */
  clear(): void {
    this.#tables.clear();
    for (const map of this.#maps.values()) map.clear();
  }
}
