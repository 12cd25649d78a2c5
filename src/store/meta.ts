import type { Database } from "./database.ts";

const VALUE = "SELECT value FROM meta WHERE key = ?";

/** Values that concern a world as a whole, by name. */
export class MetaStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get<Value>(key: string): Value | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The JSON of a value, as stored. */
  text(key: string): string | undefined {
    return this.#database.get<{ value: string }>(VALUE, key)?.value;
  }

  /** Like {@link get}, but cached, for what every call reads; the value must not be changed. */
  recall<Value>(key: string): Value | undefined {
    return this.#database.recall("meta", VALUE, key, (row?: { value: string }) => row && JSON.parse(row.value));
  }

  has(key: string): boolean {
    return this.text(key) !== undefined;
  }

  set(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    // The key nearly always exists, and an INSERT with a conflict costs twice as much.
    if (this.#database.run("UPDATE meta SET value = ? WHERE key = ?", text, key) > 0) return;
    this.#database.run("INSERT INTO meta VALUES (?, ?)", key, text);
  }
}
