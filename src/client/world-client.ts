/** One world, as a test uses it. */
import type { EventKind } from "../domain/events.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { Accounts, BlockedAddresses, ExchangeRates } from "./accounts.ts";
import { Advances } from "./advances.ts";
import { callAwaited, type EntryWhere, entryAwaited, type ServiceCallWhere, webhookAwaited } from "./awaited.ts";
import { answeredSoon, type Connection, ControlCallError, UnreachableError } from "./control-client.ts";
import type {
  AdvanceTarget,
  AdvanceWord,
  ClockChanges,
  ProbeOptions,
  RequestFilter,
  WebhookFilter,
} from "./control-requests.ts";
import type {
  AccountInfo,
  AdvanceInfo,
  BundleInfo,
  ClockInfo,
  CoverageInfo,
  ExplanationInfo,
  InboxItem,
  JournalEntryInfo,
  LedgerCheckInfo,
  LedgerInfo,
  PostingInfo,
  ReportInfo,
  ServiceCallInfo,
  SnapshotInfo,
  TimerInfo,
  TransactionInfo,
  WorldInfo,
} from "./control-types.ts";
import { type FollowOptions, followHistories } from "./follow.ts";
import { type Credentials, credentialsOf, MerchantClient, signingInstant } from "./merchant-client.ts";
import { refuseNoObject, refuseNoText, refuseUnknownKeys } from "./refusals.ts";
import { Conversions, Disputes, Transactions, Transfers, Wallets } from "./resources.ts";
import { Faults, Scenarios } from "./scripts.ts";
import type { ServiceCall } from "./service-types.ts";
import { Tokens } from "./tokens.ts";
import { type TriggerOptions, trigger } from "./trigger.ts";
import { triggersMerchant } from "./trigger-merchant.ts";
import { type Awaited, type WaitOptions, waitFor } from "./waits.ts";
import type { WebhookEvent, WebhookInfo, WebhookWhere } from "./webhook-types.ts";
import { type ListOptions, pathWith, WorldCalls } from "./world-calls.ts";

/** TABLES: what may narrow a list; `cursor`, which the control interface takes as well, is the client's own. */
const requestFilters: Readonly<Record<keyof RequestFilter, true>> = { call: true, client_id: true };
const webhookFilters: Readonly<Record<keyof WebhookFilter, true>> = {
  event: true,
  transaction_id: true,
  external_id: true,
  status: true,
};

/**
 * A world. Its clock and its records are controlled and read here; resources, accounts, scenarios and faults have
 * groups named like the paths of the control interface: `POST /transactions/{id}/pay` is `world.transactions.pay(id)`.
 * Every method throws a {@link ControlCallError} if the call is refused, and an {@link UnreachableError} if no answer
 * comes.
 */
export class WorldClient implements AsyncDisposable {
  /** Its id; `default` for the world at the sandbox's root. */
  readonly id: string;
  /** The base URL for the program under test, which calls `${world.baseUrl}/v2/…`. */
  readonly baseUrl: string;
  /** The first credential of the default account. */
  readonly credentials: Credentials;
  /** Cash-ins and cash-outs. */
  readonly transactions: Transactions;
  /** Fixed wallets. */
  readonly wallets: Wallets;
  readonly conversions: Conversions;
  readonly transfers: Transfers;
  readonly disputes: Disputes;
  /** Accounts with their credentials and balances. */
  readonly accounts: Accounts;
  readonly blockedIps: BlockedAddresses;
  readonly rates: ExchangeRates;
  readonly scenarios: Scenarios;
  /** Fault rules that are set by hand, for calls and deliveries. */
  readonly faults: Faults;
  readonly #calls: WorldCalls;
  /** Those of waits, whose time-out does not end while an answer is awaited. */
  readonly #waits: WorldCalls;
  readonly #tokens = new Tokens();
  readonly #advances: Advances;

  constructor(info: WorldInfo, connection: Connection) {
    this.id = info.world;
    this.baseUrl = connection.baseUrl;
    this.credentials = credentialsOf(info.accounts[0]);
    const calls = new WorldCalls(connection, info.world);
    this.transactions = new Transactions(calls);
    this.wallets = new Wallets(calls);
    this.conversions = new Conversions(calls);
    this.transfers = new Transfers(calls);
    this.disputes = new Disputes(calls);
    this.accounts = new Accounts(calls);
    this.blockedIps = new BlockedAddresses(calls);
    this.rates = new ExchangeRates(calls);
    this.scenarios = new Scenarios(calls);
    this.faults = new Faults(calls);
    this.#calls = calls;
    this.#advances = new Advances(calls);
    this.#waits = new WorldCalls(answeredSoon(connection), info.world);
  }

