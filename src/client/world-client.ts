/** One world, as a test holds it. */
import type { EventKind } from "../domain/events.ts";
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { Accounts, BlockedAddresses, ExchangeRates } from "./accounts.ts";
import { callAwaited, type EntryWhere, entryAwaited, type ServiceCallWhere, webhookAwaited } from "./awaited.ts";
import { type Connection, ControlCallError, UnreachableError } from "./control-client.ts";
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
import { refuseNoChange, refuseNoObject, refuseNoText, refuseWrongOptions } from "./refusals.ts";
import { Conversions, Disputes, Transactions, Transfers, Wallets } from "./resources.ts";
import { Faults, Scenarios } from "./scripts.ts";
import type { ServiceCall } from "./service-types.ts";
import { Tokens } from "./tokens.ts";
import { type TriggerOptions, trigger } from "./trigger.ts";
import { triggersMerchant } from "./trigger-merchant.ts";
import { type WaitOptions, waitFor } from "./waits.ts";
import type { WebhookEvent, WebhookInfo, WebhookWhere } from "./webhook-types.ts";
import { type ListOptions, pathWith, WorldCalls } from "./world-calls.ts";

/**
 * A world: its clock and its records are steered and looked at here; what is made, changed and acted upon stands in
 * groups that are called as in the paths of the control interface: `POST /transactions/{id}/pay` is
 * `world.transactions.pay(id)`. Every method throws a {@link ControlCallError} where the call is refused, and an
 * {@link UnreachableError} where no answer comes.
 */
