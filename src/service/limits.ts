/** Limits per operation, day and month, counted per credential (`D26`, `D46`, `D49`). */
import { DomainError } from "../domain/errors.ts";
import type { FeeOperation } from "../domain/fees.ts";
import type { LimitRow } from "../domain/limits.ts";
import { formatAmount, MAX_MOVED, type MinorUnits, parseDecimal, toMinorUnits } from "../domain/money.ts";
import { remembering } from "../domain/remembering.ts";
import { type LimitWindow, limitUsedUp } from "../domain/words/told-reasons.ts";
import type { UsageOf } from "../store/usage.ts";
import { type Instant, utcDay, utcMonth } from "../world/instants.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";

/** What a limit applies to. */
type LimitOf = Pick<LimitRow, "currency" | "operation">;

/** What an operation is about to use of its limits. */
interface LimitedUse {
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
  if (use.amount > MAX_MOVED) throw new DomainError("LIMIT_EXCEEDED", "The amount is more than the service can hold.");
  const common = operation.world.fixtures.limits.find((row) => isSameLimit(row, use));
  if (!common) return;
  const row = withOwn(common, operation.world.accounts.limitsOf(use.clientId));
  const scale = operation.world.currencies.scale(use.currency);
  checkBounds(use.amount, row, scale);
  const { daily_limit: daily, monthly_limit: monthly } = row;
  spend(operation, use, utcDay(operation.now), { name: "daily", most: minorOf(daily, scale) });
  // The month is counted without a limit, too: one may be set before the amount is given back.
  const most = monthly ? minorOf(monthly, scale) : null;
  spend(operation, use, utcMonth(operation.now), { name: "monthly", most });
}

/** The limits of a credential: the world's, overridden by its own. */
export function limitRowsOf(world: World, clientId: string): LimitRow[] {
  const rows = world.fixtures.limits.filter((row) => world.currencies.currencies.has(row.currency));
  const own = world.accounts.limitsOf(clientId);
  return rows.map((row) => withOwn(row, own));
}

/** A limit of the world, overridden by the fields that a credential has of its own (`D46`). */
function withOwn(row: LimitRow, own: readonly Partial<LimitRow>[]): LimitRow {
  const differing = own.find((each) => isSameLimit(each, row));
  return differing ? { ...row, ...differing } : row;
}

/** Whether two limits are for the same currency and operation. */
export function isSameLimit(one: Partial<LimitOf>, other: LimitOf): boolean {
  return one.currency === other.currency && one.operation === other.operation;
}

/** What a credential has used of its limits in the day and month of an instant, in minor units. */
export function usedOf(world: World, of: UsageOf, now: Instant) {
  return { daily: world.usage.used(of, utcDay(now)), monthly: world.usage.used(of, utcMonth(now)) };
}

/** Gives back what a failed or unpaid operation had used, in the day and month in which it was made (`D49`). */
export function giveBackLimits({ world }: Operation, use: LimitedUse, usedAt: Instant): void {
  for (const window of [utcDay(usedAt), utcMonth(usedAt)]) {
    if (world.usage.used(use, window) > 0n) world.usage.move(use, window, (used) => used - use.amount);
  }
}

function checkBounds(amount: MinorUnits, row: LimitRow, scale: number): void {
  const [least, most] = [minorOf(row.per_operation_min, scale), minorOf(row.per_operation_max, scale)];
  const beyond = (what: string, bound: MinorUnits) => {
    const told = `${formatAmount(bound, scale)} ${row.currency}`;
    return new DomainError("LIMIT_EXCEEDED", `The amount is ${what} of ${told}.`);
  };
  if (amount < least) throw beyond("below the minimum", least);
  if (amount > most) throw beyond("above the maximum", most);
}

/** The limit of a window; `most` is null if there is none. */
interface WindowLimit {
  readonly name: LimitWindow;
  readonly most: MinorUnits | null;
}

/** Counts an amount in a window. @throws {DomainError} `LIMIT_EXCEEDED` when it exceeds what is left of the limit. */
function spend({ world }: Operation, use: LimitedUse, window: string, { name, most }: WindowLimit): void {
  world.usage.move(use, window, (used) => {
    if (most === null || used + use.amount <= most) return used + use.amount;
    const scale = world.currencies.scale(use.currency);
    const rest = formatAmount(most > used ? most - used : 0n, scale);
    throw new DomainError("LIMIT_EXCEEDED", limitUsedUp(name, formatAmount(most, scale), use.currency, rest));
  });
}

const decimalOf = remembering(parseDecimal);

/** A decimal text in minor units; digits beyond the scale are cut. */
export function minorOf(text: string, scale: number): MinorUnits {
  return toMinorUnits(decimalOf(text), scale, "down");
}
