import type { MinorUnits } from "../domain/money.ts";

const MOST_KNOWN = 1_000;

/** Amounts of a table as they were read or changed last, by what they are of: every charge asks for the same few. */
export class KnownAmounts {
  readonly #known = new Map<string, MinorUnits>();

  /** @param read reads the amount that is not known. */
  of(key: string, read: () => MinorUnits): MinorUnits {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const amount = read();
    if (this.#known.size === MOST_KNOWN) this.#known.clear();
    this.#known.set(key, amount);
    return amount;
  }

  /** Tells of what was added to an amount in the store. */
  added(key: string, amount: MinorUnits): void {
    const known = this.#known.get(key);
    if (known !== undefined) this.#known.set(key, known + amount);
  }

  /** What was written may have been undone: look again. */
  forget(): void {
    this.#known.clear();
  }
}
