/** For a call that asked for more than was left: what had used it up, the latest of it. */
import { ledgerAccount } from "../../domain/ledger.ts";
import type { StateOf } from "../../domain/lifecycles.ts";
import type { LimitRow } from "../../domain/limits.ts";
import type { MinorUnits } from "../../domain/money.ts";
import { moneyOperations } from "../../domain/service-calls.ts";
import { type LimitWindow, limitWindowIn } from "../../domain/words/told-reasons.ts";
import { isSameLimit } from "../../service/limits.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { LedgerPosting } from "../../store/ledger.ts";
import type { PlacedCall } from "../../store/logged-calls.ts";
import { formatInstant, type Instant, utcDay, utcMonth } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { ABOUT_LIMIT, LOOKED_BACK } from "../reach.ts";
import { reasonsOf } from "../reasons.ts";
import { amountIn, currencyOf } from "./asked-amounts.ts";
import { madeBy } from "./call-behind.ts";
import type { Grounds } from "./topics.ts";

/** Most uses that are shown, the latest ones. */
const MOST_USES = 10;

/** Most postings that are looked at; those that were returned are left out. */
const MOST_POSTINGS = 100;

/** States of transactions that have given back what they had used of limits (`D49`). */
const GIVEN_BACK: readonly unknown[] = ["expired", "canceled", "failed"] satisfies StateOf<"cashin" | "cashout">[];

/** Something that was used up, with its journal entry. */
interface Use {
  /** Such as `150.00`; null for uses without an amount. */
  readonly amount: string | null;
  readonly entry: JournalEntry;
}

/** The change that set the credential's limits, and what had used up the day's or the month's (`D26`, `D49`). */
export function limitUsesOf(world: World, call: PlacedCall): Grounds {
  const window = limitWindowIn(reasonsOf(call).message ?? "");
  const change = limitChangeOf(world, call);
  if (!window) return { entries: change };
  const since = windowStart(window, call.at);
  const { entries, told } = shownUses(usesWithin(world, call, since), `Counted since ${formatInstant(since)}`);
  return { entries: [...change, ...entries], told };
}

/** The latest uses, newest first, and a sentence with their amounts. */
function shownUses(uses: readonly Use[], beginning: string): Grounds {
  const latest = uses.slice(0, MOST_USES);
  const each = latest.map(({ amount, entry }) => (amount === null ? entry.subject : `${amount} of ${entry.subject}`));
  const others = uses.length > latest.length ? ", and others before" : "";
  const told = latest.length === 0 ? "" : `${beginning}, the latest first: ${each.join(", ")}${others}.`;
  return { entries: latest.map(({ entry }) => entry), told };
}

/** The call that set the credential's limit for this operation and currency; none if the world's own was in force. */
function limitChangeOf({ journal }: World, call: PlacedCall): JournalEntry[] {
  const { client_id, entry, path } = call;
  const changing = `PATCH /credentials/${client_id}`;
  const change = journal
    .ofKind("control", entry - LOOKED_BACK, entry)
    .findLast(({ data }) => data.call === changing && Object.hasOwn(data.input ?? {}, "limits"));
  const { limits = [] } = (change?.data.input ?? {}) as { limits?: readonly Partial<LimitRow>[] };
  const [operation, currency] = [moneyOperations[path], String(currencyOf(call))];
  const isSet = operation !== undefined && limits.some((row) => isSameLimit(row, { operation, currency }));
  return change && isSet ? [change] : [];
}

function windowStart(window: LimitWindow, at: Instant): Instant {
  return Date.parse(window === "daily" ? utcDay(at) : utcMonth(at));
}

/** The uses of a limit, which counts by operation and currency. */
function usesWithin(world: World, call: PlacedCall, since: Instant): Use[] {
  const { method, path, client_id } = call;
  const search = { call: `${method} ${path}`, client_id: client_id ?? undefined, since, span: LOOKED_BACK };
  const currency = currencyOf(call);
  const uses = new Map<string | null, Use>();
  for (const earlier of world.requests.successesBefore(call.position, ABOUT_LIMIT, search)) {
    if (uses.size > MOST_USES) break;
    const made = currencyOf(earlier) === currency ? standingFrom(world, earlier, call.entry) : undefined;
    if (made) uses.set(made.subject, { amount: amountIn(world, earlier), entry: made });
  }
  return [...uses.values()];
}

/** The first entry of what a call itself created, unless that had failed or ended before the call to be explained. */
function standingFrom(world: World, call: PlacedCall, before: number): JournalEntry | undefined {
  const made = madeBy(world, call);
  const [last] = world.journal.latestOfKind(made?.subject ?? "", "transition", 1, before);
  return GIVEN_BACK.includes(last?.data.to) ? undefined : made;
}

/** What had left the account's balance in that currency, and had not come back (`D52`). */
export function balanceUsesOf(world: World, call: PlacedCall): Grounds {
  const { accounts, currencies, ledger, journal } = world;
  const username = accounts.credential(call.client_id ?? "")?.username;
  if (username === undefined) return { entries: [] };
  const account = ledgerAccount("available", { username });
  const currency = String(currencyOf(call));
  const uses: Use[] = [];
  for (const posting of ledger.latestFrom(account, currency, call.entry, MOST_POSTINGS)) {
    if (uses.length > MOST_USES) break;
    const amount = stillGone(ledger.of(posting.subject), posting, call.entry);
    const entry = amount > 0n ? journal.get(posting.entry) : undefined;
    if (entry) uses.push({ amount: currencies.format(amount, currency), entry });
  }
  return shownUses(uses, `What left the balance in ${currency}`);
}

/** How much of a posting had not come back before an entry. What comes back counts against later postings first. */
function stillGone(ofSubject: readonly LedgerPosting[], of: LedgerPosting, before: number): MinorUnits {
  let later = 0n;
  let back = 0n;
  for (const { position, entry, source, destination, currency, amount } of ofSubject) {
    if (position <= of.position || entry >= before || currency !== of.currency) continue;
    if (source === of.source) later += amount;
    if (destination === of.source) back += amount;
  }
  const returned = back > later ? back - later : 0n;
  return returned < of.amount ? of.amount - returned : 0n;
}

/** The first entries of the credential's latest wallets (`D43`). */
export function walletsOf({ wallets, journal }: World, { client_id }: PlacedCall): Grounds {
  const uses = wallets.latestOf(client_id ?? "", MOST_USES + 1).flatMap(({ wallet_id }) => {
    const entry = journal.firstOf(String(wallet_id));
    return entry ? { amount: null, entry } : [];
  });
  return shownUses(uses, "Its wallets");
}
