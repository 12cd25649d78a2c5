/** What in the past a call was refused for: the entries that led to the refusal, by its code. */

import type { JournalEntry } from "../../store/journal.ts";
import type { PlacedCall } from "../../store/logged-calls.ts";
import type { World } from "../../world/world.ts";
import { addressBlockOf, credentialBlockOf, listingOf, reviewOf } from "./blocks.ts";
import { closingOf, expiredQuoteOf, expiredTokenOf, nonceUseOf } from "./endings.ts";
import type { Grounds } from "./topics.ts";
import { balanceUsesOf, limitUsesOf, walletsOf } from "./uses.ts";

type Search<Found> = (world: World, call: PlacedCall) => Found;

/** For entries that need no sentence. */
const plain =
  (search: Search<readonly JournalEntry[]>): Search<Grounds> =>
  (world, call) => ({ entries: search(world, call) });

/** TABLE: codes of refusals that something before the call caused, and how that is found. */
const searches: Readonly<Record<string, Search<Grounds>>> = {
  SECURITY_BLOCKED: plain(reviewOf),
  IP_BLACKLISTED: plain(listingOf),
  IP_BLOCKED_TEMPORARILY: plain(addressBlockOf),
  RATE_LIMIT_EXCEEDED: plain(credentialBlockOf),
  UNAUTHORIZED: plain(expiredTokenOf),
  INVALID_SIGNATURE: plain(nonceUseOf),
  LIMIT_EXCEEDED: limitUsesOf,
  INSUFFICIENT_BALANCE: balanceUsesOf,
  WALLET_LIMIT_REACHED: walletsOf,
  RATE_EXPIRED: plain(expiredQuoteOf),
  INFRACTION_NOT_OPEN: plain(closingOf),
};

/** What a call was refused for; no entries if it was not refused, or they are not in the journal. */
export function groundsOf(world: World, call: PlacedCall): Grounds {
  return searches[call.error_code ?? ""]?.(world, call) ?? { entries: [] };
}
