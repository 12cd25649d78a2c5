/** A set of texts as a Bloom filter: it may report a text that was not added, but never misses one that was. */
import { type State, stateOf } from "../domain/identifiers/entropy.ts";

/** How many texts the first filter holds; each further one holds twice as many as the one before. */
const FIRST_CAPACITY = 8_192;

/** Bits for each text, which sets four of them: about one in 400 texts that were not added is reported. */
const BITS_EACH = 16;

/** Two bytes for each text, however long, and none is ever forgotten. */
export class SeenTexts {
  /** New texts are added to the last one. */
  readonly #filters = [new Filter(FIRST_CAPACITY)];

  add(text: string): void {
    let filter = this.#filters.at(-1) as Filter;
    if (filter.isFull) {
      filter = new Filter(filter.capacity * 2);
      this.#filters.push(filter);
    }
    filter.add(stateOf(text));
  }

  /** Whether a text may have been added; always true if it has been. */
  mayHave(text: string): boolean {
    const state = stateOf(text);
    return this.#filters.some((filter) => filter.mayHave(state));
  }
}

class Filter {
  readonly capacity: number;
  readonly #words: Uint32Array;
  #added = 0;

  /** @param capacity a power of two. */
  constructor(capacity: number) {
    this.capacity = capacity;
    this.#words = new Uint32Array((capacity * BITS_EACH) / 32);
  }

  get isFull(): boolean {
    return this.#added >= this.capacity;
  }

  add(state: State): void {
    for (const word of state) {
      const bit = this.#bitOf(word);
      this.#words[bit >>> 5] = this.#wordOf(bit) | (1 << (bit & 31));
    }
    this.#added++;
  }

  mayHave(state: State): boolean {
    return state.every((word) => {
      const bit = this.#bitOf(word);
      return (this.#wordOf(bit) & (1 << (bit & 31))) !== 0;
    });
  }

  #wordOf(bit: number): number {
    return this.#words[bit >>> 5] ?? 0;
  }

  #bitOf(word: number): number {
    return word & (this.capacity * BITS_EACH - 1);
  }
}
