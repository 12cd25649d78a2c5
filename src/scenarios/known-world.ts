/** What exists in the world of a scenario: accounts, currencies and chains; and checks of what a file says of them. */
import { type Currency, CurrencyTable, methods } from "../domain/currencies.ts";
import { defaultDestinationFault, destinationFault } from "../domain/destinations.ts";
import type { Path } from "../domain/path.ts";
import { isObject, type Plain } from "../domain/plain-values.ts";
import { type Settings, settingsSchema } from "../domain/settings.ts";
import { nearName } from "../domain/words/near-name.ts";
import { amountFault } from "./amount-words.ts";
import { listOf, wordOf } from "./file-values.ts";
import type { Finding, FindingAt } from "./findings.ts";
import { checkedFixtures, type FixtureFault } from "./fixture-faults.ts";
import { quoted } from "./problems.ts";
import { nearest, nearestKey } from "./schema-words.ts";

/** What a scenario file can be checked against before a world exists. */
export interface KnownWorld {
  /** Where webhooks may go; `any` if the file does not say. */
  readonly targets: Settings["webhook_targets"];
  /** Currencies that may exist: a file that does not say which may be loaded into a world with more (`D02`). */
  readonly currencies: CurrencyTable;
  /** Currencies that exist in a run of the file. */
  readonly ownCurrencies: CurrencyTable;
  readonly usernames: readonly string[];
  /** Whether the file itself lists the accounts. */
  readonly hasOwnAccounts: boolean;
  /** What is wrong with the file's replacements of `fixtures/`. */
  readonly fixtureFaults: readonly FixtureFault[];
}

/** The part of it that conditions are checked against. */
export type KnownNames = Pick<KnownWorld, "currencies" | "usernames" | "hasOwnAccounts">;

/** The world of a file, as far as its settings and accounts can be read. */
export function knownWorld(file: Plain): KnownWorld {
  const settings = settingsOf(file);
  const { fixtures, faults } = checkedFixtures(settings.fixtures);
  const named = listOf(file.accounts).flatMap((account) => (isObject(account) ? wordOf(account.username) || [] : []));
  const usernames = named.length > 0 ? named : fixtures.accounts.accounts.map(({ username }) => username);
  const table = (variant: Settings["currencies"]) => new CurrencyTable(fixtures.currencies, fixtures.chains, variant);
  const isSaid = isObject(file.settings) && file.settings.currencies !== undefined;
  return {
    targets: isObject(file.settings) && file.settings.webhook_targets !== undefined ? settings.webhook_targets : "any",
    currencies: table(isSaid ? settings.currencies : "extended"),
    ownCurrencies: table(settings.currencies),
    usernames,
    hasOwnAccounts: named.length > 0,
    fixtureFaults: faults,
  };
}

/**
 * The world of a file that builds on other files: their settings may bring other currencies and accounts, so that names
 * of these are not checked.
 */
export function openWorld(file: Plain): KnownWorld {
  const none = new CurrencyTable([], [], "table");
  const known = knownWorld(file);
  const usernames = known.hasOwnAccounts ? known.usernames : [];
  return { ...known, targets: "any", currencies: none, ownCurrencies: none, usernames };
}

/** Whether a file names other files under `with`. Names of shipped scenarios, which have no dot, do not count. */
export function buildsOnFiles(file: Plain): boolean {
  return listOf(file.with).some((name) => wordOf(name).includes("."));
}

function settingsOf(file: Plain): Settings {
  const given = settingsSchema.safeParse(JSON.parse(JSON.stringify(file.settings ?? {})));
  return given.success ? given.data : settingsSchema.parse({});
}

function findingOf({ path, isKey, message }: FixtureFault): Finding {
  const own = ["settings", ...path];
  return isKey ? { path: own.slice(0, -1), key: String(own.at(-1)), message } : { path: own, message };
}

/** Checks what a file says of its world. */
export function* checkWorld(file: Plain, known: KnownWorld): Generator<Finding> {
  yield* known.fixtureFaults.map(findingOf);
  const names = new Set<unknown>();
  for (const [index, account] of listOf(file.accounts).entries()) {
    if (!isObject(account)) continue;
    const path = ["accounts", index];
    const { username } = account;
    if (typeof username === "string" && names.has(username))
      yield { path: [...path, "username"], message: `there is an account ${quoted(username)} already` };
    names.add(username);
    yield* checkAccount(path, account, known);
  }
}

/**
 * Finds accounts that keep the world of a run from being made. Such a world has only what the file says, whereas a
 * server that loads the file may have other settings (`D02`).
 */
