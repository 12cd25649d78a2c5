/**
 * Checks of data that replaces `fixtures/` that its schema cannot make: codes exist, no row is repeated, bounds are in
 * order.
 */

import { compareDecimals, parseDecimal } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import { isRate, RATE_FORM } from "../domain/rates.ts";
import { didYouMean } from "../domain/words/near-name.ts";
import type { Fixtures } from "./fixtures.ts";

/** A path, which begins with the name of the data, and the rest of a sentence that begins with that path. */
interface Incoherence {
  readonly path: Path;
  readonly message: string;
}

/** TABLE: checks against the other data of the world, by the name of the replaced data. */
const checks: { readonly [Name in keyof Fixtures]?: (fixtures: Fixtures) => Generator<Incoherence> } = {
  currencies: function* ({ currencies, chains }) {
    yield* repeated("currencies", currencies, ["currency"]);
    const names = chains.map(({ chain }) => chain);
    for (const [index, row] of currencies.entries()) {
      for (const list of ["chains", "extended_chains"] as const) {
        yield* unknown(["currencies", index, list], row[list], "chain", names);
      }
    }
  },
  chains: function* ({ currencies, chains }) {
    yield* repeated("chains", chains, ["chain"]);
    const names = new Set(chains.map(({ chain }) => chain));
    for (const row of currencies) {
      const missing = [...row.chains, ...row.extended_chains].find((chain) => !names.has(chain));
      if (missing) yield { path: ["chains"], message: `must have ${missing}, which is a chain of ${row.currency}` };
    }
  },
  fees: function* ({ currencies, fees }) {
    yield* repeated("fees", fees, ["currency", "operation"]);
    const scales = scalesOf(currencies);
    for (const [index, { currency, operation, percentage, fixed, minimum }] of fees.entries()) {
      yield* amountsOf(["fees", index], currency, { fixed, minimum }, scales);
      if (operation === "internal_transfer") yield* notZero(["fees", index], { percentage, fixed, minimum });
    }
  },
  limits: function* ({ currencies, limits }) {
    yield* repeated("limits", limits, ["currency", "operation"]);
    const scales = scalesOf(currencies);
    for (const [
      index,
      { currency, operation: _operation, shows_daily_remaining: _shows, ...amounts },
    ] of limits.entries()) {
      yield* amountsOf(["limits", index], currency, amounts, scales);
      const { per_operation_min: least, per_operation_max: most } = amounts;
      if (compareDecimals(parseDecimal(least), parseDecimal(most)) > 0) {
        const message = `must not be above per_operation_max, which is ${most}`;
        yield { path: ["limits", index, "per_operation_min"], message };
      }
    }
  },
  rates: function* ({ currencies, rates }) {
    yield* unknown(["rates"], Object.keys(rates), "currency", [...scalesOf(currencies).keys()]);
    for (const [currency, text] of Object.entries(rates)) {
      // Zero stands for no rate: the currency cannot be converted until it is given one.
      if (!isRate(text) && parseDecimal(text).digits !== 0n) yield { path: ["rates", currency], message: RATE_FORM };
    }
  },
  accounts: function* ({ currencies, accounts: { accounts, balances } }) {
    for (const { path, message } of repeated("accounts", accounts, ["username"])) {
      yield { path: ["accounts", ...path], message };
    }
    const scales = scalesOf(currencies);
    yield* unknown(["accounts", "balances"], Object.keys(balances), "currency", [...scales.keys()]);
    for (const [currency, balance] of Object.entries(balances)) {
      yield* amountsOf(["accounts", "balances"], currency, { [currency]: balance }, scales);
    }
  },
};

/** Internal transfers cost nothing (`D38`), and the fees shown must be those charged. */
function* notZero(path: Path, amounts: Readonly<Record<string, string>>): Generator<Incoherence> {
  for (const [name, amount] of Object.entries(amounts)) {
    if (parseDecimal(amount).digits === 0n) continue;
    yield { path: [...path, name], message: "must be zero: internal transfers have no fee" };
  }
}

/** The first incoherence in the data of these replaced names; null if there is none. */
export function incoherenceOf(fixtures: Fixtures, replaced: readonly string[]): Incoherence | null {
  for (const name of replaced) {
    for (const found of checks[name as keyof Fixtures]?.(fixtures) ?? []) return found;
  }
  return null;
}

/** Rows whose key an earlier row has too: only one of them would count (`D49`). */
function* repeated<Row>(name: string, rows: readonly Row[], keys: readonly (keyof Row)[]): Generator<Incoherence> {
  const firsts = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    const text = keys.map((key) => String(row[key])).join(" ");
    const first = firsts.get(text);
    if (first === undefined) firsts.set(text, index);
    else yield { path: [name, index], message: `is of ${text}, as ${name}.${first} is; give each once` };
  }
}

function* unknown(
  path: Path,
  given: readonly string[],
  kind: string,
  known: readonly string[],
): Generator<Incoherence> {
  for (const name of given.filter((each) => !known.includes(each))) {
    yield { path, message: `cannot have the ${kind} ${JSON.stringify(name)}${didYouMean(name, known)}` };
  }
}

/** Checks that the currency exists and that none of the amounts has to be rounded (`D01`). */
function* amountsOf(
  path: Path,
  currency: string,
  amounts: Readonly<Record<string, string | undefined>>,
  scales: ReadonlyMap<string, number>,
): Generator<Incoherence> {
  const scale = scales.get(currency);
  if (scale === undefined) return yield* unknown([...path, "currency"], [currency], "currency", [...scales.keys()]);
  for (const [name, text = "0"] of Object.entries(amounts)) {
    if (parseDecimal(text).scale > scale)
      yield { path: [...path, name], message: `must have at most ${scale} decimals` };
  }
}

/** The number of decimals of each currency. */
function scalesOf(currencies: Fixtures["currencies"]): ReadonlyMap<string, number> {
  return new Map(currencies.map(({ currency, scale }) => [currency, scale]));
}
