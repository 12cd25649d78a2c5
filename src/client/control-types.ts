/**
 * The answers of the control interface, as JSON. Most are derived from the functions that build them, and a test holds
 * every one against the OpenAPI document, so that none can drift.
 */
import type { conversionView, disputeView, transferView, walletView } from "../control/resource-kinds.ts";
import type {
  accountView,
  clockView,
  credentialView,
  entryView,
  known,
  postingView,
  requestView,
  snapshotView,
  timerView,
  transactionView,
  worldView,
} from "../control/views.ts";
import type { worldSummary } from "../control/world-routes.ts";
import type { LifecycleName, StateOf } from "../domain/lifecycles.ts";
import type { Bundle } from "../history/bundle.ts";
import type { ReplayOutcome } from "../history/replay.ts";
import type { Coverage } from "../insight/coverage.ts";
import type { Explanation } from "../insight/explain/explain.ts";
import type { ReadinessReport } from "../insight/readiness/report.ts";
import type { ScenarioEngine } from "../scenarios/engine.ts";
import type { describeFaults } from "../scenarios/faults-by-hand.ts";
import type { checkLedger } from "../service/ledger-check.ts";
import type { CredentialChanges } from "./control-requests.ts";
import type { Wire } from "./wire.ts";

// What answers consist of: a program with `declaration` must be able to name it.
export type { AttemptError, AttemptErrorKind } from "../domain/attempt-error-kinds.ts";
export type { Difference, ReplayOutcome } from "../history/replay.ts";
export type { Coverage, CoverageSection, CoveredItem } from "../insight/coverage.ts";
export type { LeftOut } from "../insight/explain/causes.ts";
export type { ExplainedEntry, Explanation, HistoryEntry, PendingTimer } from "../insight/explain/explain.ts";
export type { ToldWebhook, TopicType } from "../insight/explain/topics.ts";
export type { Finding } from "../insight/readiness/finding.ts";
export type { ReadinessCheck, ReadinessReport } from "../insight/readiness/report.ts";
export type { LedgerCheck } from "../service/ledger-check.ts";

/** A world as `GET /` answers: base URL, clock, seed, settings, scenarios and accounts. */
export type WorldInfo = ReturnType<typeof worldView>;
/** A world as `GET /worlds` lists it. */
export type WorldSummary = ReturnType<typeof worldSummary>;
/** The clock as `GET /clock` answers: its mode, its speed, the instant that it shows and what waits on it. */
export type ClockInfo = ReturnType<typeof clockView>;
/** An account with its balances and credentials. */
export type AccountInfo = ReturnType<typeof accountView>;
/** A credential with its secrets. */
export type CredentialInfo = ReturnType<typeof credentialView>;
/** A credential after a change, with the limits of its own that differ from the defaults. */
export type ChangedCredential = CredentialInfo & {
  readonly limits: NonNullable<CredentialChanges["limits"]>[number][];
};
/** An entry of the journal; `cause` is the sequence of the entry that led to it. */
export type JournalEntryInfo = ReturnType<typeof entryView>;
/** A timer: something that is due at an instant of the world's clock. */
export type TimerInfo = ReturnType<typeof timerView>;
/** A snapshot: the instant at which it was taken, and how many entries the journal had then. */
export type SnapshotInfo = ReturnType<typeof snapshotView>;
/** A posting of the ledger. */
export type PostingInfo = ReturnType<typeof postingView>;
/** A call of `/v2`, with what the readiness report has to say about it. */
export type ServiceCallInfo = Wire<ReturnType<typeof requestView>>;
/** Every invariant of the ledger, and whether it holds, as `GET /ledger/check` answers. */
export type LedgerCheckInfo = ReturnType<typeof checkLedger>;
/** A loaded scenario: what its rules did, and how its expectations stand. */
export type ScenarioInfo = Wire<NonNullable<ReturnType<ScenarioEngine["describe"]>>>;
/** A fault rule that was set by hand, with how often it matched and how often it injected its fault. */
export type FaultInfo = Wire<ReturnType<typeof describeFaults>["rules"][number]>;
/** How something came to be as it is, as `GET /explain/{id}` answers. */
export type ExplanationInfo = Explanation;
/** Which endpoints, error codes, events and states have been exercised, as `GET /coverage` answers. */
export type CoverageInfo = Coverage;
/** The readiness report, as `GET /report` answers. */
export type ReportInfo = ReadinessReport;
/** A bundle, as `GET /export` answers: what a world's history follows from, and its journal. */
export type BundleInfo = Bundle;
/** How the replay of a bundle went. */
export type ReplayInfo = ReplayOutcome;

