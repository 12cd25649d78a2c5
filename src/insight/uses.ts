/** Of a call that asked for more than was left: what had used it up, the latest of it. */
import { ledgerAccount } from "../domain/ledger.ts";
import type { StateOf } from "../domain/lifecycles.ts";
import { type LimitWindow, limitWindowIn } from "../domain/told-reasons.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LoggedRequest } from "../store/requests.ts";
import { type Instant, utcDay, utcMonth } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { objectIn } from "./readiness/calls.ts";
import { reasonsOf } from "./reasons.ts";
import { ABOUT_LIMIT, LOOKED_BACK, type PlacedCall } from "./topics.ts";

/** As many uses are shown, the latest ones. */
const MOST_USES = 10;

/** States of transactions that have given back what they had used of limits (`D49`). */
const GIVEN_BACK: readonly StateOf<"cashin" | "cashout">[] = ["expired", "canceled", "failed"];

/** The change of the credential's limits that was in force, and what had used up the day or the month (`D26`, `D49`). */
export function limitUsesOf(world: World, call: PlacedCall): JournalEntry[] {
  const window = limitWindowIn(reasonsOf(call).message ?? "");
  return [...limitChangeOf(world, call), ...(window ? usesWithin(world, call, beginningOf(window, call.at)) : [])];
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
function usesWithin(world: World, call: PlacedCall, since: Instant): JournalEntry[] {
  const { method, path, client_id } = call;
  const search = { call: `${method} ${path}`, client_id: client_id ?? undefined, since, span: LOOKED_BACK };
  const uses = new Map<string | null, JournalEntry>();
  for (const earlier of world.requests.successesBefore(call.position, ABOUT_LIMIT, search)) {
    if (uses.size === MOST_USES) break;
    const made = currencyOf(earlier) === currencyOf(call) ? madeBy(world, earlier) : undefined;
    if (made) uses.set(made.subject, made);
  }
  return [...uses.values()];
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
export function balanceUsesOf({ accounts, ledger, journal }: World, call: PlacedCall): JournalEntry[] {
  const username = accounts.credential(call.client_id ?? "")?.username;
  if (username === undefined) return [];
  const available = ledgerAccount("available", { username });
  return ledger
    .latestFrom(available, String(currencyOf(call)), call.entry, MOST_USES)
    .flatMap(({ entry }) => journal.get(entry) ?? []);
}

/** The makings of the credential's wallets (`D43`). */
export function walletsOf({ wallets, journal }: World, { client_id }: PlacedCall): JournalEntry[] {
  return wallets
    .latestOf(client_id ?? "", MOST_USES)
    .flatMap(({ wallet_id }) => journal.firstOf(String(wallet_id)) ?? []);
}
