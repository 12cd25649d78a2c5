/** Where webhooks of a world go, and may go. */
import { defaultDestinationFault, destinationFault } from "../domain/destinations.ts";
import { DomainError } from "../domain/errors.ts";
import type { World } from "../world/world.ts";

/** The default destination of a credential's webhooks: its own, else the account's (`D46`); null if there is none. */
export function defaultDestination(world: World, clientId: string): string | null {
  const credential = world.accounts.credential(clientId);
  if (!credential) return null;
  return credential.postback_url ?? world.accounts.get(credential.username)?.postback_url ?? null;
}

/** Why webhooks may not go to a default address (`D63`), as the end of a sentence; null where they may, or none is given. */
export function postbackFault({ settings }: World, postbackUrl: string | null | undefined): string | null {
  if (postbackUrl === null || postbackUrl === undefined) return null;
  return defaultDestinationFault(postbackUrl, settings.webhook_targets);
}

/** @throws {DomainError} `INVALID_REQUEST` when a transaction's own webhooks may not go there (`D63`). */
export function requireDestination(world: World, postbackUrl: string | null | undefined): void {
  if (postbackUrl === null || postbackUrl === undefined) return;
  const fault = destinationFault(postbackUrl, world.settings.webhook_targets);
  if (fault) throw new DomainError("INVALID_REQUEST", `postback_url ${fault}.`);
}
