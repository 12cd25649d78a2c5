/** The merchant as which `trigger` calls `/v2`: it has a credential of its own, which is found again by its calls. */
import { sandboxAgents } from "../domain/sandbox-agents.ts";
import { endpoints } from "../http/endpoints.ts";
import { tokenBySeed } from "../service/tokens.ts";
import type { Connection } from "./control-client.ts";
import type { CredentialInfo } from "./control-types.ts";
import { credentialsOf, MerchantClient, signingInstant } from "./merchant-client.ts";
import type { WorldClient } from "./world-client.ts";

/** The agent that tells its calls from others, and by them its credentials. */
const AGENT = sandboxAgents.trigger;

/** The lowest limit of any endpoint per minute; on a frozen clock that minute never ends. */
const CALLS_PER_CREDENTIAL = Math.min(...endpoints.map(({ perMinute }) => perMinute));

/**
 * A merchant of an account (the default one unless named) whose calls do not count towards the rate limits of the
 * program under test. It has another credential (`D19`), replaced before its limit is used up, and a token that no call
 * has to be made for. Its webhooks go to where those of the account's first credential go.
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
 * The credential that only triggers have used, if it may still be used. They are used one after another: if the latest
 * one is used up, so are all before it.
 */
async function unspent(world: WorldClient, others: readonly CredentialInfo[]): Promise<CredentialInfo | undefined> {
  for (const credential of others.toReversed()) {
    const calls = await world.requests({ client_id: credential.client_id, limit: CALLS_PER_CREDENTIAL });
    const isOwn = calls.length > 0 && calls.every(({ headers }) => headers["user-agent"] === AGENT);
    if (isOwn) return calls.length < CALLS_PER_CREDENTIAL ? credential : undefined;
  }
  return undefined;
}
