/** What credentials have used of their limits, by day and month. */
import type { MinorUnits } from "../domain/money.ts";
import type { Database } from "./database.ts";
import { KnownAmounts } from "./known-amounts.ts";

/** Whose limits, and on what. */
export interface UsageOf {
  readonly clientId: string;
  readonly operation: string;
  readonly currency: string;
}

export class UsageStore {
  readonly #database: Database;
  /** By window and whose they are. */
  readonly #known = new KnownAmounts();

  constructor(database: Database) {
    this.#database = database;
  }

  /** What was written may have been undone: look again. */
  forget(): void {
    this.#known.forget();
  }

  /** @param window a UTC day or month, such as `2026-01-31` or `2026-01`. */
  used(of: UsageOf, window: string): MinorUnits {
    const sql = "SELECT used FROM usage WHERE client_id = ? AND operation = ? AND currency = ? AND window = ?";
    const { clientId, operation, currency } = of;
    return this.#known.of(
      keyOf(of, window),
      () => this.#database.exactGet<{ used: bigint }>(sql, clientId, operation, currency, window)?.used ?? 0n,
    );
  }

  /** Adds to what was used, or takes away from it. */
  add(of: UsageOf, window: string, amount: MinorUnits): void {
    this.#known.added(keyOf(of, window), amount);
    const sql = "INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET used = used + excluded.used";
    this.#database.run(sql, of.clientId, of.operation, of.currency, window, amount);
  }
}

function keyOf({ clientId, operation, currency }: UsageOf, window: string): string {
  return `${window} ${operation} ${currency} ${clientId}`;
}
