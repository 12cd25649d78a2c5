import type { Advance } from "./advance.ts";
import type { Instant } from "./instants.ts";

/** The advances of a world, in their turn: the first may be under way, the others wait for it. */
export class Advances {
  readonly #queue: Advance[] = [];

  get areThere(): boolean {
    return this.#queue.length > 0;
  }

  /** The one that has begun and moves the clock, if there is one. */
  get underWay(): Advance | undefined {
    const first = this.#queue[0];
    return first?.begun ? first : undefined;
  }

  /** Whether it is the turn of one that has not begun. */
  get isNextToBegin(): boolean {
    const first = this.#queue[0];
    return first !== undefined && !first.begun && !first.isHeldUp;
  }

  add(advance: Advance): void {
    this.#queue.push(advance);
    if (this.#queue.length === 1) advance.comeFirst();
  }

  /**
   * Begins the first; if it cannot begin, it is rejected and leaves the queue.
   * @param next finds the instant of the next timer, if any.
   * @returns whether it has begun.
   */
  begin(next: () => Instant | undefined): boolean {
    const [first] = this.#queue;
    if (!first) return false;
    try {
      first.begin(next());
      return true;
    } catch (error) {
      this.#takeOut(first).fail(error);
      return false;
    }
  }

  /** Ends the first, which has run all that it covers; if that fails, it stays. */
  end(): void {
    const [first] = this.#queue;
    if (!first) return;
    first.end();
    this.#takeOut(first);
  }

  /**
   * Cancels the first that is not canceled yet, between two timers; one that has not begun is answered at once.
   * @returns whether there was one.
   */
  cancel(): boolean {
    const advance = this.#queue.find(({ isCanceled }) => !isCanceled);
    if (!advance) return false;
    advance.cancel();
    if (!advance.begun) this.#takeOut(advance).breakOff();
    return true;
  }

  /** Answers all with their progress so far, since none goes on. */
  breakOff(): void {
    for (const advance of this.#queue.splice(0)) advance.breakOff();
  }

  /** Rejects all. */
  fail(error: unknown): void {
    for (const advance of this.#queue.splice(0)) advance.fail(error);
  }

  #takeOut(advance: Advance): Advance {
    const place = this.#queue.indexOf(advance);
    this.#queue.splice(place, 1);
    if (place === 0) this.#queue[0]?.comeFirst();
    return advance;
  }
}
