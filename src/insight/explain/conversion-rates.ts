/** What the rate of a conversion came from: the simulation that promised it, and the last changes of the rates. */
import { durationOf } from "../../domain/durations.ts";
import type { Conversion } from "../../store/conversions.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { LoggedRequest, PlacedCall } from "../../store/logged-calls.ts";
import type { Instant } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { objectIn } from "../json-object.ts";
import { LOOKED_BACK } from "../reach.ts";
import { callBehind } from "./call-behind.ts";

/** Most simulations that are searched for one of the same pair and amount. */
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
  const until = quoted?.entry ?? made?.sequence ?? 0;
  const changes = journal.ofKind("rates.changed", (made?.sequence ?? 0) - LOOKED_BACK, until);
  const lastOf = (currency: string) => changes.findLast(({ data }) => Object.hasOwn(Object(data.rates), currency));
  const { currency_from, currency_to } = conversion;
  return [lastOf(currency_from), lastOf(currency_to), simulated].filter((entry) => entry !== undefined);
}

/**
 * The quote that a conversion was carried out at (`D40`): the last of its pair and amount, if still valid and unused.
 */
function quoteBehind(world: World, call: PlacedCall, conversion: Conversion): PlacedCall | undefined {
  if (world.settings.quotes === "ignore") return undefined;
  const simulated = lastSimulation(world, call);
  const isGood = simulated && call.at < endOfQuote(world, simulated) && !isUsedUp(world, simulated, conversion);
  return isGood ? simulated : undefined;
}

/** When the quote of a simulation ends. */
export function endOfQuote({ settings }: World, simulated: PlacedCall): Instant {
  return simulated.at + durationOf(settings.quote_ttl);
}

/** Whether an earlier conversion than this one used the quote of a simulation. */
function isUsedUp({ conversions, journal }: World, simulated: PlacedCall, conversion: Conversion): boolean {
  const earlier = conversions.lastAlikeBefore(conversion, LOOKED_BACK);
  const made = earlier && journal.firstOf(earlier.conversion_id);
  return made !== undefined && made.sequence > simulated.entry;
}

/**
 * The simulation that a conversion call refers to, whether its quote is valid or not: the last of its account, pair and
 * amount.
 */
export function lastSimulation(world: World, call: PlacedCall): PlacedCall | undefined {
  const search = { call: "POST /v2/conversions/simulate", since: 0, span: LOOKED_BACK };
  const meant = quotedFor(world, call);
  return world.requests
    .successesBefore(call.position, MOST_LOOKED_AT, search)
    .find((earlier) => quotedFor(world, earlier) === meant);
}

/** What a quote is identified by: the account, the pair and the amount. */
function quotedFor(world: World, { client_id, body }: LoggedRequest): string {
  const { base_currency, destination_currency, amount } = objectIn(body.toString()) ?? {};
  const username = world.accounts.credential(client_id ?? "")?.username;
  return JSON.stringify([username, base_currency, destination_currency, amount]);
}
