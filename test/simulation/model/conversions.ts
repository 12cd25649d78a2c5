/** Conversions and quotes of the model (D40 to D41). */
import { decimalText, fraction, over, quoted } from "./decimals.ts";
import { emit } from "./deliveries.ts";
import { conversionFigures, QUOTE_MEMORY, scaleOf } from "./facts.ts";
import { countUse } from "./limits.ts";
import { balanceOf, type Conversion, instantText, type Quote, type State } from "./state.ts";

/** How long a simulated quote is valid (D40). */
const QUOTE_LIFETIME = 60_000;

/** What is to be converted. */
export interface Pair {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** Units of the destination per unit of the base, to twelve digits. */
export function spotRate({ rates }: State, { from, to }: Pick<Pair, "from" | "to">): string {
  return quoted(over(fraction(rates[from] ?? "1"), fraction(rates[to] ?? "1")));
}

export function simulate(state: State, username: string, pair: Pair): Quote {
  const expiresAt = state.now + QUOTE_LIFETIME;
  const quote: Quote = { username, ...pair, rate: spotRate(state, pair), expiresAt, used: false };
  state.quotes.push(quote);
  return quote;
}

/** The rate of an execution; null where the quote has expired. */
export function rateFor(state: State, username: string, pair: Pair): string | null {
  const quote = quotesOf(state, username, pair).at(-1);
  const isForgotten = quote && state.now >= quote.expiresAt + QUOTE_MEMORY;
  if (!quote || isForgotten || state.settings.quotes === "ignore") return spotRate(state, pair);
  return state.now < quote.expiresAt ? quote.rate : null;
}

interface NewConversion extends Pair {
  readonly id: string;
  readonly username: string;
  readonly client: string;
  readonly externalId: string | null;
  readonly rate: string;
}

/** The base is debited and the destination credited at once. */
export function convert(state: State, draft: NewConversion): Conversion {
  const { id, username, client, externalId, rate, from, to, amount } = draft;
  countUse(state, { client, operation: "conversion", currency: from, amount });
  if (state.settings.quotes === "implicit") for (const quote of quotesOf(state, username, draft)) quote.used = true;
  const { amountTo, fee, spread } = conversionFigures(from, amount, to, rate);
  balanceOf(state, username, from).available -= amount;
  balanceOf(state, username, to).available += amountTo;
  const figures = { from, to, amountFrom: amount, amountTo, fee, spread, rate };
  const conversion: Conversion = { id, username, client, externalId, ...figures, status: "completed" };
  state.conversions.push(conversion);
  emit(state, "conversion.confirmed", draft, {
    conversion_id: id,
    external_id: externalId,
    amount_from: decimalText(amount, scaleOf(from)),
    currency_from: from,
    amount_to: decimalText(amountTo, scaleOf(to)),
    currency_to: to,
    rate,
    fee: decimalText(fee, scaleOf(to)),
    status: "completed",
    completed_at: instantText(state.now),
  });
  return conversion;
}

/** Support takes back what was bought and gives back what was sold (D40b). */
export function revert(state: State, conversion: Conversion, reason: string): void {
  const { username, from, to, amountFrom, amountTo } = conversion;
  balanceOf(state, username, to).available -= amountTo;
  balanceOf(state, username, from).available += amountFrom;
  conversion.status = "refunded";
  emit(state, "conversion.refunded", conversion, {
    original_conversion_id: conversion.id,
    amount_reverted_from: decimalText(amountTo, scaleOf(to)),
    currency_reverted_from: to,
    amount_returned_to: decimalText(amountFrom, scaleOf(from)),
    currency_returned_to: from,
    reason,
    refunded_at: instantText(state.now),
  });
}

/** The quotes of an account for a pair and amount that were not used, oldest first. */
function quotesOf({ quotes }: State, username: string, { from, to, amount }: Pair): Quote[] {
  return quotes.filter(
    (quote) =>
      !quote.used && quote.username === username && quote.from === from && quote.to === to && quote.amount === amount,
  );
}
