/** Which texts have been seen: a Bloom filter, which never says of one that was seen that it was not. */
import { type State, stateOf } from "../domain/identifiers/entropy.ts";

/** Texts that the first filter is made for; each further one takes twice as many as the one before. */
const FIRST_CAPACITY = 8_192;

/** With so many bits for each text, of which it sets four, one in 400 that was not seen seems to have been. */
const BITS_EACH = 16;

/** Two bytes for each text, however long, and none is ever forgotten. */
export class SeenTexts {
  /** The last one takes what is added. */
  readonly #filters = [new Filter(FIRST_CAPACITY)];

  add(text: string): void {
    let filter = this.#filters.at(-1) as Filter;
    if (filter.isFull) {
      filter = new Filter(filter.capacity * 2);
      this.#filters.push(filter);
    }
    filter.add(stateOf(text));
  }

  /** Whether a text may have been added; of one that has been it is always so. */
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
