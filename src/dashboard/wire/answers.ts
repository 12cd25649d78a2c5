/** What the control interface answers, as far as the dashboard looks at it. A test holds these to the real answers. */

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** An entry of the journal. `cause` is the sequence of the entry that led to it. */
export interface JournalEntry {
  readonly sequence: number;
  readonly at: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly cause: number | null;
  readonly rule: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `GET /clock`; `speed` is seconds of the world per real second, `next_timer_at` null where nothing waits. */
export interface Clock {
  readonly mode: "running" | "frozen";
  readonly speed: number;
  readonly now: string;
  readonly pending_timers: number;
  readonly next_timer_at: string | null;
}

/** An item of `GET /timers`; `subject` is the id of what it acts on, `cause` the sequence of an entry. */
export interface Timer {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly subject: string;
  readonly recurring: boolean;
  readonly cause: number | null;
  readonly rule: string | null;
}

/** A credential with its secrets; without a `postback_url` it has its account's. */
export interface Credential {
  readonly client_id: string;
  readonly client_secret: string;
  readonly signing_key: string;
  readonly postback_url: string | null;
}

/** An item of `GET /accounts`; balances are decimal texts. */
export interface Account {
  readonly username: string;
  readonly name: string;
  readonly document: string;
  readonly email: string;
  readonly status: string;
  readonly postback_url: string | null;
  readonly created_at: string;
  readonly balances: readonly {
    readonly currency: string;
    readonly balance: string;
    readonly balance_locked: string;
  }[];
  readonly credentials: readonly Credential[];
}

/** `GET /`. */
export interface WorldInfo {
  readonly world: string;
  readonly base_url: string;
  readonly clock: Clock;
  readonly seed: number;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly scenarios: readonly string[];
  readonly accounts: readonly Account[];
}

/** An item of `GET /worlds`. */
export interface WorldSummary {
  readonly world: string;
  readonly clock: Clock;
  readonly seed: number;
}

/** An item of `GET /ledger`; `cause` is the sequence of the entry that it belongs to. */
export interface Posting {
  readonly id: number;
  readonly at: string;
  readonly subject: string;
  readonly source: string;
  readonly destination: string;
  readonly currency: string;
  readonly amount: string;
  readonly cause: number;
}

/** What a detail has in addition to its own fields. */
export interface Known {
  readonly postings: readonly Posting[];
  readonly timers: readonly Timer[];
  readonly journal: readonly JournalEntry[];
}

/** A payer, or a receiver, who has a bank. */
export interface Person {
  readonly name?: string | null;
  readonly document?: string | null;
  readonly bank?: string | null;
}

/**
 * An item of `GET /transactions`; amounts are decimal texts. A charge has what it is paid to by its currency: `qr_code`
 * (BRL), `address` (crypto) or `clabe` (MXN).
 */
export interface Transaction {
  readonly transaction_id: string;
  readonly external_id: string | null;
  readonly type: "cashin" | "cashout";
  readonly currency: string;
  readonly currency_type: string;
  readonly amount: string;
  readonly fee: string;
  readonly amount_net: string;
  readonly amount_refunded: string;
  readonly status: string;
  readonly source: string | null;
  readonly network: string;
  readonly chain: string | null;
  readonly payer: Person | null;
  readonly receiver: Person | null;
  readonly wallet: string | null;
  readonly e2e_id: string | null;
  readonly hash: string | null;
  readonly tx_hash: string | null;
  readonly reason?: string | undefined;
  readonly error_code?: string | undefined;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly confirmed_at: string | null;
  readonly username: string;
  readonly client_id: string;
  /** For a deposit: the wallet that it was sent to. */
  readonly wallet_id?: number | undefined;
  /** For a charge: the accounts that have a share of it. */
  readonly split?: readonly unknown[] | undefined;
  readonly qr_code?: string | undefined;
  readonly address?: string | undefined;
  readonly clabe?: string | undefined;
  readonly actions: readonly string[];
}

/** `GET /transactions/{id}`. */
export type TransactionDetail = Transaction & Known;

/** An item of `GET /conversions`; its figures but `spread` are JSON numbers, to be shown by `amountText`. */
export interface Conversion {
  readonly conversion_id: string;
  readonly amount_from: unknown;
  readonly currency_from: string;
  readonly amount_to: unknown;
  readonly currency_to: string;
  readonly rate: unknown;
  readonly fee: unknown;
  readonly spread: string;
  readonly status: string;
  readonly external_id: string | null;
  readonly username: string;
  readonly completed_at: string;
  readonly actions: readonly string[];
}

/** An item of `GET /transfers`; `split_of` is the cash-in that it is a share of. */
export interface Transfer {
  readonly transaction_id: string;
  readonly external_id: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly status: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly recipient: string;
  readonly sender: string;
  readonly split_of: string | null;
  readonly actions: readonly string[];
}

/** An item of `GET /wallets`; `chain` is there for crypto, `qr_code` for BRL. */
export interface Wallet {
  readonly wallet_id: number;
  readonly address: string;
  readonly currency: string;
  readonly chain?: string | undefined;
  readonly network: string;
  readonly min_confirmations: number;
  readonly created_at: string;
  readonly qr_code?: string | undefined;
  readonly status: string;
  readonly username: string;
  readonly actions: readonly string[];
}

/** A file of a reply: `GET /disputes/{id}/files/{number}` gives it, `size` is in bytes. */
export interface ReplyFile {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** An item of `GET /disputes`; `reply` is null until there is one. */
export interface Dispute {
  readonly infraction_id: string;
  readonly transaction_id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly deadline_at: string;
  readonly reason: string | null;
  readonly created_at: string;
  readonly username: string;
  readonly reply: {
    readonly reply_id: number;
    readonly text: string | null;
    readonly files: readonly ReplyFile[];
  } | null;
  readonly responded_at: string | null;
  readonly resolved_at: string | null;
  readonly actions: readonly string[];
}

/** An item of `GET /webhooks`; `destination` is null where there was none. */
export interface Webhook {
  readonly webhook_id: string;
  readonly event: string;
  readonly transaction_id: string;
  readonly subject: string;
  readonly username: string;
  readonly client_id: string;
  readonly destination: string | null;
  readonly status: string;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** An attempt; `outcome` is null while it is in the air, `duration_ms` real time. */
export interface Attempt {
  readonly number: number;
  readonly manual: boolean;
  /** Whether it is another copy of the attempt before. */
  readonly duplicate: boolean;
  /** The wrong address that it left from; null for the right one. */
  readonly source: string | null;
  readonly at: string;
  readonly outcome: string | null;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | readonly string[]>> | null;
    readonly body: string;
    readonly truncated: boolean | null;
  } | null;
  readonly error: { readonly kind: string; readonly message: string } | null;
  readonly duration_ms: number | null;
}

/** `GET /webhooks/{id}`; `headers` are those of the last attempt, null before the first. */
export interface WebhookDetail extends Webhook {
  readonly headers: Readonly<Record<string, string>> | null;
  readonly attempts: readonly Attempt[];
}

/** An item of `GET /requests`: a call of `/v2` and its answer, secrets masked. */
export interface ServiceRequest {
  readonly request_id: string;
  readonly at: string;
  readonly client_id: string | null;
  readonly ip: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number;
  readonly error_code: string | null;
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** What the readiness report has to say of it. */
  readonly findings: readonly { readonly check: string; readonly verdict: string; readonly advice: string }[];
}

/** An item of `GET /inbox`. */
export interface InboxItem {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A rule of a scenario; `at` is its `file:line`, `fired` how often it acted of the times that it `matched`. */
export interface ScenarioRule {
  readonly name: string | null;
  readonly at: string;
  /** One of these says what sets it off; `due` is the instant, or the time after the loading, of a rule by the clock. */
  readonly on?: unknown;
  readonly every?: unknown;
  readonly due?: unknown;
  readonly request?: unknown;
  readonly delivery?: unknown;
  /** What it looks for in a call; `{}` for anything. */
  readonly where: Readonly<Record<string, unknown>>;
  readonly matched: number;
  readonly fired: number;
}

/** An expectation of a scenario; `verdict` is `pass`, `fail` or `pending`. */
export interface Expectation {
  readonly at: string;
  readonly text: string;
  readonly verdict: string;
  readonly detail: string | null;
}

/** An item of `GET /scenarios`; `status` is `running`, `passed` or `failed`. */
export interface Scenario {
  readonly name: string;
  readonly description: string | null;
  readonly file: string;
  readonly status: string;
  /** What is wrong with its file, if that was changed since it was loaded. */
  readonly problems: readonly { readonly file: string; readonly line: number; readonly message: string }[];
  readonly rules: readonly ScenarioRule[];
  readonly expectations: readonly Expectation[];
}

/** `GET /ledger`. */
export interface Ledger extends Page<Posting> {
  readonly balances: readonly { readonly account: string; readonly currency: string; readonly balance: string }[];
}

/** `GET /ledger/check`; `ok` where every invariant holds. */
export interface LedgerCheck {
  readonly ok: boolean;
  readonly checks: readonly { readonly id: string; readonly ok: boolean; readonly detail: string }[];
}

/** `POST /clock/advance`. */
export interface AdvanceResult {
  readonly from: string;
  readonly to: string;
  readonly reached: boolean;
  readonly timers: number;
  readonly webhooks: { readonly delivered: number; readonly failed: number; readonly pending: number };
}
