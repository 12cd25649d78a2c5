/** One remembered value; a missing row is remembered too. */
interface Remembered {
  readonly value: unknown;
}

/** The key of a remembered value. */
export interface MemoryKey {
  /** The only table that the value was read from. */
  readonly table: string;
  /** The kind of value, such as the statement that read it. */
  readonly what: string;
  readonly key: string;
  /** The most values of this kind, since callers may choose keys; by default a thousand, less for large values. */
  readonly most?: number;
}

const MOST_REMEMBERED = 1_000;

const WRITES = /^\s*(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+(\w+)/i;

/** Remembers rows that are read in every call and seldom written, until their table is written to. */
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

  /** Forgets the table that a statement writes to. To be called with every statement that writes. */
  forgetWhatIsWrittenBy(sql: string): void {
    let table = this.#written.get(sql);
    if (table === undefined) {
      table = WRITES.exec(sql)?.[1] ?? null;
      this.#written.set(sql, table);
    }
    if (table !== null) this.forget(table);
  }

  /** Forgets a table, because something is written to it. */
  forget(table: string): void {
    this.#tables.get(table)?.clear();
  }

  /** The map of a name, which is emptied when something was undone. */
  map<Value>(name: string): Map<string, Value> {
    const map = this.#maps.get(name) ?? new Map<string, unknown>();
    this.#maps.set(name, map);
    return map as Map<string, Value>;
  }

  /** Forgets everything, because something was undone. */
  clear(): void {
    this.#tables.clear();
    for (const map of this.#maps.values()) map.clear();
  }
}
