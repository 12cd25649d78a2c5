/** What a credential may do in a day, a month and at once (D26, D46, D49). */
import { minor } from "./decimals.ts";
import { type LimitedOperation, type LimitRow, limitRows, scaleOf } from "./facts.ts";
import type { State } from "./state.ts";

/** What an operation is to use. */
interface Use {
  readonly client: string;
  readonly operation: LimitedOperation;
  readonly currency: string;
  readonly amount: bigint;
}

/** The limits of a credential: those of all, with its own in their place. */
export function limitsOf({ credentials }: State, client: string): LimitRow[] {
  const own = credentials.find(({ id }) => id === client)?.limits ?? [];
  return limitRows.map((row) => {
    const differing = own.find(({ currency, operation }) => currency === row.currency && operation === row.operation);
    return { ...row, ...differing };
  });
}

/** Whether the limits forbid it. */
export function isOverLimit(state: State, use: Use): boolean {
  const row = limitsOf(state, use.client).find(
    ({ currency, operation }) => currency === use.currency && operation === use.operation,
  );
  if (!row) return false;
  const units = (text: string) => minor(text, scaleOf(use.currency));
  const isOutOfBounds = use.amount < units(row.per_operation_min) || use.amount > units(row.per_operation_max);
  const [day, month] = windowsOf(state.now);
  const isOver = (window: string, limit: string) => usedIn(state, use, window) + use.amount > units(limit);
  return isOutOfBounds || isOver(day, row.daily_limit) || (!!row.monthly_limit && isOver(month, row.monthly_limit));
}

/** Counts an operation; with a negative amount it is given back. */
export function countUse(state: State, use: Use, at = state.now): void {
  for (const window of windowsOf(at)) {
    const key = keyOf(use, window);
    state.used[key] = (state.used[key] ?? 0n) + use.amount;
  }
}

/** What was used of a limit today and this month. */
export function usedNow(state: State, use: Omit<Use, "amount">): { day: bigint; month: bigint } {
  const [day, month] = windowsOf(state.now);
  return { day: usedIn(state, use, day), month: usedIn(state, use, month) };
}

function usedIn({ used }: State, use: Omit<Use, "amount">, window: string): bigint {
  return used[keyOf(use, window)] ?? 0n;
}

function keyOf({ client, operation, currency }: Omit<Use, "amount">, window: string): string {
  return `${client} ${operation} ${currency} ${window}`;
}

/** The UTC day and month. */
function windowsOf(at: number): [string, string] {
  const text = new Date(at).toISOString();
  return [text.slice(0, 10), text.slice(0, 7)];
}
