import type { Database } from "./database.ts";

const VALUE = "SELECT value FROM meta WHERE key = ?";

/** What is known of a world as a whole, by name. */
export class MetaStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get<Value>(key: string): Value | undefined {
    const text = this.text(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The JSON of a value, as it is kept. */
  text(key: string): string | undefined {
    return this.#database.get<{ value: string }>(VALUE, key)?.value;
  }

  /** Like {@link get}, for what every call asks for; not to be changed. */
  recall<Value>(key: string): Value | undefined {
    return this.#database.recall("meta", VALUE, key, (row?: { value: string }) => row && JSON.parse(row.value));
  }

  has(key: string): boolean {
    return this.text(key) !== undefined;
  }

  set(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    // Nearly always there already, and an INSERT that finds it so costs twice as much.
    if (this.#database.run("UPDATE meta SET value = ? WHERE key = ?", text, key) > 0) return;
    this.#database.run("INSERT INTO meta VALUES (?, ?)", key, text);
  }
}
