/** What had shut out the caller of a refused call: the entry that put it there, or none. */
import { canonicalAddress } from "../domain/caller-addresses.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { World } from "../world/world.ts";
import { ABOUT_LIMIT, LOOKED_BACK, type PlacedCall } from "./topics.ts";

/** The last change of status of the account, which put it under review. */
export function reviewOf(world: World, { client_id, entry }: PlacedCall): JournalEntry[] {
  const credential = client_id === null ? undefined : world.accounts.credential(client_id);
  if (!credential) return [];
  const before = world.journal.latestOf(credential.username, ABOUT_LIMIT).filter(({ sequence }) => sequence < entry);
  return before.filter(({ kind }) => kind === "account.changed").slice(-1);
}

/** The control call or step that put the address on the black list last. */
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

/** The block of the address. The journal has no addresses: an entry is about that of the call which led to it. */
export function addressBlockOf({ journal, requests }: World, { ip, entry }: PlacedCall): JournalEntry[] {
  const callerOf = ({ cause }: JournalEntry) => requests.get(journal.get(cause ?? 0)?.subject ?? "")?.ip;
  return journal
    .ofKind("address.blocked", entry - LOOKED_BACK, entry - 1)
    .filter((block) => callerOf(block) === ip)
    .slice(-1);
}

/** The block that a credential was still under; none where it was a rate window that was used up. */
export function credentialBlockOf({ journal }: World, { client_id, entry, at }: PlacedCall): JournalEntry[] {
  return journal
    .latestOf(client_id ?? "", ABOUT_LIMIT)
    .filter(({ kind, sequence, data }) => {
      return kind === "credential.blocked" && sequence < entry && Date.parse(String(data.until)) > at;
    })
    .slice(-1);
}
