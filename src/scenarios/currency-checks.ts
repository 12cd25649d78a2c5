/** Finds what never goes with the currency beside it: a chain, a network, a kind of key, a type, an amount's decimals. */

import type { CurrencyTable } from "../domain/currencies.ts";
import { isDecimal } from "../domain/money.ts";
import type { Path } from "../domain/path.ts";
import type { Plain } from "../domain/plain-values.ts";
import { counted } from "../domain/words/counted.ts";
import { figureOf } from "./conditions.ts";
import { keyTypesOf, valuesOf } from "./field-values.ts";
import { wordOf } from "./file-values.ts";
import type { FindingAt } from "./findings.ts";
import { type KnownNames, networksOf } from "./known-world.ts";
import { quoted } from "./problems.ts";

/** Finds fields that no resource in the currency has beside it. */
export function* checkByCurrency(path: Path, given: Plain, known: KnownNames): Generator<FindingAt> {
  yield* checkChain(path, given, known.currencies);
  yield* checkNetwork(path, given, known);
  yield* checkKeyType(path, given, known);
  yield* checkType(path, given, known.currencies);
}

/** Finds a chain that the currency does not have. */
export function* checkChain(path: Path, given: Plain, currencies: CurrencyTable): Generator<FindingAt> {
  const { currency: code, chain } = given;
  if (typeof code !== "string" || typeof chain !== "string" || chain.includes("*")) return;
  const currency = currencies.currencies.get(code);
  if (!currency || !currencies.chains.has(chain) || currency.chains.includes(chain)) return;
  const has = currency.chains.length > 0 ? `it has ${currency.chains.join(", ")}` : "it has no chain";
  yield { path: [...path, "chain"], message: `${code} has no chain "${chain}"; ${has}` };
}

/** Finds a type that the currency does not have, or a chain where the type has none. */
function* checkType(path: Path, given: Plain, { currencies, chains }: CurrencyTable): Generator<FindingAt> {
  const { currency: code, currency_type: type, chain } = given;
  if (type !== "fiat" && type !== "crypto") return;
  const own = typeof code === "string" ? currencies.get(code)?.currency_type : undefined;
  if (own !== undefined && own !== type)
    yield { path: [...path, "currency_type"], message: `${code} is ${own}, never ${type}` };
  const isOnChain = typeof chain === "string" && chains.has(chain);
  if (isOnChain && type === "fiat" && own === undefined)
    yield { path: [...path, "chain"], message: "what is fiat has no chain" };
}

/** Finds a network that payments in the currency do not use. */
function* checkNetwork(path: Path, { currency: code, network }: Plain, known: KnownNames): Generator<FindingAt> {
  const currency = typeof code === "string" ? known.currencies.currencies.get(code) : undefined;
  if (!currency || typeof network !== "string" || network.includes("*")) return;
  const labels = networksOf(currency, known);
  if (labels.includes(network) || !valuesOf(null, "network", known)?.includes(network)) return;
  yield {
    path: [...path, "network"],
    message: `${code} never goes over ${network}; it goes over ${labels.join(", ")}`,
  };
}

/** Finds a kind of key that no destination of payments in the currency has. */
function* checkKeyType(path: Path, { currency: code, key_type: type }: Plain, known: KnownNames): Generator<FindingAt> {
  const currency = known.currencies.currencies.get(wordOf(code));
  const types = currency && keyTypesOf(currency);
  const isOfOthers = typeof type === "string" && valuesOf(null, "key_type", known)?.includes(type);
  if (!types || !isOfOthers || types.includes(type)) return;
  yield { path: [...path, "key_type"], message: `${code} has no key_type "${type}"; it has ${types.join(", ")}` };
}

/** Why a currency never has an amount: it has more decimals, zeros at their end not counted. Null if it may. */
export function scaleFault(given: unknown, code: unknown, { currencies }: CurrencyTable): string | null {
  const scale = typeof code === "string" ? currencies.get(code)?.scale : undefined;
  const amount = wordOf(given) && figureOf(given);
  const [, decimals = ""] = isDecimal(amount) ? amount.split(".") : [];
  if (scale === undefined || decimals.replace(/0+$/, "").length <= scale) return null;
  return `has ${counted(scale, "decimal")} in ${code}, never as many as ${quoted(amount)}`;
}
