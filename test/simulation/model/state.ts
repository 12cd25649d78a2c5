/** All that the model knows of a world. Plain data, so that a fork and a snapshot are a copy of it. */
import { minor } from "./decimals.ts";
import { currencies, currencyNames, type LimitRow, openingRates } from "./facts.ts";

/** Instants are milliseconds, amounts minor units. */
export interface Transaction {
  readonly id: string;
  readonly type: "cashin" | "cashout";
  readonly username: string;
  readonly client: string;
  readonly externalId: string | null;
  readonly currency: string;
  amount: bigint;
  fee: bigint;
  refunded: bigint;
  status: string;
  readonly source: string | null;
  readonly chain: string | null;
  readonly network: string;
  readonly postback: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  confirmedAt: number | null;
  readonly split: readonly Share[];
  /** Of a deposit. */
  readonly walletId: number | null;
  /** Of a cash-out: where it goes, and what it took from the balance. */
  readonly key: string | null;
  readonly keyType: string | null;
  readonly debit: bigint;
}

export interface Share {
  readonly username: string;
  readonly percentage?: number;
  readonly amount?: bigint;
}

interface Transfer {
  /** null until it is known: the id of a split's transfer is told by nobody. */
  readonly id: string | null;
  readonly sender: string;
  readonly recipient: string;
  readonly externalId: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly description: string | null;
  readonly splitOf: string | null;
}

export interface Conversion {
  readonly id: string;
  readonly username: string;
  readonly client: string;
  readonly externalId: string | null;
  readonly from: string;
  readonly to: string;
  readonly amountFrom: bigint;
  readonly amountTo: bigint;
  readonly fee: bigint;
  readonly spread: bigint;
  readonly rate: string;
  status: string;
}

export interface Wallet {
  readonly id: number;
  readonly username: string;
  readonly client: string;
  readonly currency: string;
  readonly chain: string | null;
  readonly network: string;
  readonly address: string;
}

export interface Dispute {
  readonly id: string;
  readonly transactionId: string;
  readonly username: string;
  readonly client: string;
  readonly amount: bigint;
  readonly reason: string;
  readonly deadlineAt: number;
  status: string;
}

export interface Quote {
  readonly username: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly rate: string;
  readonly expiresAt: number;
  used: boolean;
}

export interface Webhook {
  /** Told by the sandbox; null until it has been seen. */
  id: string | null;
  readonly event: string;
  readonly username: string;
  readonly client: string;
  destination: string | null;
  readonly createdAt: number;
  /** What of its data follows from the specification. */
  readonly fields: Readonly<Record<string, unknown>>;
  status: string;
  nextAt: number | null;
  firstAt: number | null;
  /** Its turn among those that were put back; null where it was not since it was last attempted. */
  backFrom: number | null;
  /** Attempts on the schedule so far. */
  made: number;
}

export interface Attempt {
  readonly webhook: number;
  readonly client: string;
  readonly at: number;
  readonly destination: string;
  readonly byHand: boolean;
}

export type TimerKind = "expiry" | "credit" | "gateway" | "deadline" | "attempt" | "release" | "step";

export interface Timer {
  readonly at: number;
  /** Among those of one instant. */
  readonly order: number;
  readonly kind: TimerKind;
  /** The id of its resource; the place of its webhook. */
  readonly subject: string | number;
  /** Of an attempt. */
  readonly further?: boolean;
  readonly forged?: boolean;
  /** Of a scenario's step: what it does. */
  readonly action?: string;
}

export interface FaultRule {
  readonly request?: string;
  readonly delivery?: string;
  readonly inject: Readonly<Record<string, unknown>>;
  readonly times?: number;
  readonly skip?: number;
  readonly endsAt: number | null;
  /** Whom webhooks are held with. */
  readonly group: number;
  matched: number;
  fired: number;
}

export interface Credential {
  readonly id: string;
  readonly username: string;
  postback: string | null;
  limits: readonly Partial<LimitRow>[];
}

interface Account {
  readonly username: string;
  postback: string | null;
  underReview: boolean;
}

interface Balance {
  available: bigint;
  locked: bigint;
  disputed: bigint;
}

