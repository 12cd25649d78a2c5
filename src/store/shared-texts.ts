/**
 * Texts that rows of calls have in common, each stored once: callers send the same headers with every call, and poll
 * the same list while they wait for a payment. Writing a text takes as long as making it.
 */
import type { Database } from "./database.ts";

/** A text that may come again. */
export interface Sharable {
  /** Equal for equal texts. */
  readonly key: string;
  readonly text: () => string;
}

/** SQL for a shared text, given the column that has its id. */
export function sharedText(column: string): string {
  return `(SELECT text FROM shared_texts WHERE id = requests.${column})`;
}

/** Texts of one kind. */
export class SharedTexts {
  readonly #database: Database;
  readonly #most: number;
  /** Ids by key; null for a text that came once. They are forgotten when something is undone, as their rows may be. */
  readonly #ids: Map<string, number | null>;

  /**
   * @param kind name of the kind of texts.
   * @param most how many texts are remembered.
   */
  constructor(database: Database, kind: string, most: number) {
    this.#database = database;
    this.#most = most;
    this.#ids = database.knownUntilUndone(kind);
  }

  /** The id of a text; null the first time it comes, since most texts come only once. */
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
