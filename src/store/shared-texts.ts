/**
 * Texts that rows of calls have in common, each kept once: callers send the same headers with every call, and who waits
 * for a payment asks for the same list over and over. To write a text takes as long as to make it.
 */
import type { Database } from "./database.ts";

/** A text that may come again. */
export interface Sharable {
  /** The same for the same text. */
  readonly key: string;
  readonly text: () => string;
}

/** A shared text, by the column that has its id. */
export function sharedText(column: string): string {
  return `(SELECT text FROM shared_texts WHERE id = requests.${column})`;
}

/** Texts of one kind. */
export class SharedTexts {
  readonly #database: Database;
  readonly #most: number;
  /** Ids by key; null for what has come once. They are forgotten when something is undone, as their rows may be. */
  readonly #ids: Map<string, number | null>;

  /**
   * @param kind what texts they are.
   * @param most as many as are remembered.
   */
  constructor(database: Database, kind: string, most: number) {
    this.#database = database;
    this.#most = most;
    this.#ids = database.knownUntilUndone(kind);
  }

  /** The id of a text from the second time on that it comes; null before, since most come once. */
  idOf({ key, text }: Sharable): number | null {
    const known = this.#ids.get(key);
    if (known) return known;
    const isFirst = known === undefined;
    const id = isFirst ? null : this.#database.insert("INSERT INTO shared_texts (text) VALUES (?)", text());
    if (this.#ids.size >= this.#most) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }
}
