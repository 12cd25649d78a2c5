/** How far a database in memory may still grow, without looking at its size each time: that costs as much as a row. */
import type { Connection } from "./connection.ts";
import type { SqlValue } from "./sql-value.ts";

/**
 * A database grows by so many times the length of what is written, at most: it stands in indexes too, in half-full
 * pages, and a letter may be three bytes.
 */
const GROWTH = 6;

/** What a value takes up beside its own bytes, at most: its share of a page that is begun for it. */
const BYTES_PER_VALUE = 256;

/** Of the room that is left, this share may be taken up before the size is looked at again. */
const SHARE = 1 / 8;

/** The room of one database. */
export class Room {
  readonly #most: number;
  /** So many bytes may be written, at their worst, before it is looked at again. */
  #left = 0;

  /** @param most bytes that the database may have. */
  constructor(most: number) {
    this.#most = most;
  }

  /** To be told of the values of every statement that writes. One without any may be an index of all that is there. */
  note(values: readonly SqlValue[]): void {
    if (values.length === 0) this.#left = 0;
    let bytes = BYTES_PER_VALUE * values.length;
    for (const value of values) {
      if (typeof value === "string" || value instanceof Uint8Array) bytes += GROWTH * value.length;
    }
    this.#left -= bytes;
  }

  /** Whether the database has less than it may have. */
  isLeft(connection: Connection): boolean {
    if (this.#left > 0) return true;
    const room = this.#most - connection.size;
    this.#left = room * SHARE;
    return room > 0;
  }
}
