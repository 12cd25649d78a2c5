/** TABLE: what both a mixed load and a year of business order, beside what each has of its own. */

/** The body of a call. */
export type Body = Readonly<Record<string, unknown>>;

/** A cash-out to an address that cannot be. */
export const cashoutToNowhere: Body = { currency: "USDC", amount: "12.5", chain: "base", key: "nowhere" };

/** A conversion into crypto, and one between two kinds of it. */
export const usualConversions: readonly Body[] = [
  { base_currency: "BRL", destination_currency: "USDT", amount: 20 },
  { base_currency: "USDT", destination_currency: "BTC", amount: 15.5 },
];
