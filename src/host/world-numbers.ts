/** The numbers and the generated ids of the worlds of a process. */
import { required } from "../domain/required.ts";

/** The form of generated ids; nine digits are enough. */
const FREE_ID = /^world-(\d{1,9})$/;

/** Numbers worlds from 1, in the order in which they are opened. */
export class WorldNumbers {
  /** The number of each world; a reset or restore keeps it. */
  readonly #numbers = new Map<string, number>();
  /** The last number given; none is given twice. */
  #last = 0;
  /** The highest number in ids such as `world-2` so far. */
  #lastFree = 0;

  /** Numbers a world that is opened, unless it has a number. */
  give(id: string): void {
    if (!this.#numbers.has(id)) this.#numbers.set(id, ++this.#last);
    this.#lastFree = Math.max(this.#lastFree, Number(FREE_ID.exec(id)?.[1] ?? 0));
  }

  of(id: string): number {
    return required(this.#numbers.get(id), "The number of a world");
  }

  forget(id: string): void {
    this.#numbers.delete(id);
  }

  /**
   * A free id for a world that was not given one. A process gives none twice: callers of a world that was deleted, or
   * whose time to live has ended, must not reach another one.
   */
  freeId(isTaken: (id: string) => boolean): string {
    let count = Math.max(this.#last, this.#lastFree + 1);
    while (isTaken(`world-${count}`)) count++;
    return `world-${count}`;
  }
}
