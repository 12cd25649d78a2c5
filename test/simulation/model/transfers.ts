/** Internal transfers of the model, those of splits too (D35, D38, D39). */
import { decimalText } from "./decimals.ts";
import { emit } from "./deliveries.ts";
import { scaleOf } from "./facts.ts";
import { balanceOf, instantText, type State } from "./state.ts";

interface NewTransfer {
  readonly id: string | null;
  readonly username: string;
  readonly client: string;
  readonly recipient: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly externalId?: string | null;
  readonly description?: string | null;
  readonly splitOf: string | null;
}

/** Moves balance from one account to another and tells both. */
export function carryOver(state: State, transfer: NewTransfer): void {
  const { id, username, recipient, currency, amount, splitOf, description = null } = transfer;
  const externalId = splitOf === null ? (transfer.externalId ?? null) : null;
  state.transfers.push({ id, sender: username, recipient, externalId, currency, amount, description, splitOf });
  const sides = [
    { username, client: transfer.client, direction: state.settings.transfer_sent_direction, counterparty: recipient },
    { username: recipient, client: firstClient(state, recipient), direction: "received", counterparty: username },
  ];
  const text = (units: bigint) => decimalText(units, scaleOf(currency));
  const before = sides.map((side) => balanceOf(state, side.username, currency).available);
  balanceOf(state, username, currency).available -= amount;
  balanceOf(state, recipient, currency).available += amount;
  for (const [index, { direction, counterparty, ...told }] of sides.entries()) {
    emit(state, "transfer.confirmed", told, {
      ...(id === null ? {} : { transaction_id: id }),
      direction,
      amount: text(amount),
      currency,
      counterparty,
      description,
      old_balance: text(before[index] ?? 0n),
      new_balance: text(balanceOf(state, told.username, currency).available),
      confirmed_at: instantText(state.now),
    });
  }
}

/** Whom an account is told of what others did to it. */
function firstClient({ credentials }: State, username: string): string {
  return credentials.find((credential) => credential.username === username)?.id ?? "";
}
