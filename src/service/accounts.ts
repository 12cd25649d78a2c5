/** Accounts, their credentials and balances. */
import { DomainError } from "../domain/errors.ts";
import { makeCnpj } from "../domain/identifiers/tax-id.ts";
import { fillPostings, ledgerAccount } from "../domain/ledger.ts";
import {
  AmountError,
  type ExactNumber,
  formatAmount,
  MAX_MOVED,
  type MinorUnits,
  parseAmount,
  parseDecimal,
} from "../domain/money.ts";
import { joined } from "../domain/words/near-name.ts";
import type { Account, Credential } from "../store/accounts.ts";
import type { Operation } from "../world/operation.ts";
import type { World } from "../world/world.ts";

/** What an account is opened with: missing fields are made up, missing balances are zero (interface, section 3a). */
export interface AccountSpec {
  readonly username: string;
  readonly name?: string | undefined;
  readonly document?: string | undefined;
  readonly email?: string | undefined;
  readonly postback_url?: string | null | undefined;
  readonly balances?: Readonly<Record<string, string>> | undefined;
}

/** Opens an account with one credential and its opening balances. @throws {AmountError} see {@link openingBalance}. */
export function openAccount(operation: Operation, opening: AccountSpec): Account {
  const { accounts, random, currencies } = operation.world;
  const { username, balances = {} } = opening;
  const account: Account = {
    username,
    name: opening.name ?? username,
    document: opening.document ?? makeCnpj(random.entropy("document", username)),
    email: opening.email ?? `${username}@merchant.example`,
    postback_url: opening.postback_url ?? null,
    status: "active",
    created_at: operation.now,
  };
  accounts.insert(account);
  const caused = operation.because(operation.record("account.opened", username, { username }));
  issueCredential(caused, username);
  for (const [currency, amount] of Object.entries(balances)) {
    if (openingBalance(amount, currencies.scale(currency)) > 0n) fundAccount(caused, username, currency, amount);
  }
  return account;
}

/**
 * Puts an account under review, or ends the review. The journal entry has the account as its subject, because the cause
 * may concern another resource. Nothing is recorded if the status stays the same.
 */
export function changeStatus(operation: Operation, username: string, status: Account["status"]): void {
  const { accounts } = operation.world;
  if (accounts.get(username)?.status === status) return;
  accounts.update(username, { status });
  operation.record("account.changed", username, { status });
}

/** Issues a credential of an account; its id and secrets are derived from the world's seed. */
export function issueCredential(operation: Operation, username: string): Credential {
  const { random, accounts } = operation.world;
  // Numbered by their count, as credentials are never deleted: counters per account would be copied by every operation.
  const key = `${username}/${accounts.countCredentials(username) + 1}`;
  const credential: Credential = {
    client_id: `${username}-${random.base36Digest("client id", key, 16)}`,
    username,
    client_secret: `secret-${random.base36Digest("client secret", key, 32)}`,
    signing_key: random.digest("signing key", key).toString("hex"),
    postback_url: null,
    created_at: operation.now,
  };
  accounts.insertCredential(credential);
  operation.record("credential.issued", username, { client_id: credential.client_id });
  return credential;
}

/**
 * Credits money to an account from the ledger's opening account.
 * @throws {AmountError} when the amount does not suit the currency or exceeds {@link MAX_MOVED}.
 */
export function fundAccount(
  operation: Operation,
  username: string,
  currency: string,
  input: string | ExactNumber,
): void {
  const scale = operation.world.currencies.scale(currency);
  const amount = fundingOf(input, scale);
  const data = { currency, amount: formatAmount(amount, scale) };
  const caused = operation.because(operation.record("account.funded", username, data));
  caused.post(username, fillPostings(["fund"], { main: currency }, { amount }, { username }));
}

function fundingOf(input: string | ExactNumber, scale: number): MinorUnits {
  const amount = parseAmount(input, scale);
  if (amount > MAX_MOVED) throw new AmountError(`must be at most ${formatAmount(MAX_MOVED, scale)}`);
  return amount;
}

/** Why an account cannot be opened with its balances, as a text that begins with the currency; null if it can. */
export function balancesFault({ currencies }: World, { balances = {} }: AccountSpec): string | null {
  for (const [currency, amount] of Object.entries(balances)) {
    if (!currencies.currencies.has(currency)) {
      return `${currency}: there is no such currency in this world; there are ${joined([...currencies.currencies.keys()])}`;
    }
    try {
      openingBalance(amount, currencies.scale(currency));
    } catch (error) {
      if (error instanceof AmountError) return `${currency} ${error.message}`;
      throw error;
    }
  }
  return null;
}

/**
 * An opening balance in minor units; it may be zero.
 * @throws {AmountError} when it is below zero, more than can be funded, or has more decimals than its currency.
 */
function openingBalance(text: string, scale: number): MinorUnits {
  const { digits } = parseDecimal(text);
  if (digits < 0n) throw new AmountError("must not be below zero");
  return digits === 0n ? 0n : fundingOf(text, scale);
}

/** The available and the locked balance (`balance`, `balance_locked`), in minor units. */
export function balanceOf(
  world: World,
  username: string,
  currency: string,
): { available: MinorUnits; locked: MinorUnits } {
  return sidesOf(username, (account) => world.ledger.balance(account, currency));
}

/** TABLE: the roles of the ledger accounts that hold an account's money. */
const ROLES = ["available", "locked", "disputed"] as const;

function sidesOf(username: string, amountOf: (account: string) => MinorUnits) {
  const of = (role: (typeof ROLES)[number]) => amountOf(ledgerAccount(role, { username }));
  return { available: of("available"), locked: of("locked") + of("disputed") };
}

/** The sum of balance and balance_locked, which the events of refunds and lost disputes show (`D54a`). */
export function totalBalance(world: World, username: string, currency: string): MinorUnits {
  const { available, locked } = balanceOf(world, username, currency);
  return available + locked;
}

/** @throws {DomainError} `INSUFFICIENT_BALANCE` when less than `amount` is available (`D52`). */
export function requireBalance(world: World, username: string, currency: string, amount: MinorUnits): void {
  const { available } = balanceOf(world, username, currency);
  if (available >= amount) return;
  const [has, needs] = [available, amount].map((figure) => world.currencies.format(figure, currency));
  const why = `The balance of ${currency} is not sufficient: ${has} is available, ${needs} is needed.`;
  throw new DomainError("INSUFFICIENT_BALANCE", why);
}

/** The entries of `GET /v2/account/balance` (`D45`). */
export function balanceEntries(world: World, username: string, only?: string) {
  const currencies = [...world.currencies.currencies.values()].filter((row) => !only || row.currency === only);
  // A single balance is mostly in memory. Of all balances most are not, and each would need a query of its own.
  const all = only ? undefined : world.ledger.balancesOf(ROLES.map((role) => ledgerAccount(role, { username })));
  const amountOf = all ?? ((account: string, currency: string) => world.ledger.balance(account, currency));
  return currencies.map(({ currency, scale }) => {
    const { available, locked } = sidesOf(username, (account) => amountOf(account, currency));
    return { currency, balance: formatAmount(available, scale), balance_locked: formatAmount(locked, scale) };
  });
}
