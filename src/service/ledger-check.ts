/** Checks the invariants of the ledger against its postings (CONTRIBUTING, Rules). */
import { isBlocked } from "../domain/ledger.ts";
import { counted } from "../domain/words/counted.ts";
import type { World } from "../world/world.ts";

/** An invariant, whether it holds, and a sentence on what was found. */
export interface LedgerCheck {
  readonly id: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Checks every invariant; `ok` if all hold. */
export function checkLedger(world: World): { ok: boolean; checks: LedgerCheck[] } {
  const checks = [sumsToZero(world), balancesFollow(world), lockedIsCovered(world), noPendingIsPaid(world)];
  return { ok: checks.every((check) => check.ok), checks };
}

function sumsToZero(world: World): LedgerCheck {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of world.ledger.balances()) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  const off = [...sums].filter(([, sum]) => sum !== 0n).map(([currency, sum]) => `${currency} ${sum}`);
  return check("sums_to_zero", off, `${counted(sums.size, "currency sums", "currencies sum")} to zero`);
}

function balancesFollow(world: World): LedgerCheck {
  const key = (row: { account: string; currency: string }) => `${row.account} ${row.currency}`;
  const kept = new Map(world.ledger.balances().map((row) => [key(row), row.amount]));
  const derived = new Map(world.ledger.derivedBalances().map((row) => [key(row), row.amount]));
  const names = new Set([...kept.keys(), ...derived.keys()]);
  const off = [...names].filter((name) => (kept.get(name) ?? 0n) !== (derived.get(name) ?? 0n));
  return check("balances_follow_from_postings", off, `${names.size} balances agree with their postings`);
}

function lockedIsCovered(world: World): LedgerCheck {
  const off = world.ledger.balances().filter(({ account, amount }) => isBlocked(account) && amount < 0n);
  return check(
    "locked_is_never_negative",
    off.map((row) => `${row.account} ${row.currency}`),
    "no blocked balance is negative",
  );
}

/** A cash-in has been credited if, and only if, its status says so. */
function noPendingIsPaid(world: World): LedgerCheck {
  const off = world.transactions.cashinsUnlikePostings();
  return check("cashins_are_credited_once_confirmed", off, "every cash-in agrees with its postings");
}

function check(id: string, off: readonly string[], fine: string): LedgerCheck {
  return { id, ok: off.length === 0, detail: off.length === 0 ? `${fine}.` : `Off: ${off.slice(0, 10).join(", ")}.` };
}