  /** Base URL, clock, seed, settings, scenarios, and accounts with their credentials. */
  info = () => this.call<WorldInfo>("GET", "/");
  /** Takes the world back to the moment of its creation: same seed, same ids and keys, clock included. */
  reset = () => this.#anew<WorldInfo>("/reset");

  /** The clock: its mode and speed, the instant that it shows, and what waits on it. */
  clock = () => this.call<ClockInfo>("GET", "/clock");
  /** Changes the clock's mode or speed, or moves it forward to an instant: `{ mode: "running", speed: 60 }`. */
  setClock = (changes: ClockChanges) => this.#advances.change(changes);
  /**
   * Resolves once nothing is due or in flight at the present instant; for a receiver that has not answered its webhook,
   * not before that webhook's time-out.
   */
  settle = () => this.call<ClockInfo>("POST", "/clock/settle");
  /**
   * Cancels the advance under way, between two timers; where none is, or it is canceled already, the first that waits
   * for its turn, at once.
   * @throws {ControlCallError} 404 if there is none.
   */
  cancelAdvance = () => this.call<ClockInfo>("DELETE", "/clock/advance");
  /** The timers that wait on the clock, in the order in which they come due. */
  timers = (options?: ListOptions) => this.all<TimerInfo>("/timers", options);

  /** Takes a snapshot of the whole world; unless named, the first is called `snapshot-1`, the third `snapshot-3`. */
  takeSnapshot = (name?: string) => this.call<SnapshotInfo>("POST", "/snapshots", name === undefined ? {} : { name });
  /** All snapshots, oldest first. */
  snapshots = (options?: ListOptions) => this.all<SnapshotInfo>("/snapshots", options);
  /** Takes the world back to a snapshot, clock included; whatever is in flight comes to nothing. */
  restore = (name: string) => this.#anew<WorldInfo>(`/snapshots/${encodeURIComponent(name)}/restore`);
  /** Deletes a snapshot. */
  deleteSnapshot = (name: string) => this.call<void>("DELETE", `/snapshots/${encodeURIComponent(name)}`);

  /** All journal entries, or those after a sequence. */
  journal = async (after?: number, options?: ListOptions) => {
    if (Object(after) === after) throw new Error("journal takes its options second: journal(undefined, { limit: 5 }).");
    return this.all<JournalEntryInfo>(
      pathWith("/journal", { cursor: after === undefined ? undefined : String(after) }),
      options,
    );
  };
  /** Explains how the thing with this id came to be as it is, down to the call or the scenario file's line. */
  explain = (id: string) => this.call<ExplanationInfo>("GET", `/explain/${encodeURIComponent(id)}`);
  /** A webhook with all its attempts. */
  webhook = (id: string) => this.call<WebhookInfo>("GET", `/webhooks/${encodeURIComponent(id)}`);
  /** Makes exactly one more attempt, now, outside the rate limit. @returns the webhook with the outcome. */
  redeliver = (id: string) => this.call<WebhookInfo>("POST", `/webhooks/${encodeURIComponent(id)}/redeliver`);
  /** The webhooks that were delivered to the destination `sandbox://inbox`. */
  inbox = (options?: ListOptions) => this.all<InboxItem>("/inbox", options);
  /** All calls of `/v2`, or those of one endpoint or of one credential. */
  requests = async (filter: ListOptions & RequestFilter = {}, options?: undefined) => {
    refuseNoObject("The filter of requests", filter, '{ call: "POST /v2/transactions/cashin" }');
    if (options !== undefined) throw new Error("requests takes its limit with the filter: requests({ limit: 5 }).");
    refuseUnknownKeys("field of the filter of requests", filter, ["limit", ...Object.keys(requestFilters)]);
    const { limit, ...query } = filter;
    return this.all<ServiceCallInfo>(pathWith("/requests", query), { limit });
  };
  /** A call of `/v2` by its `request_id`. */
  request = (id: string) => this.call<ServiceCallInfo>("GET", `/requests/${encodeURIComponent(id)}`);
  /** A cash-in or cash-out with its postings, timers and journal entries. */
  transaction = (id: string) => this.transactions.get(id);

  /** Checks every invariant of the ledger. @returns each, and whether it holds. */
  checkLedger = () => this.call<LedgerCheckInfo>("GET", "/ledger/check");
  /** Which endpoints, error codes, events and states have been exercised, out of all. */
  coverage = () => this.call<CoverageInfo>("GET", "/coverage");
  /** The readiness report: how ready the merchant's integration is, judged by what it did. */
  report = () => this.call<ReportInfo>("GET", "/report");
  /** Sends the probes of the readiness report to the merchant's receiver. @returns the resulting report. */
  probe = (options: ProbeOptions = {}) => this.call<ReportInfo>("POST", "/report/probe", options);
  /** A bundle: all that the world's history follows from, and its journal, for `replay` here or on the command line. */
  export = () => this.call<BundleInfo>("GET", "/export");

