/** Accounts of a world with their credentials and money, its black list and its rates. */
import type {
  AccountChanges,
  AccountInput,
  BlockedIps,
  CredentialChanges,
  FundInput,
  Rates,
} from "./control-requests.ts";
import type { AccountInfo, ChangedCredential, CredentialInfo } from "./control-types.ts";
import { refuseNoChange } from "./refusals.ts";
import type { ListOptions, WorldCalls } from "./world-calls.ts";

/** The accounts of a world, with their credentials and money. */
export class Accounts {
  readonly #calls: WorldCalls;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /** The accounts with their balances and credentials; the first one is the default account. */
  list(options?: ListOptions): Promise<AccountInfo[]> {
    return this.#calls.all("/accounts", options);
  }

  /** An account with its balances and credentials. @throws {ControlCallError} 404 if there is none of this name. */
  get(username: string): Promise<AccountInfo> {
    return this.#calls.call("GET", pathOf(username));
  }

  /** Opens an account, with one credential; without money unless `input` gives it `balances`. */
  create(input: AccountInput): Promise<AccountInfo> {
    return this.#calls.call("POST", "/accounts", input);
  }

  /** Changes an account. `status: "under_review"` blocks it: its calls are answered `SECURITY_BLOCKED`. */
  async update(username: string, changes: AccountChanges): Promise<AccountInfo> {
    refuseNoChange("accounts.update", changes, '{ status: "under_review" }');
    return this.#calls.call("PATCH", pathOf(username), changes);
  }

  /**
   * Credits an account with money that comes from outside the world.
   * @example
   * ```ts
   * await world.accounts.fund("acme", { currency: "BRL", amount: "500.00" });
   * ```
   */
  fund(username: string, input: FundInput): Promise<AccountInfo> {
    return this.#calls.call("POST", `${pathOf(username)}/fund`, input);
  }

  /** Issues another credential. */
  addCredential(username: string): Promise<CredentialInfo> {
    return this.#calls.call("POST", `${pathOf(username)}/credentials`, {});
  }

  /** Changes a credential. `limits` are items of `GET /v2/account/limits` that are to differ, without their usage. */
  async updateCredential(clientId: string, changes: CredentialChanges): Promise<ChangedCredential> {
    refuseNoChange("accounts.updateCredential", changes, "{ postback_url: null }");
    return this.#calls.call("PATCH", `/credentials/${encodeURIComponent(clientId)}`, changes);
  }
}

/** The world's black list of addresses: calls from them are answered `IP_BLACKLISTED`. */
export class BlockedAddresses {
  readonly #calls: WorldCalls;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /** The addresses on the list. */
  async get(): Promise<string[]> {
    return (await this.#calls.call<{ ips: string[] }>("GET", "/blocked-ips")).ips;
  }

  /** Replaces the list. @returns the new one. */
  async set(ips: BlockedIps): Promise<string[]> {
    return (await this.#calls.call<{ ips: string[] }>("PUT", "/blocked-ips", { ips })).ips;
  }
}

/** Exchange rates: US dollars per unit of each currency. The rate of every pair follows from them. */
export class ExchangeRates {
  readonly #calls: WorldCalls;

  constructor(calls: WorldCalls) {
    this.#calls = calls;
  }

  /** All rates, as decimal texts by currency. */
  async get(): Promise<Record<string, string>> {
    return (await this.#calls.call<{ rates: Record<string, string> }>("GET", "/rates")).rates;
  }

  /**
   * Changes the rates that are named.
   * @returns all rates.
   * @example
   * ```ts
   * await world.rates.set({ BRL: "0.19" });
   * ```
   */
  async set(rates: Rates): Promise<Record<string, string>> {
    return (await this.#calls.call<{ rates: Record<string, string> }>("PUT", "/rates", { rates })).rates;
  }
}

const pathOf = (username: string) => `/accounts/${encodeURIComponent(username)}`;
