/** The rates of a world: US dollars per unit, from which every pair follows, so that no pair contradicts another. */
import { DomainError } from "../domain/errors.ts";
import { type Decimal, parseDecimal } from "../domain/money.ts";
import { crossRate } from "../domain/rates.ts";
import { didYouMean, sentence } from "../domain/words/near-name.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";

const KEY = "rates";

/** US dollars per unit of each currency. */
export function ratesOf(world: World): Readonly<Record<string, string>> {
  const all = { ...world.fixtures.rates, ...world.meta.get<Record<string, string>>(KEY) };
  return Object.fromEntries(Object.entries(all).filter(([currency]) => world.currencies.currencies.has(currency)));
}

/** Why given rates are refused: one is for a currency that the world does not have. Null if they are accepted. */
export function ratesFault({ currencies }: World, rates: Readonly<Record<string, string>>): string | null {
  const codes = [...currencies.currencies.keys()];
  const unknown = Object.keys(rates).find((currency) => !codes.includes(currency));
  return unknown === undefined ? null : sentence(`there is no currency "${unknown}"${didYouMean(unknown, codes)}`);
}

/** Changes the rates that are named; the others stay. */
export function changeRates(operation: Operation, changes: Readonly<Record<string, string>>): void {
  const { meta } = operation.world;
  meta.set(KEY, { ...meta.get<Record<string, string>>(KEY), ...changes });
  operation.record("rates.changed", null, { rates: changes });
}

/**
 * Units of destination per unit of base, now.
 * @throws {DomainError} INVALID_CURRENCY if the data of the world (`fixtures`) has no rate above zero for a currency.
 */
export function spotRate(world: World, base: string, destination: string): Decimal {
  const rates = ratesOf(world);
  const rateOf = (currency: string) => {
    const rate = rates[currency];
    if (isAboveZero(rate)) return rate;
    throw new DomainError("INVALID_CURRENCY", `The currency ${currency} has no rate.`);
  };
  return crossRate(rateOf(base), rateOf(destination));
}

/** Currencies that can be converted into each other: those with the operation, and a rate above zero. */
export function convertibleCurrencies(world: World): string[] {
  const rates = ratesOf(world);
  const codes = [...world.currencies.currencies].filter(([, { operations }]) => operations.includes("conversion"));
  return codes.map(([code]) => code).filter((code) => isAboveZero(rates[code]));
}

function isAboveZero(rate: string | undefined): rate is string {
  return rate !== undefined && parseDecimal(rate).digits !== 0n;
}
