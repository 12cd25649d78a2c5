/** `POST /v2/conversions/new` as the model has it, and the pair that its neighbours share with it. */
import { convert, type Pair, rateFor } from "./conversions.ts";
import { decimalText, minorUnits } from "./decimals.ts";
import { conversionFigures, isCurrency, scaleOf } from "./facts.ts";
import { isOverLimit } from "./limits.ts";
import type { Body, Caller, MoneyCall } from "./money-calls.ts";
import { balanceOf, type State } from "./state.ts";

export const conversionCall: MoneyCall = {
  path: "/v2/conversions/new",
  status: 200,
  send: ({ merchant }, body) => merchant.convert(body),
  refusals,
  latest: async (world) => (await world.conversions.list()).at(-1)?.conversion_id ?? "",
  idOf: ({ conversion_id }) => String(conversion_id),
  apply(state, { username, client }, body, id) {
    const pair = pairOf(body);
    if (!pair) throw new Error("This conversion should have been refused.");
    const rate = rateFor(state, username, pair) ?? "";
    const externalId = typeof body.external_id === "string" ? body.external_id : null;
    convert(state, { id, username, client, externalId, rate, ...pair });
  },
  answer(state, id) {
    const conversion = state.conversions.find((each) => each.id === id);
    if (!conversion) throw new Error(`The model knows no conversion ${id}.`);
    const { from, to, amountFrom, amountTo, fee, rate } = conversion;
    const number = (units: bigint, currency: string) => Number(decimalText(units, scaleOf(currency)));
    return {
      conversion_id: id,
      amount_from: number(amountFrom, from),
      currency_from: from,
      amount_to: number(amountTo, to),
      currency_to: to,
      rate: Number(rate),
      fee: number(fee, to),
    };
  },
};

/** A pair that there is, and an amount of its base; null for none. */
export function pairOf({ base_currency: from, destination_currency: to, amount }: Body): Pair | null {
  if (!isConvertible(from) || !isConvertible(to) || from === to) return null;
  const units = minorUnits(String(amount), scaleOf(from));
  return units === null ? null : { from, to, amount: units };
}

/** What is wrong with a pair or its amount (D09, D25, D41). */
export function pairRefusals(body: Body): string[] {
  const { base_currency: from, destination_currency: to, amount } = body;
  if (typeof amount !== "number")
    return [
      "INVALID_REQUEST",
      ...(isConvertible(from) && isConvertible(to) && from !== to ? [] : ["INVALID_CURRENCY"]),
    ];
  if (!isConvertible(from) || !isConvertible(to) || from === to) {
    const isInvalid = amount <= 0 || (isConvertible(from) && minorUnits(String(amount), scaleOf(from)) === null);
    return ["INVALID_CURRENCY", ...(isInvalid ? ["INVALID_REQUEST"] : [])];
  }
  const pair = pairOf(body);
  return pair === null || pair.amount === 0n ? ["INVALID_REQUEST"] : [];
}

/** Whether anything is left of it after spread and fee. */
export function isWorthIt({ from, to, amount }: Pair, rate: string): boolean {
  return conversionFigures(from, amount, to, rate).amountTo > 0n;
}

function refusals(state: State, { username, client }: Caller, body: Body): string[] {
  const codes = pairRefusals(body);
  const pair = pairOf(body);
  if (codes.length > 0 || !pair) return codes;
  const { from: currency, amount } = pair;
  if (isOverLimit(state, { client, operation: "conversion", currency, amount })) codes.push("LIMIT_EXCEEDED");
  const rate = rateFor(state, username, pair);
  if (rate === null) codes.push("RATE_EXPIRED");
  else if (!isWorthIt(pair, rate)) codes.push("INVALID_REQUEST");
  return balanceOf(state, username, currency).available >= amount ? codes : [...codes, "INSUFFICIENT_BALANCE"];
}

function isConvertible(currency: unknown): currency is string {
  return isCurrency(currency) && currency !== "MXN";
}
