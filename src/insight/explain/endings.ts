/** For a call that came too late, or a second time: what had ended or used up what it relied on. */
import { disputesRepliedTo } from "../../domain/identifiers/resource-ids.ts";
import { TOKEN_CALL } from "../../domain/service-calls.ts";
import { NONCE_USED, tokenEndIn } from "../../domain/words/told-reasons.ts";
import { TOKEN_LIFETIME_S } from "../../service/tokens.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { PlacedCall } from "../../store/logged-calls.ts";
import type { Instant } from "../../world/instants.ts";
import type { World } from "../../world/world.ts";
import { LOOKED_BACK } from "../reach.ts";
import { reasonsOf } from "../reasons.ts";
import { endOfQuote, lastSimulation } from "./conversion-rates.ts";

/** Most moves of the clock that are shown, the last ones up to an end. */
const MOST_MOVES = 5;

/**
 * The call that had got the expired token, and the moves of the clock past the token's end (`D10`). The refused call
 * does not tell whose token it was, only when it was given: if several credentials got one then, no call is named.
 */
export function expiredTokenOf(world: World, call: PlacedCall): JournalEntry[] {
  const told = tokenEndIn(reasonsOf(call).hint ?? "");
  if (told === undefined) return [];
  const end = Date.parse(told);
  const since = end - TOKEN_LIFETIME_S * 1000;
  const search = { call: TOKEN_CALL, since, span: LOOKED_BACK };
  const given = world.requests.successesBefore(call.position, LOOKED_BACK, search).filter(({ at }) => at === since);
  const [latest] = given;
  if (!latest) return [];
  const isOfOne = given.every(({ proof }) => proof.credential === latest.proof.credential);
  const passing = timePassing(world, latest.entry, call.entry, end);
  return isOfOne ? passing : passing.slice(1);
}

/** The simulation whose quote had expired, and the moves of the clock past the quote's end (`D40`). */
export function expiredQuoteOf(world: World, call: PlacedCall): JournalEntry[] {
  const simulated = lastSimulation(world, call);
  return simulated ? timePassing(world, simulated.entry, call.entry, endOfQuote(world, simulated)) : [];
}

/** An entry, and how the clock was moved between it and another one, up to the move past an instant. */
function timePassing({ journal }: World, from: number, until: number, end: Instant): JournalEntry[] {
  const first = journal.get(from);
  const moves = journal
    .ofKind("control", Math.max(from, until - LOOKED_BACK), until)
    // The entry of a move is of the instant that it began at.
    .filter(({ at, data }) => at < end && String(data.call).startsWith("POST /clock"));
  return [...(first ? [first] : []), ...moves.slice(-MOST_MOVES)];
}

/** The signed call that had used the nonce (`D14`). */
export function nonceUseOf({ journal, requests }: World, call: PlacedCall): JournalEntry[] {
  const { position, client_id, headers } = call;
  const nonce = headers["x-nonce"];
  if (client_id === null || nonce === undefined || !reasonsOf(call).hint?.includes(NONCE_USED)) return [];
  const used = requests.signedBefore(position, LOOKED_BACK, client_id, nonce);
  const entry = journal.get(used?.entry ?? 0);
  return entry ? [entry] : [];
}

/**
 * The last transition of a dispute that takes no reply any more (`D51`) and, if that was its opening, the moves of the
 * clock past its deadline (`D53`).
 */
export function closingOf(world: World, { body, entry }: PlacedCall): JournalEntry[] {
  const [id = ""] = disputesRepliedTo(body.toString("latin1"));
  const dispute = world.disputes.get(id);
  const [last] = world.journal.latestOfKind(id, "transition", 1, entry);
  if (!dispute || !last) return [];
  return last.data.to === "open" ? timePassing(world, last.sequence, entry, dispute.deadline_at) : [last];
}
