/** Of a call that asked for more than was left: what had used it up, the latest of it. */
import { ledgerAccount } from "../domain/ledger.ts";
import type { StateOf } from "../domain/lifecycles.ts";
import type { LimitRow } from "../domain/limits.ts";
import {
  AmountError,
  formatAmount,
  type MinorUnits,
  parseDecimal,
  parseJsonNumber,
  toMinorUnits,
} from "../domain/money.ts";
import { type LimitWindow, limitWindowIn } from "../domain/told-reasons.ts";
import { isSameLimit } from "../service/limits.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LedgerPosting } from "../store/ledger.ts";
import type { LoggedRequest, PlacedCall } from "../store/requests.ts";
import { formatInstant, type Instant, utcDay, utcMonth } from "../world/instants.ts";
import type { World } from "../world/world.ts";
import { moneyOperations, objectIn } from "./readiness/calls.ts";
import { reasonsOf } from "./reasons.ts";
import { ABOUT_LIMIT, type Grounds, LOOKED_BACK } from "./topics.ts";

/** As many uses are shown, the latest ones. */
const MOST_USES = 10;

/** As many postings are looked at: what came back is left out. */
const MOST_POSTINGS = 100;

/** States of transactions that have given back what they had used of limits (`D49`). */
const GIVEN_BACK: readonly unknown[] = ["expired", "canceled", "failed"] satisfies StateOf<"cashin" | "cashout">[];

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

/** The change that the limit of the call's operation and currency stands in; none where the world's own was in force. */
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

function beginningOf(window: LimitWindow, at: Instant): Instant {
  return Date.parse(window === "daily" ? utcDay(at) : utcMonth(at));
}

/** Limits are counted by operation and currency. */
function usesWithin(world: World, call: PlacedCall, since: Instant): Use[] {
  const { method, path, client_id } = call;
  const search = { call: `${method} ${path}`, client_id: client_id ?? undefined, since, span: LOOKED_BACK };
  const currency = currencyOf(call);
  const uses = new Map<string | null, Use>();
  for (const earlier of world.requests.successesBefore(call.position, ABOUT_LIMIT, search)) {
    if (uses.size > MOST_USES) break;
    const made = currencyOf(earlier) === currency ? madeBy(world, earlier, call.entry) : undefined;
    if (made) uses.set(made.subject, { amount: amountIn(world, earlier), entry: made });
  }
  return [...uses.values()];
}

/** What a call asked for is what counts (`D49`). */
function amountIn({ currencies }: World, call: LoggedRequest): string | null {
  const { amount } = objectIn(call.body.toString()) ?? {};
  const scale = currencies.scale(String(currencyOf(call)));
  try {
    const decimal = typeof amount === "number" ? parseJsonNumber(String(amount)) : parseDecimal(String(amount));
    return formatAmount(toMinorUnits(decimal, scale, "down"), scale);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

function currencyOf({ body }: LoggedRequest): unknown {
  const { currency, base_currency } = objectIn(body.toString()) ?? {};
  return currency ?? base_currency;
}

/** The making of what a call was answered with: by itself, and not come to nothing before the call that is told of. */
function madeBy({ journal }: World, { response_body, entry }: LoggedRequest, before: number): JournalEntry | undefined {
  const { transaction_id, conversion_id } = (objectIn(response_body.toString())?.data ?? {}) as Record<string, unknown>;
  const id = String(transaction_id ?? conversion_id);
  const made = journal.firstOf(id);
  const [last] = journal.latestOfKind(id, "transition", 1, before);
  return made?.cause === entry && !GIVEN_BACK.includes(last?.data.to) ? made : undefined;
}

/** What had left the account's balance of that currency, and had not come back (`D52`). */
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
    if (entry) uses.push({ amount: formatAmount(amount, currencies.scale(currency)), entry });
  }
  return shownUses(uses, `What left the balance in ${currency}`);
}

/** How much of a posting had not come back before an entry. What comes back of a subject is what left last. */
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

/** The makings of the credential's wallets (`D43`). */
export function walletsOf({ wallets, journal }: World, { client_id }: PlacedCall): Grounds {
  const uses = wallets.latestOf(client_id ?? "", MOST_USES + 1).flatMap(({ wallet_id }) => {
    const entry = journal.firstOf(String(wallet_id));
    return entry ? { amount: null, entry } : [];
  });
  return shownUses(uses, "Its wallets");
}
