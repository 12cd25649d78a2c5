/** What several answers begin with is kept once: a list that is asked for over and over would fill the log of calls. */
import type { WrittenJson } from "../domain/written-json.ts";
import type { Database } from "./database.ts";

const BEGINNING = "(SELECT text FROM answer_beginnings WHERE id = beginning)";

/** Of a row of calls: its whole answer. */
export const WHOLE_ANSWER = `iif(beginning IS NULL, response_body, CAST(${BEGINNING} || response_body AS BLOB))`;

/** Of a row of calls: the bytes of its answer that stand elsewhere. */
export const BEGINNING_BYTES = `iif(beginning IS NULL, 0, octet_length(${BEGINNING}))`;

/** An answer in what is kept of it: the id of its beginning, null for none, and what follows. */
interface Divided {
  readonly beginning: number | null;
  readonly rest: string;
}

/** The beginnings of a world's answers. */
export class AnswerBeginnings {
  readonly #database: Database;
  /**
   * Ids of beginnings by what they end with; null where it has been in one answer. What is remembered of a table is
   * forgotten when something is undone: none of these outlives its row.
   */
  readonly #ids = new WeakMap<WrittenJson, number | null>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param shared what the answer has in it that others may have: from its second answer on it is kept apart. */
  divide(answer: string, shared: WrittenJson | undefined): Divided {
    const at = shared ? answer.indexOf(shared.text) : -1;
    if (!shared || at < 0) return { beginning: null, rest: answer };
    const end = at + shared.text.length;
    const beginning = this.#idOf(shared, () => answer.slice(0, end));
    return { beginning, rest: beginning === null ? answer : answer.slice(end) };
  }

  #idOf(shared: WrittenJson, text: () => string): number | null {
    const known = this.#ids.get(shared);
    if (known) return known;
    const isFirst = known === undefined;
    const id = isFirst ? null : this.#database.insert("INSERT INTO answer_beginnings (text) VALUES (?)", text());
    this.#ids.set(shared, id);
    return id;
  }
}
