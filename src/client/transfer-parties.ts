/** Who pays whom in a transfer that is made for the sake of its event, and which of its two events is meant. */
import { TriggerError } from "./trigger-error.ts";
import type { Values } from "./trigger-values.ts";
import type { WorldClient } from "./world-client.ts";

/** The direction of the event for who is paid; that for who pays has a setting (`D39`). */
const RECEIVED = "received";

/**
 * The parties of a transfer: the default account pays, or is paid where `direction` says so.
 * @returns the account that pays, if it is not the default one, and the one that is paid.
 * @throws {TriggerError} for another direction, and where there is no second account.
 */
export async function partiesOf(
  world: WorldClient,
  { direction, counterparty }: Values,
): Promise<{ readonly payer?: string; readonly paid: string }> {
  const { accounts, settings } = await world.info();
  const [own, second] = accounts.map(({ username }) => username);
  const other = counterparty ?? second;
  if (own === undefined || other === undefined) {
    throw new TriggerError(`A transfer needs a second account; this world has ${own ?? "none"} alone.`);
  }
  const directions = [String(settings.transfer_sent_direction), RECEIVED];
  if (direction !== undefined && !directions.includes(direction)) {
    throw new TriggerError(`direction must be ${directions.join(" or ")}, not ${JSON.stringify(direction)}.`, WRONG);
  }
  if (direction !== RECEIVED) return { paid: other };
  if (accounts.some(({ username }) => username === other)) return { payer: other, paid: own };
  throw new TriggerError(`There is no account ${JSON.stringify(other)} that could pay.`, WRONG);
}

const WRONG = { isWrongInput: true } as const;

/** Whether an event is the one that is meant; both parties have one, of the same transfer. */
export function isOfSide({ body }: { readonly body: object }, { direction }: Values): boolean {
  const { data } = body as { readonly data?: { readonly direction?: string } };
  return direction === undefined || data?.direction === direction;
}