  /** Calls what takes the world to an earlier point of its history, and forgets tokens, which may not exist there. */
  async #anew<Answer>(path: string): Promise<Answer> {
    const answer = await this.call<Answer>("POST", path);
    this.#tokens.forget();
    return answer;
  }

  /** Makes any call of the control interface; `path` is below `_sandbox`. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#calls.call(method, path, body);
  }

  /** The resource at a path; undefined if there is none. */
  find<Answer>(path: string): Promise<Answer | undefined> {
    return this.#calls.find(path);
  }

  /** All items of a list, read page after page. */
  all<Item>(path: string, options?: ListOptions): Promise<Item[]> {
    return this.#calls.all(path, options);
  }

  /**
   * Advances the clock: runs everything due on the way, each at its own instant, deliveries and their retries included,
   * and resolves when all of it is done, however long that takes. A receiver that has not answered its webhook cannot
   * advance: it would wait for itself, until that webhook's time-out.
   * @param what a duration (`"90s"`, `"1h30m"`, `"PT5S"`), an instant, `"next"` (through the next timer), `"idle"`, an
   * event kind (through its next occurrence), or a target object.
   * @returns what happened; `reached` is false if the event never came, or if `max_timers` or a cancellation ended it.
   * @example
   * ```ts
   * await world.advance("5s");
   * await world.advance("cashin.expired");
   * await world.advance({ until: { expiry: charge.transaction_id, offset: "-1s" } });
   * ```
   */
  advance(what: AdvanceWord | AdvanceTarget): Promise<AdvanceInfo> {
    return this.#advances.ask(what);
  }

  /** Carries out an action on a transaction by the action's name; `world.transactions` has a method for each. */
  act(transactionId: string, action: string, input: object = {}): Promise<TransactionInfo> {
    return this.call("POST", `/transactions/${encodeURIComponent(transactionId)}/${action}`, input);
  }

  /** Sets where the webhooks of an account go; null for nowhere. */
  async setPostbackUrl(username: string, url: string | null): Promise<AccountInfo> {
    if (url !== null) refuseNoText("The url of setPostbackUrl, behind the username,", url);
    return this.accounts.update(username, { postback_url: url });
  }

  /** Webhooks: all, or those of one event, of one transaction or `external_id`, in one status. */
  webhooks<Event extends WebhookEvent>(
    filter: WebhookFilter & { readonly event: Event },
    options?: ListOptions,
  ): Promise<WebhookInfo<Event>[]>;
  webhooks(filter?: WebhookFilter, options?: ListOptions): Promise<WebhookInfo[]>;
  async webhooks(filter: WebhookFilter = {}, options?: ListOptions): Promise<WebhookInfo[]> {
    refuseNoObject("The filter of webhooks", filter, '{ event: "cashin.confirmed" }');
    if ("limit" in filter) throw new Error("webhooks takes its options second: webhooks({}, { limit: 5 }).");
    refuseUnknownKeys("field of the filter of webhooks", filter, Object.keys(webhookFilters));
    return this.all(pathWith("/webhooks", { ...filter }), options);
  }

  /** Every posting, and the balance of every account of the ledger. */
  async ledger(): Promise<LedgerInfo> {
    const { balances } = await this.call<Pick<LedgerInfo, "balances">>("GET", "/ledger?limit=1");
    return { postings: await this.all<PostingInfo>("/ledger"), balances };
  }

  /**
   * A client that calls `/v2` as an account's own program would, with token and signature done for it: a stand-in for
   * the program under test. Its calls do not count in the readiness report. Clients of one credential share one token,
   * which is renewed before it ends. Where its hour is hardly longer than a call takes, at speeds of 100 000 and more,
   * some calls are refused all the same.
   * @param username the account; the default one unless given.
   * @example
   * ```ts
   * const charge = await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
   * ```
   */
  merchant(username?: string): MerchantClient {
    const credentials = async () =>
      username === undefined ? this.credentials : credentialsOf(await this.accounts.get(username));
    const now = async () => {
      const clock = await this.clock();
      this.#tokens.goBy(clock);
      return clock.now;
    };
    const signsAt = async () => signingInstant(await this.info());
    return new MerchantClient(this.#calls.connection, credentials, now, { signsAt, tokens: this.#tokens });
  }

  /**
   * Makes an event happen, end to end, on a fresh resource or on an existing one (`on`). It calls `/v2` with a
   * credential of its own, so that it does not use up the rate limits of the program under test. On a clock that runs
   * fast, a scenario may act between its calls and lead elsewhere; it then says so. It resolves once nothing is due or
   * in flight: called by a receiver that has not answered its webhook, it waits for that webhook's time-out.
   * @returns the event's webhook. @throws {TriggerError} says what is not possible, and what would be.
   * @throws {ServiceCallError} if the service refuses a value that is set.
   */
  trigger<Event extends EventKind>(event: Event, options?: TriggerOptions): Promise<WebhookInfo<Event>>;
  /** For an event name that is known only at run time; literal names are checked against the known events. */
  trigger<Name extends string>(
    event: string extends Name ? Name : never,
    options?: TriggerOptions,
  ): Promise<WebhookInfo>;
  trigger(event: string, options: TriggerOptions = {}): Promise<WebhookInfo> {
    return trigger(this, (username) => triggersMerchant(this, this.#calls.connection, username), event, options);
  }

  /**
   * Yields journal entries as they come, until the world goes away. After a reset or restore it continues with the new
   * history, from its first entry, whose sequence is 1.
   * @param after the sequence of the entry to begin after; unless given, it begins when the first entry is asked for.
   * @example
   * ```ts
   * for await (const { kind, subject } of world.follow()) console.log(kind, subject);
   * ```
   */
  async *follow(after?: string | number, options: FollowOptions = {}): AsyncGenerator<JournalEntryInfo> {
    yield* followHistories(this.#calls, after, options);
  }

  /**
   * Waits for a webhook whose data has these values: the first that exists already, or that comes.
   * @param where fields of the event's data, and `transaction_id`, `username`, `client_id`, `destination`. Amounts are
   * compared by value, instants by time.
   * @param options `timeoutMs` of real time (5000); with a `status` it waits until the delivery has that status.
   * @throws {WaitError} says what came instead, nearest first, and what the clock shows.
   * @throws {Error} for an unknown event, field, status or option, with the nearest known one, and for something that
   * is not a JSON value, such as undefined.
   * @example
   * ```ts
   * const hook = await world.waitForWebhook("cashin.confirmed", { external_id: "order-1" });
   * hook.body.data.amount_net;
   * ```
   */
  async waitForWebhook<Event extends WebhookEvent>(
    event: Event,
    where: WebhookWhere<Event> = {} as WebhookWhere<Event>,
    options: WaitOptions & Pick<WebhookFilter, "status"> = {},
  ): Promise<WebhookInfo<Event>> {
    const found = await this.#waitFor(webhookAwaited(this.#waits, event, where, options), options);
    return (
      (await this.#waits.find<WebhookInfo<Event>>(`/webhooks/${found.webhook_id}`)) ?? (found as WebhookInfo<Event>)
    );
  }

  /**
   * Waits for a call of the service, such as one that the program under test is expected to make.
   * @param where fields of the call and, in `body`, fields of the body that was sent.
   * @throws {WaitError} says which calls came instead, nearest first.
   * @throws {Error} for an unknown call, field, error code or option, with the nearest known one, and for something
   * that is not a JSON value.
   * @example
   * ```ts
   * await world.waitForRequest("POST /v2/transactions/cashout", { body: { external_id: "payout-1" }, status: 202 });
   * ```
   */
  async waitForRequest<Call extends ServiceCall>(
    call: Call,
    where: ServiceCallWhere<Call> = {},
    options: WaitOptions = {},
  ): Promise<ServiceCallInfo> {
    return this.#waitFor(callAwaited(this.#waits, call, where, options), options);
  }

  /**
   * Waits for an entry of the journal, such as a transition or a step of a scenario.
   * @param where its `subject`, its `rule`, and values of its data.
   * @throws {WaitError} says what happened instead, nearest first.
   * @throws {Error} for an unknown kind or option, with the nearest known one, and for something that is not a JSON
   * value.
   * @example
   * ```ts
   * await world.waitForEntry("transition", { subject: charge.transaction_id, to: "expired" });
   * ```
   */
  async waitForEntry(kind: string, where: EntryWhere = {}, options: WaitOptions = {}): Promise<JournalEntryInfo> {
    return this.#waitFor(entryAwaited(this.#waits, kind, where, options), options);
  }

  #waitFor<Found>(awaited: Awaited<Found>, options: WaitOptions): Promise<Found> {
    return waitFor(this.#waits, awaited, { ...options, isAdvancing: () => this.#advances.areUnderWay });
  }

  /** Deletes the world with everything in it. */
  delete = () => this.#calls.deleteWorld();

  /** Deletes the world if it still exists; the default world is left, as it lives as long as its sandbox. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.id === DEFAULT_WORLD) return;
    try {
      await this.delete();
    } catch (error) {
      if (error instanceof UnreachableError) return;
      if (!(error instanceof ControlCallError && error.status === 404)) throw error;
    }
  }
}
