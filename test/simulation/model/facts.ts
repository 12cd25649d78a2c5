/** What the model knows of the service: the tables of the specification and its decisions, and the data in `fixtures/`. */
import fees from "../../../fixtures/fees.json" with { type: "json" };
import limits from "../../../fixtures/limits.json" with { type: "json" };
import rates from "../../../fixtures/rates.json" with { type: "json" };
import terms from "../../../fixtures/terms.json" with { type: "json" };
import { cryptoRails } from "../../support/rails.ts";
import { cut, type Fraction, fraction, halfUp, minor, percent, times } from "./decimals.ts";

/** TABLE: decimals of each currency (D01), and what an account begins with (interface, section 3a). */
export const currencies = {
  BRL: { scale: 2, opening: "10000.00" },
  MXN: { scale: 2, opening: "100000.00" },
  USDT: { scale: 6, opening: "10000.000000" },
  USDC: { scale: 6, opening: "10000.000000" },
  BTC: { scale: 8, opening: "1.00000000" },
  ETH: { scale: 8, opening: "10.00000000" },
  SOL: { scale: 8, opening: "100.00000000" },
  BNB: { scale: 8, opening: "10.00000000" },
} as const;
type Currency = keyof typeof currencies;
export const currencyNames = Object.keys(currencies) as Currency[];
export const rails = cryptoRails;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Limits, other constants. */
export const CHARGE_LIFETIME = 30 * MINUTE;
export const REPLY_TIME = 7 * DAY;
export const TOKEN_LIFETIME = HOUR;
/** An expired quote is held against an execution for so long (D40). */
export const QUOTE_MEMORY = 24 * HOUR;
/** The gateway looks at an address after so long (interface, section 3a). */
export const GATEWAY_DELAY = SECOND;
/** A SPEI arrives after so long (D06). */
const SPEI_TIME = 30 * SECOND;

export const MAX_WALLETS = terms.wallets_per_credential;
const spreadPercentage = terms.conversion_spread_percentage;
export const openingRates: Readonly<Record<string, string>> = rates;

export type LimitedOperation = "cashin" | "cashout" | "internal_transfer" | "conversion";

export interface LimitRow {
  readonly currency: string;
  readonly operation: string;
  readonly daily_limit: string;
  readonly monthly_limit?: string;
  readonly shows_daily_remaining?: boolean;
  readonly per_operation_min: string;
  readonly per_operation_max: string;
}
/** Those of the currencies of the table. */
export const limitRows: readonly LimitRow[] = limits.filter(({ currency }) => currency in currencies);

export function isCurrency(code: unknown): code is Currency {
  return typeof code === "string" && code in currencies;
}

export function isFiat(currency: string): boolean {
  return currency === "BRL" || currency === "MXN";
}

export function scaleOf(currency: string): number {
  return currencies[currency as Currency].scale;
}

/** The rail that a currency takes; fiat has one, without a chain. */
export function railOf(currency: string, chain: string | null): { network: string; creditMs: number } {
  if (currency === "BRL") return { network: "PIX", creditMs: 0 };
  if (currency === "MXN") return { network: "SPEI", creditMs: SPEI_TIME };
  const rail = rails.find((row) => row.currency === currency && row.chain === chain);
  if (!rail) throw new Error(`${currency} has no chain ${chain}.`);
  return rail;
}

export function chainsOf(currency: string): string[] {
  return rails.filter((row) => row.currency === currency).map(({ chain }) => chain);
}

/** Fee = the greater of minimum and percentage plus fixed, half-up, never above the amount (D03, D07). */
export function feeOf(operation: "cashin" | "cashout", currency: string, amount: bigint): bigint {
  const row = fees.find((each) => each.currency === currency && each.operation === operation);
  if (!row) return 0n;
  const scale = scaleOf(currency);
  const rounded = halfUp(percent(amount, row.percentage)) + minor(row.fixed, scale);
  const least = minor(row.minimum, scale);
  const fee = rounded > least ? rounded : least;
  return fee > amount ? amount : fee;
}

function conversionFeePercentage(currency: string): string {
  const row = fees.find((each) => each.currency === currency && each.operation === "conversion");
  if (Number(row?.fixed ?? 0) + Number(row?.minimum ?? 0) > 0) throw new Error("The model knows percentages alone.");
  return row?.percentage ?? "0";
}

/** The figures of a conversion, in minor units of the destination: each is rounded there, and once (D03, D40a). */
export function conversionFigures(from: string, amount: bigint, to: string, rate: string) {
  const scales: Fraction = { numerator: 10n ** BigInt(scaleOf(to)), denominator: 10n ** BigInt(scaleOf(from)) };
  const inDestination = (units: bigint) => times(times({ numerator: units, denominator: 1n }, fraction(rate)), scales);
  const gross = inDestination(amount);
  const part = (percentage: string) =>
    halfUp(times(gross, times(fraction(percentage), { numerator: 1n, denominator: 100n })));
  const [spread, fee] = [part(spreadPercentage), part(conversionFeePercentage(from))];
  return { spread, fee, amountTo: cut(gross) - spread - fee, estimate: cut(gross) };
}
