/** What of the past a call was refused for: the entries that led to that, by the code of the refusal. */
import type { JournalEntry } from "../store/journal.ts";
import type { World } from "../world/world.ts";
import { addressBlockOf, credentialBlockOf, listingOf, reviewOf } from "./blocks.ts";
import { closingOf, expiredQuoteOf, expiredTokenOf, nonceUseOf } from "./endings.ts";
import type { PlacedCall } from "./topics.ts";
import { balanceUsesOf, limitUsesOf, walletsOf } from "./uses.ts";

/** TABLE: refusals that something before the call brought about, and how that is found. */
const searches: Readonly<Record<string, (world: World, call: PlacedCall) => readonly JournalEntry[]>> = {
  SECURITY_BLOCKED: reviewOf,
  IP_BLACKLISTED: listingOf,
  IP_BLOCKED_TEMPORARILY: addressBlockOf,
  RATE_LIMIT_EXCEEDED: credentialBlockOf,
  UNAUTHORIZED: expiredTokenOf,
  INVALID_SIGNATURE: nonceUseOf,
  LIMIT_EXCEEDED: limitUsesOf,
  INSUFFICIENT_BALANCE: balanceUsesOf,
  WALLET_LIMIT_REACHED: walletsOf,
  RATE_EXPIRED: expiredQuoteOf,
  INFRACTION_NOT_OPEN: closingOf,
};

/** The entries that a call was refused for; none where it was not, or they are not in the journal. */
export function groundsOf(world: World, call: PlacedCall): readonly JournalEntry[] {
  return searches[call.error_code ?? ""]?.(world, call) ?? [];
}
