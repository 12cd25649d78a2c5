/** Of a call that asked for more than was left: what had used it up, the latest of it. */
import { ledgerAccount } from "../domain/ledger.ts";
import type { StateOf } from "../domain/lifecycles.ts";
import { formatAmount } from "../domain/money.ts";
import { type LimitWindow, limitWindowIn } from "../domain/told-reasons.ts";
import { minorOf } from "../service/limits.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LoggedRequest } from "../store/requests.ts";
import { formatInstant, type Instant, utcDay, utcMonth } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { objectIn } from "./readiness/calls.ts";
import { reasonsOf } from "./reasons.ts";
import { ABOUT_LIMIT, type Grounds, LOOKED_BACK, type PlacedCall } from "./topics.ts";

/** As many uses are shown, the latest ones. */
const MOST_USES = 10;

/** States of transactions that have given back what they had used of limits (`D49`). */
const GIVEN_BACK: readonly StateOf<"cashin" | "cashout">[] = ["expired", "canceled", "failed"];

/** Something that was used up, with the entry that tells of it. */
interface Use {
  /** As `150.00`; null where what was used has none. */
  readonly amount: string | null;
  readonly entry: JournalEntry;
}

/** The change of the credential's limits that was in force, and what had used up the day or the month (`D26`, `D49`). */
export function limitUsesOf(world: World, call: PlacedCall): Grounds {
  const window = limitWindowIn(reasonsOf(call).message ?? "");
  const change = limitChangeOf(world, call);
  if (!window) return { entries: change };
  const since = beginningOf(window, call.at);
  const { entries, told } = shownUses(usesWithin(world, call, since), `Counted since ${formatInstant(since)}`);
  return { entries: [...change, ...entries], told };
}

/** The latest of what was used, newest first, and a sentence with the amounts. */
function shownUses(uses: readonly Use[], beginning: string): Grounds {
  const latest = uses.slice(0, MOST_USES);
  const each = latest.map(({ amount, entry }) => (amount === null ? entry.subject : `${amount} of ${entry.subject}`));
  const others = uses.length > latest.length ? ", and others before" : "";
  const told = latest.length === 0 ? "" : `${beginning}, the latest first: ${each.join(", ")}${others}.`;
  return { entries: latest.map(({ entry }) => entry), told };
}

function limitChangeOf({ journal }: World, { client_id, entry }: PlacedCall): JournalEntry[] {
  const call = `PATCH /credentials/${client_id}`;
  const change = journal
    .ofKind("control", entry - LOOKED_BACK, entry)
    .findLast(({ data }) => data.call === call && Object.hasOwn(data.input ?? {}, "limits"));
  return change ? [change] : [];
}

function beginningOf(window: LimitWindow, at: Instant): Instant {
  return Date.parse(window === "daily" ? utcDay(at) : utcMonth(at));
}

/** Limits are counted by operation and currency. */
function usesWithin(world: World, call: PlacedCall, since: Instant): Use[] {
  const { method, path, client_id } = call;
  const search = { call: `${method} ${path}`, client_id: client_id ?? undefined, since, span: LOOKED_BACK };
  const uses = new Map<string | null, Use>();
  for (const earlier of world.requests.successesBefore(call.position, ABOUT_LIMIT, search)) {
    if (uses.size > MOST_USES) break;
    const made = currencyOf(earlier) === currencyOf(call) ? madeBy(world, earlier) : undefined;
    if (made) uses.set(made.subject, { amount: amountIn(world, earlier), entry: made });
  }
  return [...uses.values()];
}

/** What a call asked for is what counts (`D49`). */
function amountIn({ currencies }: World, { body, ...call }: LoggedRequest): string {
  const { amount } = objectIn(body.toString()) ?? {};
  const scale = currencies.scale(String(currencyOf({ body, ...call })));
  return formatAmount(minorOf(String(amount), scale), scale);
}

function currencyOf({ body }: LoggedRequest): unknown {
  const { currency, base_currency } = objectIn(body.toString()) ?? {};
  return currency ?? base_currency;
}

/** The making of what a call was answered with, where that has not come to nothing since. */
function madeBy({ transactions, journal }: World, { response_body }: LoggedRequest): JournalEntry | undefined {
  const { transaction_id, conversion_id } = (objectIn(response_body.toString())?.data ?? {}) as Record<string, unknown>;
  const id = String(transaction_id ?? conversion_id);
  const transaction = transactions.get(id);
  return transaction && GIVEN_BACK.includes(transaction.status) ? undefined : journal.firstOf(id);
}

/** What had left the account's balance of that currency (`D52`). */
export function balanceUsesOf(world: World, call: PlacedCall): Grounds {
  const { accounts, currencies, ledger, journal } = world;
  const username = accounts.credential(call.client_id ?? "")?.username;
  if (username === undefined) return { entries: [] };
  const available = ledgerAccount("available", { username });
  const currency = String(currencyOf(call));
  const uses = ledger.latestFrom(available, currency, call.entry, MOST_USES + 1).flatMap((posting) => {
    const entry = journal.get(posting.entry);
    return entry ? { amount: formatAmount(posting.amount, currencies.scale(currency)), entry } : [];
  });
  return shownUses(uses, `What left the balance in ${currency}`);
}

/** The makings of the credential's wallets (`D43`). */
export function walletsOf({ wallets, journal }: World, { client_id }: PlacedCall): Grounds {
  const uses = wallets.latestOf(client_id ?? "", MOST_USES + 1).flatMap(({ wallet_id }) => {
    const entry = journal.firstOf(String(wallet_id));
    return entry ? { amount: null, entry } : [];
  });
  return shownUses(uses, "Its wallets");
}
