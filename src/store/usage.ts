/** What credentials have used of their limits, by day and month. */
import type { MinorUnits } from "../domain/money.ts";
import type { Database } from "./database.ts";

/** Whose limits, and on what. */
export interface UsageOf {
  readonly clientId: string;
  readonly operation: string;
  readonly currency: string;
}

const MOST_KNOWN = 1_000;

export class UsageStore {
  readonly #database: Database;
  /** As it was read or written last, by window and whose it is. */
  readonly #known = new Map<string, MinorUnits>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** What was written may have been undone: look again. */
  forget(): void {
    this.#known.clear();
  }

  /** @param window a UTC day or month, such as `2026-01-31` or `2026-01`. */
  used(of: UsageOf, window: string): MinorUnits {
    const key = keyOf(of, window);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const sql = "SELECT used FROM usage WHERE client_id = ? AND operation = ? AND currency = ? AND window = ?";
    const { clientId, operation, currency } = of;
    const used = this.#database.exactGet<{ used: bigint }>(sql, clientId, operation, currency, window)?.used ?? 0n;
    if (this.#known.size === MOST_KNOWN) this.#known.clear();
    this.#known.set(key, used);
    return used;
  }

  /** Adds to what was used, or takes away from it. */
  add(of: UsageOf, window: string, amount: MinorUnits): void {
    this.#known.set(keyOf(of, window), this.used(of, window) + amount);
    const sql = "INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used";
    this.#database.run(sql, of.clientId, of.operation, of.currency, window, amount);
  }
}

function keyOf({ clientId, operation, currency }: UsageOf, window: string): string {
  return `${window} ${operation} ${currency} ${clientId}`;
}
