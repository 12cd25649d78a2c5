/** What had shut out the caller of a refused call: the entry that put it there, by the code of the refusal. */
import { canonicalAddress } from "../domain/caller-addresses.ts";
import type { JournalEntry } from "../store/journal.ts";
import type { LoggedRequest } from "../store/requests.ts";
import type { World } from "../world/world.ts";
import { ABOUT_LIMIT } from "./topics.ts";

/** So far back is looked for what blocked an address: the journal has no index over that. */
const LOOKED_BACK = 10_000;

/** TABLE: refusals that something before the call brought about, and how that is found. */
const blocks: Readonly<Record<string, (world: World, request: LoggedRequest) => JournalEntry | undefined>> = {
  SECURITY_BLOCKED: reviewOf,
  IP_BLACKLISTED: listingOf,
  IP_BLOCKED_TEMPORARILY: addressBlockOf,
  RATE_LIMIT_EXCEEDED: credentialBlockOf,
};

/** The entry that shut out the caller of a call; undefined where nothing did, or it is not in the journal. */
export function blockOf(world: World, request: LoggedRequest): JournalEntry | undefined {
  return blocks[request.error_code ?? ""]?.(world, request);
}

function reviewOf(world: World, { client_id, entry }: LoggedRequest): JournalEntry | undefined {
  const credential = client_id === null ? undefined : world.accounts.credential(client_id);
  if (!credential) return undefined;
  const before = world.journal.latestOf(credential.username, ABOUT_LIMIT).filter(({ sequence }) => sequence < entry);
  return before.findLast(({ kind }) => kind === "account.changed");
}

function listingOf({ journal }: World, { ip, entry }: LoggedRequest): JournalEntry | undefined {
  const before = (kind: string) => journal.ofKind(kind, entry - LOOKED_BACK, entry - 1);
  return [...before("control"), ...before("step")]
    .filter(({ data }) => addressesBlocked(data).some((address) => canonicalAddress(address) === ip))
    .reduce<JournalEntry | undefined>((last, one) => (last && last.sequence > one.sequence ? last : one), undefined);
}

/** The addresses that a control call or a step put on the black list. */
function addressesBlocked({ call, action, input }: JournalEntry["data"]): readonly string[] {
  if (action === "block_ip") return [String(input)];
  const { ips } = (call === "PUT /blocked-ips" ? input : {}) as { ips?: readonly string[] };
  return ips ?? [];
}

/** The journal has no addresses: an entry is about that of the call which led to it. */
function addressBlockOf({ journal, requests }: World, { ip, entry }: LoggedRequest): JournalEntry | undefined {
  const callerOf = ({ cause }: JournalEntry) => requests.get(journal.get(cause ?? 0)?.subject ?? "")?.ip;
  return journal.ofKind("address.blocked", entry - LOOKED_BACK, entry - 1).findLast((block) => callerOf(block) === ip);
}

/** The block that a credential was still under; undefined where it was a rate window that was used up. */
function credentialBlockOf({ journal }: World, { client_id, entry, at }: LoggedRequest): JournalEntry | undefined {
  return journal.latestOf(client_id ?? "", ABOUT_LIMIT).findLast(({ kind, sequence, data }) => {
    return kind === "credential.blocked" && sequence < entry && Date.parse(String(data.until)) > at;
  });
}
