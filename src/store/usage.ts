/** What credentials have used of their limits, by day and month. */
import type { MinorUnits } from "../domain/money.ts";
import type { Database } from "./database.ts";
import type { Figures } from "./figures.ts";
import { holdable } from "./holdable.ts";

/** Whose limits, and on what. */
export interface UsageOf {
  readonly clientId: string;
  readonly operation: string;
  readonly currency: string;
}

const READ = "SELECT used FROM usage WHERE client_id = ? AND operation = ? AND currency = ? AND window = ?";
const WRITE = "INSERT INTO usage VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET used = excluded.used";

/** Used amounts in minor units; zero where nothing was used in a window (`D49`). */
export class UsageStore {
  readonly #used: Figures<MinorUnits>;

  constructor(database: Database) {
    this.#used = database.figures({
      absent: 0n,
      read: (...key) => database.exactGet<{ used: bigint }>(READ, ...key)?.used,
      write: (used, ...key) => database.run(WRITE, ...key, used),
    });
  }

  /** @param window a UTC day or month, such as `2026-01-31` or `2026-01`. */
  used({ clientId, operation, currency }: UsageOf, window: string): MinorUnits {
    return this.#used.get(clientId, operation, currency, window);
  }

  /**
   * Replaces what was used with what `next` returns for it; if that throws, it stays.
   * @throws {DomainError} `LIMIT_EXCEEDED` if the new figure exceeds what the store holds.
   */
  move(of: UsageOf, window: string, next: (used: MinorUnits) => MinorUnits): void {
    const { clientId, operation, currency } = of;
    const held = (used: MinorUnits) => holdable(next(used), `What is used of the limits in ${currency}`);
    this.#used.move(held, clientId, operation, currency, window);
  }
}
