/** The merchant that `trigger` calls `/v2` as: with a credential of its own, which the world itself remembers. */
import { SANDBOX_AGENT } from "../insight/readiness/calls.ts";
import { tokenBySeed } from "../service/tokens.ts";
import type { Connection } from "./control-client.ts";
import type { CredentialInfo } from "./control-types.ts";
import { credentialsOf, MerchantClient, signingInstant } from "./merchant-client.ts";
import type { WorldClient } from "./world-client.ts";

/** By its agent its calls are known, and by them its credentials. */
const AGENT = `${SANDBOX_AGENT}-trigger`;

/** As many as the scarcest endpoint takes in a minute, which never ends on a clock that stands still. */
const CALLS_PER_CREDENTIAL = 10;

/**
 * A merchant of an account, the default one unless it is named, whose calls count in no window of the program under test: another credential
 * (`D19`), renewed before it is used up, and a token that nobody is called for. Webhooks go where those of the account's
 * first credential go.
 */
export async function triggersMerchant(
  world: WorldClient,
  connection: Connection,
  username?: string,
): Promise<MerchantClient> {
  const { accounts, seed } = await world.info();
  const account = accounts.find((each) => each.username === username) ?? accounts[0];
  if (!account) return world.merchant();
  const [first, ...others] = account.credentials;
  const own = (await unspent(world, others)) ?? (await world.accounts.addCredential(account.username));
  const postback_url = first?.postback_url ?? null;
  if (own.postback_url !== postback_url) await world.accounts.updateCredential(own.client_id, { postback_url });
  const credentials = credentialsOf({ ...account, credentials: [own] });
  const tokenAt = (now: number) => tokenBySeed(seed, own.client_id, now);
  const now = async () => (await world.clock()).now;
  const signsAt = async () => signingInstant(await world.info());
  return new MerchantClient(connection, async () => credentials, now, { agent: AGENT, tokenAt, signsAt });
}

/**
 * A credential that nobody but a trigger has used, and not too often. They come one after the other: before one that is
 * used up there are none.
 */
async function unspent(world: WorldClient, others: readonly CredentialInfo[]): Promise<CredentialInfo | undefined> {
  for (const credential of others.toReversed()) {
    const calls = await world.requests({ client_id: credential.client_id, limit: CALLS_PER_CREDENTIAL });
    const isOwn = calls.length > 0 && calls.every(({ headers }) => headers["user-agent"] === AGENT);
    if (isOwn) return calls.length < CALLS_PER_CREDENTIAL ? credential : undefined;
  }
  return undefined;
}
