/** Makes an event in a hidden world first, so that a refusal half-way leaves nothing behind in the real one. */
import { ControlCallError, withoutCall } from "./control-client.ts";
import { TriggerError } from "./trigger-error.ts";
import type { WorldClient } from "./world-client.ts";

/** A balance that covers any event, in every currency. */
const PLENTY = "90000000";

/** The balances of the hidden world's accounts: those of the real ones, or more than is ever needed. */
export type Purse = "own" | "plenty";

/**
 * Does something in a hidden world in this process, with the settings, rates, accounts and time of the given one: the
 * rules of the service itself then check the values.
 * @throws {TriggerError} says which value an action refuses. @throws {ServiceCallError}
 * @throws {ControlCallError} for anything that is not the fault of the values, such as a world that is gone.
 */
export async function rehearse<Outcome>(
  world: WorldClient,
  purse: Purse,
  play: (stage: WorldClient) => Promise<Outcome>,
): Promise<Outcome> {
  const { settings, accounts, clock } = await world.info();
  // They may have changed since the world was made, and with them what a conversion comes to.
  const rates = await world.rates.get();
  const { startSandbox } = await import("./sandbox-client.ts");
  await using sandbox = await startSandbox();
  const stage = await sandbox.createWorld({
    settings: { ...settings, fixtures: { ...settings.fixtures, rates } },
    scenarios: [],
    clock: { start: clock.now },
    accounts: accounts.map(({ username, balances }) => {
      // A lost dispute may leave a negative balance (D52), which no account can be opened with.
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
