import { isStorageFault } from "../store/storage-fault.ts";
import type { Landing } from "./courier.ts";

interface Waiting {
  readonly landing: Landing;
  /** What follows once it is written. */
  readonly follow: () => void;
}

/** What came of deliveries and is to be written, in order; again where what was written could not be kept. */
export class Landings {
  readonly #onFault: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  /** What was written, and is not committed yet. */
  #written: Landing[] = [];

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  add(landing: Landing, follow: () => void = () => {}): void {
    this.#waiting.push({ landing, follow });
  }

  /**
   * Writes the first of them. A fault of ours is told, and the next one has its turn.
   * @param isLastChance whether it is not tried again where the store is full.
   * @throws what the store says where it is full; then it still waits.
   */
  writeNext(isLastChance: boolean): void {
    const [next] = this.#waiting;
    if (!next) return;
    try {
      next.landing();
      this.#written.push(next.landing);
    } catch (error) {
      if (isStorageFault(error) && !isLastChance) throw error;
      this.#onFault(error);
    }
    next.follow();
    this.#waiting.shift();
  }

  /** Tells that what was written is committed. */
  keep(): void {
    this.#written = [];
  }

  /** Tells that what was written could not be kept; what followed from it has been done. */
  lose(): void {
    this.#waiting.unshift(...this.#written.map((landing) => ({ landing, follow: () => {} })));
    this.#written = [];
  }
}
