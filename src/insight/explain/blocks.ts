/** What blocked the caller of a refused call: the entries that explain the block, or none. */

import { FAILURES_MS, REFUSALS_MS } from "../../domain/abuse-windows.ts";
import { canonicalAddress } from "../../domain/caller-addresses.ts";
import { isOfCredentialBlock } from "../../domain/words/told-reasons.ts";
import type { JournalEntry } from "../../store/journal.ts";
import type { PlacedCall } from "../../store/logged-calls.ts";
import type { World } from "../../world/world.ts";
import { LOOKED_BACK, STRUCK_WITHIN } from "../reach.ts";
import { reasonsOf } from "../reasons.ts";
import { callBehind } from "./call-behind.ts";

/** The last change of the account's status, which put it under review. */
export function reviewOf({ accounts, journal }: World, { client_id, entry }: PlacedCall): JournalEntry[] {
  const credential = accounts.credential(client_id ?? "");
  return credential ? journal.latestOfKind(credential.username, "account.changed", 1, entry) : [];
}

/** The control call or step that last put the address on the black list. */
export function listingOf({ journal }: World, { ip, entry }: PlacedCall): JournalEntry[] {
  const before = (kind: string) => journal.ofKind(kind, entry - LOOKED_BACK, entry - 1);
  return [...before("control"), ...before("step")]
    .filter(({ data }) => addressesBlocked(data).some((address) => canonicalAddress(address) === ip))
    .sort((left, right) => left.sequence - right.sequence)
    .slice(-1);
}

/** The addresses that a control call or a step put on the black list. */
function addressesBlocked({ call, action, input }: JournalEntry["data"]): readonly string[] {
  if (action === "block_ip") return [String(input)];
  const { ips } = (call === "PUT /blocked-ips" ? input : {}) as { ips?: readonly string[] };
  return ips ?? [];
}

/**
 * The block of the address, and the failures that led to it. The journal contains no addresses: a block is of the
 * address of the call that started it.
 */
export function addressBlockOf(world: World, { ip, entry }: PlacedCall): JournalEntry[] {
  const { journal, requests } = world;
  const block = journal
    .ofKind("address.blocked", entry - LOOKED_BACK, entry - 1)
    .findLast((one) => callBehind(world, one)?.ip === ip);
  const last = callBehind(world, block);
  if (!block || !last) return [];
  const others = Number(block.data.failures) - 1;
  // Failures in a row count however long that takes (`D18`).
  const isWindow = world.settings.auth_failures === "window";
  const since = isWindow ? last.at - FAILURES_MS : Number.MIN_SAFE_INTEGER;
  const failures = requests.failuresBefore(last.position, others, ip, since);
  return [...failures.flatMap((failure) => journal.get(failure) ?? []), block];
}

/** The block that a credential was still under, with the refusals that led to it; none if a rate window was used up. */
export function credentialBlockOf(world: World, call: PlacedCall): JournalEntry[] {
  const { client_id, entry, at } = call;
  const begun = blockBegunBy(world, call);
  if (begun) return refusalsBehind(world, begun).filter(({ sequence }) => sequence !== entry);
  const [block] = world.journal.latestOfKind(client_id ?? "", "credential.blocked", 1, entry);
  if (!block || Date.parse(String(block.data.until)) <= at) return [];
  return [...refusalsBehind(world, block), block];
}

/**
 * The block that a call started and tells of. Its entry follows the call's, perhaps behind that of a fault that struck
 * it.
 */
function blockBegunBy({ journal }: World, call: PlacedCall): JournalEntry | undefined {
  if (!isOfCredentialBlock(reasonsOf(call).message ?? "")) return undefined;
  const behind = journal.ofKind("credential.blocked", call.entry, call.entry + STRUCK_WITHIN);
  return behind.find(({ cause }) => cause === call.entry);
}

function refusalsBehind(world: World, block: JournalEntry): JournalEntry[] {
  const { journal, requests } = world;
  const last = callBehind(world, block);
  if (!last) return [];
  const others = Number(block.data.refusals) - 1;
  const refusals = requests.refusalsBefore(last.position, others, block.subject ?? "", last.at - REFUSALS_MS);
  return refusals.flatMap((refusal) => journal.get(refusal) ?? []);
}
