/** `POST /v2/internal_transfers/payment` as the model has it. */
import { amountOf, strangeRefusals } from "./cashin-call.ts";
import { decimalText } from "./decimals.ts";
import { isCurrency, scaleOf } from "./facts.ts";
import { countUse, isOverLimit } from "./limits.ts";
import type { Body, Caller, MoneyCall } from "./money-calls.ts";
import { balanceOf, type State } from "./state.ts";
import { carryOver } from "./transfers.ts";

export const transferCall: MoneyCall = {
  path: "/v2/internal_transfers/payment",
  status: 200,
  send: ({ merchant }, body) => merchant.transfer(body),
  refusals,
  latest: async (world) => (await world.transfers.list()).at(-1)?.transaction_id ?? "",
  idOf: ({ transaction_id }) => String(transaction_id),
  apply(state, { username, client }, body, id) {
    const [currency, recipient] = [String(body.currency), String(body.username)];
    const amount = amountOf(body) ?? 0n;
    const description = typeof body.description === "string" ? body.description : null;
    const externalId = typeof body.external_id === "string" ? body.external_id : null;
    countUse(state, { client, operation: "internal_transfer", currency, amount });
    carryOver(state, { id, username, client, recipient, currency, amount, externalId, description, splitOf: null });
  },
  answer(state, id) {
    const transfer = state.transfers.find((each) => each.id === id);
    if (!transfer) throw new Error(`The model knows no transfer ${id}.`);
    const { currency, amount, externalId, recipient, description } = transfer;
    return {
      transaction_id: id,
      external_id: externalId,
      username: recipient,
      currency,
      amount: decimalText(amount, scaleOf(currency)),
      fee: decimalText(0n, scaleOf(currency)),
      status: "confirmed",
      description,
    };
  },
};

function refusals(state: State, { username, client }: Caller, body: Body): string[] {
  const codes: string[] = [];
  if (body.username === username) codes.push("INVALID_REQUEST");
  else if (!state.accounts.some((account) => account.username === body.username)) codes.push("NOT_FOUND");
  const currency = body.currency;
  if (!isCurrency(currency)) return [...codes, ...strangeRefusals(body)];
  const amount = amountOf(body);
  if (amount === null || amount === 0n) return [...codes, "INVALID_REQUEST"];
  if (isOverLimit(state, { client, operation: "internal_transfer", currency, amount })) codes.push("LIMIT_EXCEEDED");
  const isCovered = balanceOf(state, username, currency).available >= amount;
  return isCovered ? codes : [...codes, "INSUFFICIENT_BALANCE"];
}
