import { isStorageFault } from "../store/storage-fault.ts";

/** Whether the store is full for now: what it refused is done again later, so that nothing is lost. */
export class Stall {
  readonly #onBegin: (error: unknown) => void;
  readonly #onFault: (error: unknown) => void;
  #why: unknown;
  #isTold = false;

  /** @param onBegin called when a stall begins. @param onFault called once until the store takes something again. */
  constructor(onBegin: (error: unknown) => void, onFault: (error: unknown) => void) {
    this.#onBegin = onBegin;
    this.#onFault = onFault;
  }

  /** The store's error; undefined unless stalled. */
  get why(): unknown {
    return this.#why;
  }

  /**
   * Runs work that writes to the store.
   * @returns false if the store is full; the stall then begins.
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

  /** Ends the stall, so that the store is tried again. */
  tryAgain(): void {
    this.#why = undefined;
  }

  /** Notes that something was committed, unless a stall has begun meanwhile: the next stall is reported again. */
  noteKept(): void {
    if (this.#why === undefined) this.#isTold = false;
  }
}