export function* checkOwnAccounts(file: Plain): Generator<FindingAt> {
  const { webhook_targets: targets } = settingsOf(file);
  const codes = [...knownWorld(file).ownCurrencies.currencies.keys()];
  for (const [index, account] of listOf(file.accounts).entries()) {
    const { postback_url: url, balances } = account as Plain;
    const fault = typeof url === "string" ? defaultDestinationFault(url, targets) : null;
    const hint = targets !== "any" && destinationFault(String(url), "any") === null ? ANYWHERE : "";
    if (fault) yield { path: ["accounts", index, "postback_url"], message: `postback_url ${fault}${hint}` };
    for (const code of Object.keys(balances ?? {}).filter((name) => !codes.includes(name))) {
      const path = ["accounts", index, "balances", code];
      yield { path, message: `there is no currency ${quoted(code)} in the world of a run${nearestKey(code, codes)}` };
    }
  }
}

/** Finds accounts that the script calls as, or whose balance is expected, but that a run does not have. */
export function* checkOwnUsernames(file: Plain): Generator<FindingAt> {
  const known = knownWorld(file);
  for (const [part, name] of [
    ["merchant", "as"],
    ["expect", "of"],
  ] as const) {
    for (const [index, item] of listOf(file[part]).entries()) {
      yield* checkUsername([part, index, name], (item as Plain)[name], known);
    }
  }
}

const ANYWHERE = ", unless the file says settings: { webhook_targets: any }";

function* checkAccount(path: Path, { postback_url: url, balances }: Plain, known: KnownWorld): Generator<Finding> {
  const fault = typeof url === "string" ? defaultDestinationFault(url, known.targets) : null;
  if (fault) yield { path: [...path, "postback_url"], message: `postback_url ${fault}` };
  if (!isObject(balances)) return;
  yield* checkCurrencyKeys([...path, "balances"], balances, known);
  for (const [currency, balance] of Object.entries(balances)) {
    const wrong = balanceFault(balance, known.currencies.currencies.get(currency)?.scale);
    if (wrong) yield { path: [...path, "balances", currency], message: `${currency} ${wrong}` };
  }
}

/** Why an opening balance is wrong; unlike an amount, it may be zero. */
function balanceFault(balance: unknown, scale: number | undefined): string | null {
  const text = wordOf(balance);
  if (/^0+(\.0+)?$/.test(text)) return null;
  return /^-\d+(\.\d+)?$/.test(text) ? "must not be below zero" : amountFault(balance, scale);
}

/** Finds keys that should be currencies and are not. */
export function* checkCurrencyKeys(path: Path, given: Plain, { currencies }: KnownWorld): Generator<Finding> {
  for (const code of Object.keys(given)) {
    const fault = currencyFault(code, currencies, nearestKey);
    if (fault) yield { path, key: code, message: fault };
  }
}

/** Why a code is not a currency of a table; null if it is one, or if the table is empty because they are unknown. */
export function currencyFault(code: string, { currencies }: CurrencyTable, meant = nearest): string | null {
  if (currencies.size === 0 || currencies.has(code)) return null;
  return `there is no currency ${quoted(code)}${meant(code, [...currencies.keys()])}`;
}

/** Finds a value that should be an account's name and is not. */
export function* checkUsername(path: Path, given: unknown, known: KnownWorld): Generator<FindingAt> {
  const { usernames, hasOwnAccounts } = known;
  if (typeof given !== "string" || usernames.includes(given) || given.includes("${")) return;
  if (usernames.length === 0) return; // The accounts are unknown.
  const others = hasOwnAccounts ? "" : ", unless the file has others under accounts";
  const isSlip = nearName(given, usernames) !== null;
  yield { path, message: `there is no account ${quoted(given)}${nearest(given, usernames)}${isSlip ? "" : others}` };
}

/**
 * Like {@link checkUsername}, for a file that may be loaded into a world with other accounts than a run of it has: a
 * name is a finding only if the file itself lists the accounts, or if it is nearly the name of one.
 */
export function* checkServedUsername(path: Path, given: unknown, known: KnownWorld): Generator<FindingAt> {
  const isSlip = nearName(wordOf(given), known.usernames) !== null;
  if (known.hasOwnAccounts || isSlip) yield* checkUsername(path, given, known);
}

/** The networks that payments in a currency go over: its method, or those of its chains. */
export function networksOf({ method, chains }: Currency, { currencies }: KnownNames): string[] {
  return method === null ? chains.flatMap((chain) => currencies.chains.get(chain)?.network ?? []) : [method];
}

/** The one currency that goes over a network; null if several do, or none. */
export function currencyOver(network: string, known: KnownNames): string | null {
  const all = [...known.currencies.currencies.values()].filter((one) => networksOf(one, known).includes(network));
  return all.length === 1 ? (all[0]?.currency ?? null) : null;
}

/** All networks of payments: fiat methods, and networks of chains. */
export function allNetworks({ currencies }: KnownNames): string[] {
  return [...new Set([...methods, ...[...currencies.chains.values()].map(({ network }) => network)])];
}
