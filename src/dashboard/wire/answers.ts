/** The answers of the control interface, by the names that the dashboard has for them: nothing but types. */
import type * as control from "../../client/control-types.ts";
import type { WebhookInfo } from "../../client/webhook-types.ts";

export type { Page, WorldInfo, WorldSummary } from "../../client/control-types.ts";

export type Account = control.AccountInfo;
export type AdvanceResult = control.AdvanceInfo;
export type Clock = control.ClockInfo;
export type Conversion = control.ConversionSummary;
export type Coverage = control.CoverageInfo;
export type CoverageSection = Coverage["sections"][number];
export type Credential = control.CredentialInfo;
export type Dispute = control.DisputeSummary;
export type Explanation = control.ExplanationInfo;
export type ExplainedEntry = Explanation["chain"][number];
export type FaultRule = control.FaultInfo;
export type InboxItem = control.InboxItem;
export type JournalEntry = control.JournalEntryInfo;
export type LedgerCheck = control.LedgerCheckInfo;
export type Posting = control.PostingInfo;
export type Report = control.ReportInfo;
export type ReportCheck = Report["checks"][number];
export type Scenario = control.ScenarioInfo;
export type ScenarioRule = Scenario["rules"][number];
export type Expectation = Scenario["expectations"][number];
export type ServiceRequest = control.ServiceCallInfo;
export type Snapshot = control.SnapshotInfo;
export type Timer = control.TimerInfo;
export type Transaction = control.TransactionSummary;
export type TransactionDetail = control.TransactionInfo;
export type Transfer = control.TransferSummary;
export type Wallet = control.WalletSummary;

/** A file of a reply: `GET /disputes/{id}/files/{number}` gives it, `size` is in bytes. */
export type ReplyFile = NonNullable<Dispute["reply"]>["files"][number];

/** What a detail has in addition to its own fields. */
export type Known = Pick<TransactionDetail, "postings" | "timers" | "journal">;

export type WebhookDetail = WebhookInfo;
export type Attempt = WebhookDetail["attempts"][number];
/** A webhook as a list has it. */
export type Webhook = Omit<WebhookDetail, "headers" | "attempts">;

/** `GET /ledger`. */
export type Ledger = control.Page<Posting> & Pick<control.LedgerInfo, "balances">;
