/** One world, as a test holds it. */
import { DEFAULT_WORLD } from "../host/sandbox.ts";
import { delay } from "../runtime.ts";
import {
  type AccountInfo,
  type AdvanceInfo,
  type BundleInfo,
  callControl,
  type ClockInfo,
  type CoverageInfo,
  type Connection,
  ControlCallError,
  type ExplanationInfo,
  type JournalEntryInfo,
  type LedgerCheckInfo,
  type Page,
  type ProbeOptions,
  type ReportInfo,
  type SnapshotInfo,
  type TimerInfo,
  type TransactionInfo,
  type WebhookInfo,
  type WorldInfo,
} from "./control-client.ts";
import { eventsOf } from "./event-stream.ts";
import { type Credentials, MerchantClient } from "./merchant-client.ts";
import { trigger, type TriggerOptions } from "./trigger.ts";

export type { Credentials } from "./merchant-client.ts";

const WAIT_TIMEOUT_MS = 5_000;
const POLL_MS = 20;

export class WorldClient implements AsyncDisposable {
  readonly id: string;
  readonly baseUrl: string;
  /** Of the default account. */
  readonly credentials: Credentials;
  readonly #connection: Connection;
  readonly #remove: () => Promise<void>;

  constructor(info: WorldInfo, connection: Connection, remove: () => Promise<void>) {
    this.id = info.world;
    this.baseUrl = connection.baseUrl;
    this.credentials = credentialsOf(info.accounts[0]);
    this.#connection = connection;
    this.#remove = remove;
  }

  info = () => this.call<WorldInfo>("GET", "/");
  clock = () => this.call<ClockInfo>("GET", "/clock");
  settle = () => this.call<ClockInfo>("POST", "/clock/settle");
  reset = () => this.call<WorldInfo>("POST", "/reset");
  /** Calls off the advance under way, between two timers. @throws {ControlCallError} where there is none. */
  cancelAdvance = () => this.call<ClockInfo>("DELETE", "/clock/advance");
  /** Keeps all that the world is now, as `snapshot-1`, `snapshot-2` … unless named. */
  takeSnapshot = (name?: string) => this.call<SnapshotInfo>("POST", "/snapshots", name === undefined ? {} : { name });
  /** Takes the world back to a snapshot, clock included; what is in the air comes to nothing. */
  restore = (name: string) => this.call<WorldInfo>("POST", `/snapshots/${encodeURIComponent(name)}/restore`);
  deleteSnapshot = (name: string) => this.call<void>("DELETE", `/snapshots/${encodeURIComponent(name)}`);
  /** A bundle: all that the world's history follows from, and its journal, for `replay` here and on the command line. */
  export = () => this.call<BundleInfo>("GET", "/export");
  coverage = () => this.call<CoverageInfo>("GET", "/coverage");
  /** How ready the merchant's integration is, judged by what it did. */
  report = () => this.call<ReportInfo>("GET", "/report");
  /** Sends the merchant's receiver the probes of the readiness report. @returns the report that they lead to. */
  probe = (options: ProbeOptions = {}) => this.call<ReportInfo>("POST", "/report/probe", options);
  checkLedger = () => this.call<LedgerCheckInfo>("GET", "/ledger/check");
  transaction = (id: string) => this.call<TransactionInfo>("GET", `/transactions/${id}`);
  webhook = (id: string) => this.call<WebhookInfo>("GET", `/webhooks/${id}`);
  redeliver = (id: string) => this.call<WebhookInfo>("POST", `/webhooks/${id}/redeliver`);
  explain = (id: string) => this.call<ExplanationInfo>("GET", `/explain/${encodeURIComponent(id)}`);

  /** Any call of the control interface. @throws {ControlCallError} */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return callControl<Answer>(this.#connection, method, path, body);
  }

  /** Advances the clock by a duration such as `"5s"`, `until` next, idle or an event kind, or to an instant. */
  advance(what: string | Readonly<Record<string, unknown>>): Promise<AdvanceInfo> {
    return this.call("POST", "/clock/advance", typeof what === "string" ? advanceBody(what) : what);
  }

  /** Makes something happen to a transaction: `pay`, `expire`, `refund` … */
  act(transactionId: string, action: string, input: object = {}): Promise<TransactionInfo> {
    return this.call("POST", `/transactions/${transactionId}/${action}`, input);
  }