/** A resource with a lifecycle as it is listed: its state, and the actions that this state allows. */
type Listed<Name extends LifecycleName, View> = Omit<View, "status" | "actions"> & {
  status: StateOf<Name>;
  actions: string[];
};

/** What the ledger, the timers and the journal know of a resource. */
type Known = ReturnType<typeof known>;

/** A cash-in or cash-out as it is listed; the optional fields are present only where they apply. */
export type TransactionSummary = Listed<"cashin" | "cashout", ReturnType<typeof transactionView>> & {
  /** BRL: the EMV text that the QR code carries. */
  qr_code?: string;
  /** Crypto: the address to pay to. */
  address?: string;
  /** MXN: the CLABE to pay to. */
  clabe?: string;
  confirmations?: number;
  /** Shares that go to other accounts once it is paid. */
  split?: readonly { username: string; percentage?: string; amount?: string }[];
  /** The fixed wallet that a deposit was paid into. */
  wallet_id?: number;
  /** Who made a deposit into a fixed wallet, if known. */
  depositor?: { name: string | null; document: string | null };
  /** Why it failed, if a reason was given. */
  reason?: string;
  /** Why a cash-out failed. */
  error_code?: string;
  /** Why a cash-out failed, in a sentence. */
  error_message?: string;
};
/** A cash-in or cash-out with its postings, timers and journal entries. */
export type TransactionInfo = TransactionSummary & Known;

/** A conversion as it is listed. */
export type ConversionSummary = Listed<"conversion", Wire<ReturnType<typeof conversionView>>>;
/** A conversion with its postings, timers and journal entries. */
export type ConversionInfo = ConversionSummary & Known;

/** An internal transfer as it is listed. */
export type TransferSummary = Listed<"transfer", ReturnType<typeof transferView>>;
/** An internal transfer with its postings, timers and journal entries. */
export type TransferInfo = TransferSummary & Known;

type WalletFields = ReturnType<typeof walletView>;
/** A fixed wallet as it is listed: `chain` if it is crypto, `key_type` and `qr_code` if it is BRL. */
export type WalletSummary = Listed<"wallet", Pick<WalletFields, keyof WalletFields>> & {
  chain?: string;
  key_type?: string;
  qr_code?: string;
};
/** A fixed wallet with its postings, timers and journal entries. */
export type WalletInfo = WalletSummary & Known;

/** A dispute as it is listed. */
export type DisputeSummary = Listed<"dispute", ReturnType<typeof disputeView>>;
/** A dispute with its postings, timers and journal entries. */
export type DisputeInfo = DisputeSummary & Known;

/** A file of a reply to a dispute. */
export interface DisputeFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** What an advance did, as `POST /clock/advance` answers. */
export interface AdvanceInfo {
  readonly from: string;
  readonly to: string;
  readonly reached: boolean;
  readonly timers: number;
  readonly webhooks: { readonly delivered: number; readonly failed: number; readonly pending: number };
  readonly trace: readonly JournalEntryInfo[];
  readonly trace_truncated?: true;
}

/** A webhook that was delivered to the destination `sandbox://inbox`. */
export interface InboxItem {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the kind of webhook is known only once the body is read.
  readonly body: any;
}

/** Every posting, and the balance of every account of the ledger. */
export interface LedgerInfo {
  readonly postings: readonly PostingInfo[];
  readonly balances: readonly { readonly account: string; readonly currency: string; readonly balance: string }[];
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
