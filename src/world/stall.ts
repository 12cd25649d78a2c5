import { isStorageFault } from "../store/storage-fault.ts";

/** A store that takes nothing more for now: what it refused is done again later, and nothing is lost. */
export class Stall {
  readonly #onBegin: (error: unknown) => void;
  readonly #onFault: (error: unknown) => void;
  #why: unknown;
  #isTold = false;

  /** @param onBegin called when it begins. @param onFault told of it, once until the store takes something again. */
  constructor(onBegin: (error: unknown) => void, onFault: (error: unknown) => void) {
    this.#onBegin = onBegin;
    this.#onFault = onFault;
  }

  /** What the store said; undefined where it takes what it is given. */
  get why(): unknown {
    return this.#why;
  }

  /**
   * Does what writes to the store.
   * @returns false where that is full.
   */
  unlessFull(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!isStorageFault(error)) throw error;
      this.begin(error);
      return false;
    }
  }

  begin(error: unknown): void {
    if (this.#why === error) return;
    this.#why = error;
    if (!this.#isTold) this.#onFault(error);
    this.#isTold = true;
    this.#onBegin(error);
  }

  /** The store is tried again. */
  tryAgain(): void {
    this.#why = undefined;
  }

  /** Something was kept, unless it has begun again meanwhile. */
  noteKept(): void {
    if (this.#why === undefined) this.#isTold = false;
  }
}
