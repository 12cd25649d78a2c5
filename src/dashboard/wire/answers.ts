/** The answers of the control interface, by the names that the dashboard has for them: nothing but types. */
import type {
  CoverageInfo,
  DisputeSummary,
  ExplanationInfo,
  LedgerInfo,
  Page,
  PostingInfo,
  ReportInfo,
  ScenarioInfo,
  TransactionInfo,
} from "../../client/control-types.ts";
import type { WebhookInfo } from "../../client/webhook-types.ts";

export type {
  AccountInfo as Account,
  AdvanceInfo as AdvanceResult,
  ClockInfo as Clock,
  ConversionSummary as Conversion,
  CoverageInfo as Coverage,
  CredentialInfo as Credential,
  DisputeSummary as Dispute,
  ExplanationInfo as Explanation,
  FaultInfo as FaultRule,
  InboxItem,
  JournalEntryInfo as JournalEntry,
  LedgerCheckInfo as LedgerCheck,
  Page,
  PostingInfo as Posting,
  ReportInfo as Report,
  ScenarioInfo as Scenario,
  ServiceCallInfo as ServiceRequest,
  SnapshotInfo as Snapshot,
  TimerInfo as Timer,
  TransactionInfo as TransactionDetail,
  TransactionSummary as Transaction,
  TransferSummary as Transfer,
  WalletSummary as Wallet,
  WorldInfo,
  WorldSummary,
} from "../../client/control-types.ts";
export type { WebhookInfo as WebhookDetail } from "../../client/webhook-types.ts";

/** One kind of what can be exercised. */
export type CoverageSection = CoverageInfo["sections"][number];
/** A link of a chain of causes. */
export type ExplainedEntry = ExplanationInfo["chain"][number];
/** One check of the readiness report. */
export type ReportCheck = ReportInfo["checks"][number];
/** An expectation of a scenario, with its verdict. */
export type Expectation = ScenarioInfo["expectations"][number];
/** A file of a reply: `GET /disputes/{id}/files/{number}` gives it, `size` is in bytes. */
export type ReplyFile = NonNullable<DisputeSummary["reply"]>["files"][number];
/** What a detail has in addition to its own fields. */
export type Known = Pick<TransactionInfo, "postings" | "timers" | "journal">;
/** An attempt to deliver a webhook. */
export type Attempt = WebhookInfo["attempts"][number];
/** A webhook as far as lists show it. */
export type Webhook = Omit<WebhookInfo, "headers" | "attempts">;
/** `GET /ledger`. */
export type Ledger = Page<PostingInfo> & Pick<LedgerInfo, "balances">;