/** The settings that the model knows the meaning of. */
export interface ModelSettings {
  readonly cashout_fee: "deducted" | "added";
  readonly deposit_events: "both" | "cashin" | "wallet_deposit";
  readonly duplicate_status: 409 | 422;
  readonly expired_event: "pix" | "all";
  readonly legacy_refund_events: boolean;
  readonly lost_dispute_status: "lost" | "confirmed";
  readonly quotes: "implicit" | "ignore";
  readonly retry_base: "previous" | "first";
  readonly status_words: "lifecycle" | "glossary";
  readonly transfer_sent_direction: "sent" | "out";
  readonly unanswered_dispute: "lost" | "open";
  readonly webhook_rate: number;
  /** Whether rate limits and blocks are enforced; they are off where not. */
  readonly protected: boolean;
}

export interface State {
  now: number;
  /** Numbers timers. */
  order: number;
  readonly settings: ModelSettings;
  /** Whether the scenario `happy-path` is loaded. */
  readonly isHappy: boolean;
  /** What the receiver does with all that it gets. */
  receiver: "takes" | "refuses" | "hangs up";
  rates: Record<string, string>;
  readonly accounts: Account[];
  readonly credentials: Credential[];
  /** By username and currency. */
  readonly balances: Record<string, Balance>;
  /** Minor units by credential, operation, currency and window. */
  readonly used: Record<string, bigint>;
  readonly transactions: Transaction[];
  readonly transfers: Transfer[];
  readonly conversions: Conversion[];
  readonly wallets: Wallet[];
  readonly disputes: Dispute[];
  readonly quotes: Quote[];
  /** By username and external id. */
  readonly externalIds: Record<string, { readonly operation: string; readonly body: string; readonly id: string }>;
  readonly webhooks: Webhook[];
  readonly attempts: Attempt[];
  timers: Timer[];
  faults: FaultRule[];
  /** Places of webhooks that are held back, by rule. */
  readonly held: Record<number, readonly number[]>;
  isBlocked: boolean;
  /** Windows of rates by caller and path. */
  readonly windows: Record<string, { readonly startedAt: number; readonly used: number }>;
  /** Instants of what may lead to a block, and the ends of blocks, by caller. */
  readonly offences: Record<string, readonly number[]>;
  readonly blocks: Record<string, number>;
  /** Kinds of events in the order in which they came up, since the last advance began. */
  told: string[];
}

/** A world as it begins. */
export function freshState(given: {
  now: number;
  settings: ModelSettings;
  isHappy: boolean;
  accounts: readonly { username: string; postback: string | null; client: string }[];
}): State {
  const balances: Record<string, Balance> = {};
  for (const { username } of given.accounts) {
    for (const currency of currencyNames) {
      const { opening, scale } = currencies[currency];
      balances[`${username} ${currency}`] = { available: minor(opening, scale), locked: 0n, disputed: 0n };
    }
  }
  return {
    now: given.now,
    order: 0,
    settings: given.settings,
    isHappy: given.isHappy,
    receiver: "takes",
    rates: { ...openingRates },
    accounts: given.accounts.map(({ username, postback }) => ({ username, postback, underReview: false })),
    credentials: given.accounts.map(({ username, client: id }) => ({ id, username, postback: null, limits: [] })),
    balances,
    used: {},
    transactions: [],
    transfers: [],
    conversions: [],
    wallets: [],
    disputes: [],
    quotes: [],
    externalIds: {},
    webhooks: [],
    attempts: [],
    timers: [],
    faults: [],
    held: {},
    isBlocked: false,
    windows: {},
    offences: {},
    blocks: {},
    told: [],
  };
}

export function balanceOf({ balances }: State, username: string, currency: string): Balance {
  const balance = balances[`${username} ${currency}`];
  if (!balance) throw new Error(`The model knows no ${currency} of ${username}.`);
  return balance;
}

export function transactionOf({ transactions }: State, id: string | number): Transaction {
  const found = transactions.find((transaction) => transaction.id === id);
  if (!found) throw new Error(`The model knows no transaction ${id}.`);
  return found;
}

/** The text of an instant in a body (D27). */
export function instantText(instant: number): string {
  return new Date(instant).toISOString();
}
