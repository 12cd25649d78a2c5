/** What the calls of the control interface answer, as JSON: taken from what shows it, so that neither drifts. */
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
import type { Explanation } from "../insight/explain.ts";
import type { ReadinessReport } from "../insight/readiness/report.ts";
import type { ScenarioEngine } from "../scenarios/engine.ts";
import type { describeFaults } from "../scenarios/faults.ts";
import type { checkLedger } from "../service/ledger-check.ts";
import type { CredentialChanges } from "./control-requests.ts";
import type { Wire } from "./wire.ts";

/** What `GET /` answers. */
export type WorldInfo = ReturnType<typeof worldView>;
/** A world as it is listed. */
export type WorldSummary = ReturnType<typeof worldSummary>;
/** What `GET /clock` answers. */
export type ClockInfo = ReturnType<typeof clockView>;
/** An account with its balances and credentials. */
export type AccountInfo = ReturnType<typeof accountView>;
/** A credential with its secrets. */
export type CredentialInfo = ReturnType<typeof credentialView>;
/** A credential after a change, with the limits that differ for it. */
export type ChangedCredential = CredentialInfo & {
  readonly limits: NonNullable<CredentialChanges["limits"]>[number][];
};
/** An entry of the journal; `cause` is the sequence of the one that led to it. */
export type JournalEntryInfo = ReturnType<typeof entryView>;
/** Something that waits on the clock. */
export type TimerInfo = ReturnType<typeof timerView>;
/** A snapshot: the instant that it was taken at, and how many entries the journal had. */
export type SnapshotInfo = ReturnType<typeof snapshotView>;
/** A posting of the ledger. */
export type PostingInfo = ReturnType<typeof postingView>;
/** A call of `/v2`, with what the readiness report has to say about it. */
export type ServiceCallInfo = Wire<ReturnType<typeof requestView>>;
/** What `GET /ledger/check` answers. */
export type LedgerCheckInfo = ReturnType<typeof checkLedger>;
/** A loaded scenario: what its rules did, and how its expectations stand. */
export type ScenarioInfo = Wire<NonNullable<ReturnType<ScenarioEngine["describe"]>>>;
/** A fault rule that was set by hand, with how often it matched and struck. */
export type FaultInfo = Wire<ReturnType<typeof describeFaults>["rules"][number]>;
/** What `GET /explain/{id}` answers. */
export type ExplanationInfo = Explanation;
/** What `GET /coverage` answers. */
export type CoverageInfo = Coverage;
/** What `GET /report` answers. */
export type ReportInfo = ReadinessReport;
/** What `GET /export` answers. */
export type BundleInfo = Bundle;
/** How the replay of a bundle went. */
export type ReplayInfo = ReplayOutcome;

/** A resource of a lifecycle as it is listed: its state, and the actions that this allows. */
type Listed<Name extends LifecycleName, View> = Omit<View, "status" | "actions"> & {
  status: StateOf<Name>;
  actions: string[];
};

/** What the ledger, the clock and the journal know of a resource. */
type Known = ReturnType<typeof known>;

/** A cash-in or cash-out as it is listed; the last fields are there where they apply. */
export type TransactionSummary = Listed<"cashin" | "cashout", ReturnType<typeof transactionView>> & {
  /** BRL: the EMV text. */
  qr_code?: string;
  /** Crypto. */
  address?: string;
  /** MXN. */
  clabe?: string;
  confirmations?: number;
  /** Shares that go to other accounts once it is paid. */
  split?: readonly { username: string; percentage?: string; amount?: string }[];
  /** The fixed wallet that a deposit came into. */
  wallet_id?: number;
  /** Who gave a deposit into a fixed wallet, where that was said. */
  depositor?: { name: string | null; document: string | null };
  /** Why it failed, where that was said. */
  reason?: string;
  /** Why a cash-out failed. */
  error_code?: string;
  /** The same in a sentence. */
  error_message?: string;
};
/** All that is known of a cash-in or cash-out. */
export type TransactionInfo = TransactionSummary & Known;

/** A conversion as it is listed. */
export type ConversionSummary = Listed<"conversion", Wire<ReturnType<typeof conversionView>>>;
/** All that is known of a conversion. */
export type ConversionInfo = ConversionSummary & Known;

/** An internal transfer as it is listed. */
export type TransferSummary = Listed<"transfer", ReturnType<typeof transferView>>;
/** All that is known of an internal transfer. */
export type TransferInfo = TransferSummary & Known;

type WalletFields = ReturnType<typeof walletView>;
/** A fixed wallet as it is listed: `chain` of crypto, `key_type` and `qr_code` of BRL. */
export type WalletSummary = Listed<"wallet", Pick<WalletFields, keyof WalletFields>> & {
  chain?: string;
  key_type?: string;
  qr_code?: string;
};
/** All that is known of a fixed wallet. */
export type WalletInfo = WalletSummary & Known;

/** A dispute as it is listed. */
export type DisputeSummary = Listed<"dispute", ReturnType<typeof disputeView>>;
/** All that is known of a dispute. */
export type DisputeInfo = DisputeSummary & Known;

/** A file of a reply to a dispute. */
export interface DisputeFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array;
}

/** What `POST /clock/advance` answers. */
export interface AdvanceInfo {
  readonly from: string;
  readonly to: string;
  readonly reached: boolean;
  readonly timers: number;
  readonly webhooks: { readonly delivered: number; readonly failed: number; readonly pending: number };
  readonly trace: readonly JournalEntryInfo[];
  readonly trace_truncated?: true;
}

/** A webhook that the destination `sandbox://inbox` took. */
export interface InboxItem {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: which kind of webhook it is only shows when it is read.
  readonly body: any;
}

/** Every posting, and what they come to. */
export interface LedgerInfo {
  readonly postings: readonly PostingInfo[];
  readonly balances: readonly { readonly account: string; readonly currency: string; readonly balance: string }[];
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}
