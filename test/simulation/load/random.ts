/** Numbers in [0, 1) from a seed, the same on every machine (Mulberry32). */
export type RandomNumbers = () => number;

export function generator(seed: number): RandomNumbers {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these. */
export function pick<Item>(random: RandomNumbers, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
