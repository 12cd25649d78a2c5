/** Estimates how far a database in memory may still grow: reading its size each time costs as much as a row. */
import type { Connection } from "./connection.ts";
import type { SqlValue } from "./sql-value.ts";

/**
 * A database grows by at most this many times the length of what is written: values are in indexes too, pages may be
 * half full, and a character may take three bytes.
 */
const GROWTH = 6;

/** The most that a value takes up besides its own bytes: its share of a page that is begun for it. */
const BYTES_PER_VALUE = 256;

/** The share of the room left that may be taken up before the size is read again. */
const SHARE = 1 / 8;

/** The room of one database. */
export class Room {
  readonly #most: number;
  /** How many bytes may be written, by the highest estimate, before the size is read again. */
  #left = 0;

  /** @param most bytes that the database may have. */
  constructor(most: number) {
    this.#most = most;
  }

  /** To be called with the values of every statement that writes; one without any may create an index of all rows. */
  note(values: readonly SqlValue[]): void {
    if (values.length === 0) this.#left = 0;
    let bytes = BYTES_PER_VALUE * values.length;
    for (const value of values) {
      if (typeof value === "string" || ArrayBuffer.isView(value)) bytes += GROWTH * value.length;
    }
    this.#left -= bytes;
  }

  /** Whether the database is smaller than it may be. */
  isLeft(connection: Connection): boolean {
    if (this.#left > 0) return true;
    const room = this.#most - connection.size;
    this.#left = room * SHARE;
    return room > 0;
  }
}
