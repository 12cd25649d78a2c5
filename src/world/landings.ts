import { isStorageFault } from "../store/storage-fault.ts";
import type { Landing } from "./courier.ts";

interface Waiting {
  readonly landing: Landing;
  /** Called once the landing was written, or given up for a fault. */
  readonly follow: () => void;
}

/** Results of deliveries that wait to be written, in order; they are written again if a commit fails. */
export class Landings {
  readonly #onFault: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  /** Written, but not committed yet. */
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
   * Writes the first one. If it throws an error of ours, the error is reported and the landing dropped.
   * @param isLastChance whether it is dropped too if the store is full, as it cannot be tried again.
   * @throws the store's error if the store is full; the landing then still waits.
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

  /** Notes that everything written is committed. */
  keep(): void {
    this.#written = [];
  }

  /** Notes that the commit failed: what was written waits again, without its `follow`, which was called already. */
  lose(): void {
    this.#waiting.unshift(...this.#written.map((landing) => ({ landing, follow: () => {} })));
    this.#written = [];
  }
}
