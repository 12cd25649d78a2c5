/** What the rate of a conversion came from: the simulation that promised it, and the last change of the rates. */
import type { Conversion } from "../store/conversions.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LoggedRequest, PlacedCall } from "../store/requests.ts";
import type { World } from "../world/world.ts";
import { callBehind } from "./call-behind.ts";
import { objectIn } from "./json-object.ts";
import { LOOKED_BACK } from "./topics.ts";

/** Most calls about conversions that are searched for those of the same pair and amount. */
const MOST_LOOKED_AT = 100;

/**
 * The entries that a conversion's rate came from, as far as the journal has them.
 * @param made the conversion's first entry.
 */
export function ratesBehind(world: World, conversion: Conversion, made: JournalEntry | undefined): JournalEntry[] {
  const { journal } = world;
  const call = callBehind(world, made);
  const quoted = call && quoteBehind(world, call, conversion);
  const [simulated] = quoted ? [journal.get(quoted.entry)] : [];
  const change = journal
    .ofKind("rates.changed", (made?.sequence ?? 0) - LOOKED_BACK, quoted?.entry ?? made?.sequence ?? 0)
    .findLast(({ data }) => [conversion.currency_from, conversion.currency_to].some((one) => isIn(data.rates, one)));
  return [change, simulated].filter((entry) => entry !== undefined);
}

const isIn = (rates: unknown, currency: string) => Object.hasOwn(Object(rates), currency);

/**
 * The quote that a conversion was carried out at (`D40`): the last of its pair and amount, if still valid and unused.
 */
function quoteBehind(world: World, call: PlacedCall, { rate }: Conversion): PlacedCall | undefined {
  if (world.settings.quotes === "ignore") return undefined;
  const simulated = lastSimulation(world, call);
  const { data } = objectIn(simulated?.response_body.toString() ?? "") ?? {};
  const { rate: promised, expires_at } = Object(data) as { rate?: unknown; expires_at?: unknown };
  const isGood = promised === rate && call.at < Date.parse(String(expires_at));
  return simulated && isGood && !isUsedUp(world, simulated, call) ? simulated : undefined;
}

/** Whether a conversion used a quote before a call. A call that was answered with an existing conversion uses none. */
function isUsedUp(world: World, simulated: PlacedCall, call: PlacedCall): boolean {
  return alike(world, call, "POST /v2/conversions/new").some(({ position, entry, response_body }) => {
    if (position < simulated.position) return false;
    const { data } = objectIn(response_body.toString()) ?? {};
    return world.journal.firstOf(String(Object(data).conversion_id))?.cause === entry;
  });
}

/**
 * The simulation that a conversion call refers to, whether its quote is valid or not: the last of its pair and amount.
 */
export function lastSimulation(world: World, call: PlacedCall): PlacedCall | undefined {
  return alike(world, call, "POST /v2/conversions/simulate")[0];
}

/** Calls that succeeded before another one, of the same account, pair and amount, newest first. */
function alike(world: World, call: PlacedCall, of: string): PlacedCall[] {
  const search = { call: of, since: 0, span: LOOKED_BACK };
  const meant = quotedFor(world, call);
  return world.requests
    .successesBefore(call.position, MOST_LOOKED_AT, search)
    .filter((earlier) => quotedFor(world, earlier) === meant);
}

/** What a quote is identified by: the account, the pair and the amount. */
function quotedFor(world: World, { client_id, body }: LoggedRequest): string {
  const { base_currency, destination_currency, amount } = objectIn(body.toString()) ?? {};
  const username = world.accounts.credential(client_id ?? "")?.username;
  return JSON.stringify([username, base_currency, destination_currency, amount]);
}