export class WorldClient implements AsyncDisposable {
  /** `default` for the one at the root. */
  readonly id: string;
  /** What the program under test calls: `${world.baseUrl}/v2/…`. */
  readonly baseUrl: string;
  /** Of the default account. */
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
  /** Fault rules that are set by hand. */
  readonly faults: Faults;
  readonly #calls: WorldCalls;
  readonly #tokens = new Tokens();

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
  }

  /** Base URL, clock, seed, settings, scenarios, and accounts with their credentials. */
  info = () => this.call<WorldInfo>("GET", "/");
  /** Back to the moment of its creation, with the same seed, clock included. */
  reset = () => this.#anew<WorldInfo>("/reset");

  /** Its mode and speed, the instant that it shows, and what waits on it. */
  clock = () => this.call<ClockInfo>("GET", "/clock");
  /** Changes mode and speed, or goes forward to an instant: `{ mode: "running", speed: 60 }`. */
  setClock = async (changes: ClockChanges) => {
    refuseNoChange("setClock", changes, '{ mode: "running" }');
    return this.call<ClockInfo>("POST", "/clock", changes);
  };
  /** Waits until nothing is due or in flight at the present instant. */
  settle = () => this.call<ClockInfo>("POST", "/clock/settle");
  /** Calls off the advance under way, between two timers. @throws {ControlCallError} 404 where there is none. */
  cancelAdvance = () => this.call<ClockInfo>("DELETE", "/clock/advance");
  /** What waits on the clock, in its order. */
  timers = (options?: ListOptions) => this.all<TimerInfo>("/timers", options);

  /** Keeps all that the world is now, as `snapshot-1`, `snapshot-2` … unless named. */
  takeSnapshot = (name?: string) => this.call<SnapshotInfo>("POST", "/snapshots", name === undefined ? {} : { name });
  /** The snapshots that were taken, oldest first. */
  snapshots = (options?: ListOptions) => this.all<SnapshotInfo>("/snapshots", options);
  /** Takes the world back to a snapshot, clock included; what is in the air comes to nothing. */
  restore = (name: string) => this.#anew<WorldInfo>(`/snapshots/${encodeURIComponent(name)}/restore`);
  /** Takes a snapshot out. */
  deleteSnapshot = (name: string) => this.call<void>("DELETE", `/snapshots/${encodeURIComponent(name)}`);

  /** Every entry, or those after a sequence. */
  journal = async (after?: number, options?: ListOptions) => {
    if (Object(after) === after) throw new Error("journal takes its options second: journal(undefined, { limit: 5 }).");
    return this.all<JournalEntryInfo>(
      pathWith("/journal", { cursor: after === undefined ? undefined : String(after) }),
      options,
    );
  };
  /** How an id came to be what it is, down to the call or the scenario file's line. */
  explain = (id: string) => this.call<ExplanationInfo>("GET", `/explain/${encodeURIComponent(id)}`);
  /** A webhook with every attempt. */
  webhook = (id: string) => this.call<WebhookInfo>("GET", `/webhooks/${encodeURIComponent(id)}`);
  /** Exactly one attempt now, outside the rate. @returns the webhook with its outcome. */
  redeliver = (id: string) => this.call<WebhookInfo>("POST", `/webhooks/${encodeURIComponent(id)}/redeliver`);
  /** What the destination `sandbox://inbox` took. */
  inbox = (options?: ListOptions) => this.all<InboxItem>("/inbox", options);
  /** The calls of `/v2`: all, or those of one endpoint, of one credential. */
  requests = async (filter: ListOptions & RequestFilter = {}) => {
    refuseNoObject("The filter of requests", filter, '{ call: "POST /v2/transactions/cashin" }');
    const { limit, ...query } = filter;
    return this.all<ServiceCallInfo>(pathWith("/requests", query), { limit });
  };
  /** A call of `/v2` by its `request_id`. */
  request = (id: string) => this.call<ServiceCallInfo>("GET", `/requests/${encodeURIComponent(id)}`);
  /** All that is known of a cash-in or cash-out. */
  transaction = (id: string) => this.transactions.get(id);

  /** Every invariant of the ledger, and whether it holds. */
  checkLedger = () => this.call<LedgerCheckInfo>("GET", "/ledger/check");
  /** Which endpoints, error codes, events and states have been exercised, out of all. */
  coverage = () => this.call<CoverageInfo>("GET", "/coverage");
  /** How ready the merchant's integration is, judged by what it did. */
  report = () => this.call<ReportInfo>("GET", "/report");
  /** Sends the merchant's receiver the probes of the readiness report. @returns the report that they lead to. */
  probe = (options: ProbeOptions = {}) => this.call<ReportInfo>("POST", "/report/probe", options);
  /** A bundle: all that the world's history follows from, and its journal, for `replay` here and on the command line. */
  export = () => this.call<BundleInfo>("GET", "/export");

  /** A call after which the world is at an earlier point of its history. */
  async #anew<Answer>(path: string): Promise<Answer> {
    const answer = await this.call<Answer>("POST", path);
    this.#tokens.forget();
    return answer;
  }

  /** Any call of the control interface, below `_sandbox`. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.#calls.call(method, path, body);
  }

  /** What is at a path; undefined where nothing is. */
  find<Answer>(path: string): Promise<Answer | undefined> {
    return this.#calls.find(path);
  }

  /** Every item of a list, page after page. */
  all<Item>(path: string, options?: ListOptions): Promise<Item[]> {
    return this.#calls.all(path, options);
  }

  /**
   * Moves the clock: runs everything due on the way, each at its own instant, deliveries and their retries included,
   * and answers when all is done, however long that takes.
   * @param what a duration (`"90s"`, `"1h30m"`, `"PT5S"`), an instant, `"next"` (through the next timer), `"idle"`, an
   * event kind (through its next occurrence), or the whole target.
   * @returns what happened; `reached` is false where an event never came.
   * @example
   * ```ts
   * await world.advance("5s");
   * await world.advance("cashin.expired");
   * await world.advance({ until: { expiry: charge.transaction_id, offset: "-1s" } });
   * ```
   */
  async advance(what: AdvanceWord | AdvanceTarget): Promise<AdvanceInfo> {
    if (what === undefined) throw new Error('advance must be told how far, as in advance("5s") or advance("next").');
    // A number, in a program without types, is told as the text that it should be.
    return this.call("POST", "/clock/advance", Object(what) === what ? what : advanceBody(String(what)));
  }

  /** Makes something happen to a transaction by the name of the action; `world.transactions` has each by itself. */
  act(transactionId: string, action: string, input: object = {}): Promise<TransactionInfo> {
    return this.call("POST", `/transactions/${encodeURIComponent(transactionId)}/${action}`, input);
  }

  /** Where the webhooks of an account go; null for nowhere. */
  async setPostbackUrl(username: string, url: string | null): Promise<AccountInfo> {
    if (url !== null) refuseNoText("The url of setPostbackUrl, behind the username,", url);
    return this.accounts.update(username, { postback_url: url });
  }

  /** The webhooks of all events, or of one, of one transaction or `external_id`, in one status. */
  webhooks<Event extends WebhookEvent>(
    filter: WebhookFilter & { readonly event: Event },
    options?: ListOptions,
  ): Promise<WebhookInfo<Event>[]>;
  webhooks(filter?: WebhookFilter, options?: ListOptions): Promise<WebhookInfo[]>;
  async webhooks(filter: WebhookFilter = {}, options?: ListOptions): Promise<WebhookInfo[]> {
    refuseNoObject("The filter of webhooks", filter, '{ event: "cashin.confirmed" }');
    return this.all(pathWith("/webhooks", { ...filter }), options);
  }

  /** Every posting, and the balance of every account of the ledger. */
  async ledger(): Promise<LedgerInfo> {
    const { balances } = await this.call<Pick<LedgerInfo, "balances">>("GET", "/ledger?limit=1");
    return { postings: await this.all<PostingInfo>("/ledger"), balances };
  }

  /**
   * An account as a program of its own that calls `/v2`, with token and signature done for it: a stand-in for the
   * program under test. Its calls do not count in the readiness report. All of a credential share one token.
   * @param username the default account unless given.
   * @example
   * ```ts
   * const charge = await world.merchant().call("POST /v2/transactions/cashin", { currency: "BRL", amount: "150.00" });
   * ```
   */
  merchant(username?: string): MerchantClient {
    const credentials = async () =>
      username === undefined ? this.credentials : credentialsOf(await this.accounts.get(username));
    const now = async () => (await this.clock()).now;
    const signsAt = async () => signingInstant(await this.info());
    return new MerchantClient(this.#calls.connection, credentials, now, { signsAt }, this.#tokens);
  }

  /**
   * Makes an event of a kind happen, end to end: on a fresh resource, or `on` one that is there. It calls `/v2` with a
   * credential of its own of the default account, so that it takes nothing of what the program under test may do.
   * @returns its webhook. @throws {TriggerError} says what cannot be, and what could. @throws {ServiceCallError} where the
   * service refuses what is set.
   */
  trigger<Event extends EventKind>(event: Event, options?: TriggerOptions): Promise<WebhookInfo<Event>>;
  /** By a name that is known only when the program runs: one that is written out is held to the events that there are. */
  trigger<Name extends string>(
    event: string extends Name ? Name : never,
    options?: TriggerOptions,
  ): Promise<WebhookInfo>;
  trigger(event: string, options: TriggerOptions = {}): Promise<WebhookInfo> {
    return trigger(this, (username) => triggersMerchant(this, this.#calls.connection, username), event, options);
  }

  /**
   * What happens in the world, as it happens, until the world goes away. Where it is reset or restored it goes on with
   * the new history, from its first entry, whose sequence is 1.
   * @param after the sequence of the entry to begin behind; unless given, from when the first entry is asked for.
   * @example
   * ```ts
   * for await (const { kind, subject } of world.follow()) console.log(kind, subject);
   * ```
   */
  async *follow(after?: string | number, options: FollowOptions = {}): AsyncGenerator<JournalEntryInfo> {
    refuseWrongOptions("follow", options, ["onNewHistory", "signal"]);
    yield* followHistories(this.#calls, after, options);
  }

  /**
   * Waits for a webhook whose data has these values: the first of those that there are, or that come.
   * @param where fields of the event's data, and `transaction_id`, `username`, `client_id`, `destination`; amounts by
   * value, instants by time.
   * @param options `timeoutMs` of real time (5000); with a `status` it waits until the delivery has come to that.
   * @throws {WaitError} says what came instead, nearest first, and where the clock stands.
   * @throws {Error} for an event, a field, a status or an option that there is not, with the nearest, and for what is no
   * value, such as undefined.
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
    const found = await waitFor(this.#calls, webhookAwaited(this.#calls, event, where, options), options);
    return (await this.find<WebhookInfo<Event>>(`/webhooks/${found.webhook_id}`)) ?? (found as WebhookInfo<Event>);
  }

  /**
   * Waits for a call of the service, such as one that the program under test is to make.
   * @param where fields of the call and, in `body`, of what was sent.
   * @throws {WaitError} says what was called instead, nearest first.
   * @throws {Error} for a call, a field or an option that there is not, with the nearest, and for what is no value.
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
    return waitFor(this.#calls, callAwaited(this.#calls, call, where, options), options);
  }

  /**
   * Waits for an entry of the journal, such as a transition or a step of a scenario.
   * @param where its `subject`, its `rule`, and values of its data.
   * @throws {WaitError} says what happened instead, nearest first.
   * @throws {Error} for a kind or an option that there is not, with the nearest, and for what is no value.
   * @example
   * ```ts
   * await world.waitForEntry("transition", { subject: charge.transaction_id, to: "expired" });
   * ```
   */
  async waitForEntry(kind: string, where: EntryWhere = {}, options: WaitOptions = {}): Promise<JournalEntryInfo> {
    return waitFor(this.#calls, entryAwaited(this.#calls, kind, where, options), options);
  }

  /** Deletes the world with all that it holds. */
  delete = () => this.#calls.deleteWorld();

  /** Deletes the world where it is still there; not the default one, which is there as long as its sandbox. */
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

/** `next`, `idle` and event kinds are of letters alone, durations and instants have digits. */
const WORDS = /^[a-z]+([._][a-z]+)?$/i;

function advanceBody(what: string): Record<string, string> {
  if (WORDS.test(what)) return { until: what };
  return /^\d{4}-/.test(what) ? { to: what } : { by: what };
}
