/** The inputs of a world from outside, in order: they and the calls of the service determine its whole history. */
import type { Added } from "./additions.ts";
import type { Database } from "./database.ts";

/**
 * Kinds of operations from outside, without calls of the service, which are stored as requests. `timer` is a timer that
 * was run before its turn; all other timers follow from earlier inputs.
 */
export type InputKind = "control" | "dispatch" | "landing" | "timer" | "restart" | "rest";

/** An operation from outside. `ordinal` is its number among all operations of the world, from 1. */
export interface Input {
  readonly ordinal: number;
  readonly kind: InputKind;
  readonly at: number;
  /** JSON as it came: numbers of a control call keep their digits. */
  readonly data: string;
}

/** The inputs of a world; they are only ever added, and bundles contain them. */
export class InputStore {
  readonly #database: Database;
  readonly #added: Added;

  constructor(database: Database) {
    this.#database = database;
    this.#added = database.additions("inputs", ["ordinal", "kind", "at", "data"]);
  }

  insert({ ordinal, kind, at, data }: Input): void {
    this.#added.add([ordinal, kind, at, data]);
  }

  /** Inputs after `ordinal`, oldest first. */
  after(ordinal: number, limit: number): Input[] {
    const sql = "SELECT ordinal, kind, at, data FROM inputs WHERE ordinal > ? ORDER BY ordinal LIMIT ? + 0";
    return this.#database.all(sql, ordinal, limit);
  }
}
