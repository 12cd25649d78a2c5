/** Which texts have been seen: a Bloom filter, which never says of one that was seen that it was not. */

/** Texts that the first filter is made for; each further one takes twice as many as the one before. */
const FIRST_CAPACITY = 8_192;

/** With so many bits for each text, and so many of them set, one in 400 that was not seen seems to have been. */
const BITS_EACH = 16;
const PROBES = 4;

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
    filter.add(digestsOf(text));
  }

  /** Whether a text may have been added; of one that has been it is always so. */
  mayHave(text: string): boolean {
    const digests = digestsOf(text);
    return this.#filters.some((filter) => filter.mayHave(digests));
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

  add(digests: Digests): void {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bitOf(digests, probe);
      this.#words[bit >>> 5] = this.#wordOf(bit) | (1 << (bit & 31));
    }
    this.#added++;
  }

  mayHave(digests: Digests): boolean {
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = this.#bitOf(digests, probe);
      if ((this.#wordOf(bit) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  #wordOf(bit: number): number {
    return this.#words[bit >>> 5] ?? 0;
  }

  /** As many bits as two digests stand for: the sum of one and a multiple of the other. */
  #bitOf([one, other]: Digests, probe: number): number {
    return (one + Math.imul(probe, other)) & (this.capacity * BITS_EACH - 1);
  }
}

/** Two numbers of 32 bits that differ for nearly all texts. */
type Digests = readonly [number, number];

/** FNV-1a, and the same from another beginning with another prime; the second is odd, so that its multiples differ. */
function digestsOf(text: string): Digests {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return [one ^ (one >>> 15), (other ^ (other >>> 13)) | 1];
}
