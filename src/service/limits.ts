/** Limits per operation, day and month, counted per credential (`D26`, `D46`, `D49`). */
import { DomainError } from "../domain/errors.ts";
import type { FeeOperation } from "../domain/fees.ts";
import type { LimitRow } from "../domain/limits.ts";
import { type MinorUnits, parseDecimal } from "../domain/money.ts";
import { utcDay, utcMonth } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";

/** What an operation is about to use of its limits. */
export interface LimitedUse {
  readonly clientId: string;
  readonly operation: FeeOperation;
  readonly currency: string;
  readonly amount: MinorUnits;
}

/**
 * Counts an operation against its limits.
 * @throws {DomainError} `LIMIT_EXCEEDED`.
 */
export function useLimits(operation: Operation, use: LimitedUse): void {
  const row = operation.world.fixtures.limits.find(
    (limit) => limit.currency === use.currency && limit.operation === use.operation,
  );
  if (!row) return;
  const scale = operation.world.currencies.scale(use.currency);
  checkBounds(use.amount, row, scale);
  spend(operation, use, utcDay(operation.now), minor(row.daily_limit, scale), "daily");
  if (row.monthly_limit) spend(operation, use, utcMonth(operation.now), minor(row.monthly_limit, scale), "monthly");
}

function checkBounds(amount: MinorUnits, row: LimitRow, scale: number): void {
  if (amount < minor(row.per_operation_min, scale)) {
    throw new DomainError(
      "LIMIT_EXCEEDED",
      `The amount is below the minimum of ${row.per_operation_min} ${row.currency}.`,
    );
  }
  if (amount > minor(row.per_operation_max, scale)) {
    throw new DomainError(
      "LIMIT_EXCEEDED",
      `The amount is above the maximum of ${row.per_operation_max} ${row.currency}.`,
    );
  }
}

function spend(operation: Operation, use: LimitedUse, window: string, limit: MinorUnits, name: string): void {
  const sql = `INSERT INTO usage VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET used = used + excluded.used RETURNING used`;
  const { clientId, currency, amount } = use;
  const row = operation.world.database.exactGet<{ used: bigint }>(
    sql,
    clientId,
    use.operation,
    currency,
    window,
    amount,
  );
  if (row && row.used > limit) throw new DomainError("LIMIT_EXCEEDED", `The ${name} limit of ${currency} is reached.`);
}

function minor(text: string, scale: number): MinorUnits {
  const decimal = parseDecimal(text);
  const shift = scale - decimal.scale;
  return shift >= 0 ? decimal.digits * 10n ** BigInt(shift) : decimal.digits / 10n ** BigInt(-shift);
}
