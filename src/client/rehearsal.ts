/** Makes an event in a world that nobody sees, so that what is refused half-way leaves nothing behind in the real one. */
import { ControlCallError, withoutCall } from "./control-client.ts";
import { TriggerError } from "./trigger-error.ts";
import type { WorldClient } from "./world-client.ts";

/** More than any event takes, in every currency. */
const PLENTY = "90000000";

/** What the accounts of the unseen world own: what those of the real one do, or more than is ever needed. */
export type Purse = "own" | "plenty";

/**
 * Does something in a world with the settings, accounts and time of another one, in this process: the values are held to
 * the rules of the service itself.
 * @throws {TriggerError} says which value an action refuses. @throws {ServiceCallError}
 * @throws {ControlCallError} for what is no mistake of whoever gave it.
 */
export async function rehearse<Outcome>(
  world: WorldClient,
  purse: Purse,
  play: (stage: WorldClient) => Promise<Outcome>,
): Promise<Outcome> {
  const { settings, accounts, clock } = await world.info();
  const { startSandbox } = await import("./sandbox-client.ts");
  await using sandbox = await startSandbox();
  const stage = await sandbox.createWorld({
    settings,
    scenarios: [],
    clock: { start: clock.now },
    accounts: accounts.map(({ username, balances }) => {
      // A lost dispute may have taken more than there was (D35): nobody can be opened with less than nothing.
      const own = (balance: string) => (balance.startsWith("-") ? "0" : balance);
      const owned = balances.map(({ currency, balance }) => [currency, purse === "own" ? own(balance) : PLENTY]);
      return { username, balances: Object.fromEntries(owned) };
    }),
  });
  try {
    return await play(stage);
  } catch (error) {
    if (!(error instanceof ControlCallError) || error.status >= 500) throw error;
    throw new TriggerError(withoutCall(error.message), { isWrongInput: true });
  }
}