  setPostbackUrl(username: string, url: string | null): Promise<AccountInfo> {
    return this.call("PATCH", `/accounts/${username}`, { postback_url: url });
  }

  /** What is at a path; undefined where nothing is. @throws {ControlCallError} for any other refusal. */
  async find<Answer>(path: string): Promise<Answer | undefined> {
    try {
      return await this.call<Answer>("GET", path);
    } catch (error) {
      if (error instanceof ControlCallError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The default account as a program of its own, that calls `/v2`. */
  merchant(): MerchantClient {
    return new MerchantClient(this.#connection, this.credentials, async () => (await this.clock()).now);
  }

  /**
   * Makes an event of a kind happen, end to end: on a fresh resource, or `on` one that is there.
   * @returns its webhook. @throws {TriggerError} says what cannot be, and what could.
   */
  trigger(event: string, options: TriggerOptions = {}): Promise<WebhookInfo> {
    return trigger(this, event, options);
  }

  /** Every item of a list, page after page. */
  async all<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = `${path.includes("?") ? "&" : "?"}limit=1000${cursor ? `&cursor=${cursor}` : ""}`;
      const page: Page<Item> = await this.call<Page<Item>>("GET", path + query);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  }

  /**
   * What happens in the world, as it happens, until the world goes away.
   * @param after the sequence of the entry to begin behind; from now on unless given.
   */
  async *follow(after?: string | number): AsyncGenerator<JournalEntryInfo> {
    const query = after === undefined ? "" : `?after=${after}`;
    const { baseUrl, controlToken, fetch } = this.#connection;
    const headers: Record<string, string> = controlToken ? { Authorization: `Bearer ${controlToken}` } : {};
    const response = await fetch(`${baseUrl}/_sandbox/journal/stream${query}`, { headers });
    if (!response.ok || !response.body) throw new ControlCallError(response.status, "UNKNOWN", "No stream came.", {});
    for await (const { data } of eventsOf(response.body)) yield JSON.parse(data) as JournalEntryInfo;
  }

  journal = () => this.all<JournalEntryInfo>("/journal");
  /** What waits on the clock, in its order. */
  timers = () => this.all<TimerInfo>("/timers");
  snapshots = () => this.all<SnapshotInfo>("/snapshots");
  webhooks = (query = "") => this.all<WebhookInfo>(`/webhooks${query}`);

  /**
   * Waits for a webhook whose data has these values.
   * @throws {Error} after 5 s of real time, unless `timeoutMs` says otherwise, telling what came instead.
   */
  async waitForWebhook(
    event: string,
    where: Readonly<Record<string, unknown>> = {},
    { timeoutMs = WAIT_TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<WebhookInfo> {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const came = await this.webhooks();
      const found = came.find((webhook) => webhook.event === event && hasValues(webhook, where));
      if (found) return this.webhook(found.webhook_id);
      if (waitedMs >= timeoutMs) throw new Error(nothingCame(event, where, came));
      await delay(POLL_MS);
    }
  }

  /** Deletes the world. */
  delete = () => this.#remove();

  /** Deletes the world, but for the default one, which is there as long as its sandbox. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.id !== DEFAULT_WORLD) await this.#remove();
  }
}

/** Event kinds have a dot or an underscore in them, durations have neither. */
const WORDS = /^[a-z]+[._][a-z]+$/;

function advanceBody(what: string): Record<string, string> {
  if (what === "next" || what === "idle" || WORDS.test(what)) return { until: what };
  return /^\d{4}-/.test(what) ? { to: what } : { by: what };
}

function hasValues(webhook: WebhookInfo, where: Readonly<Record<string, unknown>>): boolean {
  const data = webhook.body.data ?? webhook.body;
  return Object.entries(where).every(([key, value]) => data[key] === value);
}

function nothingCame(event: string, where: object, came: readonly WebhookInfo[]): string {
  const others = came.map((webhook) => `${webhook.event} ${webhook.transaction_id} (${webhook.status})`);
  const instead = others.length > 0 ? `there came ${others.slice(-10).join(", ")}` : "no webhook came at all";
  return `No ${event} with ${JSON.stringify(where)}; ${instead}.`;
}

function credentialsOf(account: AccountInfo | undefined): Credentials {
  const [credential] = account?.credentials ?? [];
  return {
    clientId: credential?.client_id ?? "",
    clientSecret: credential?.client_secret ?? "",
    signingKey: credential?.signing_key ?? "",
  };
}
