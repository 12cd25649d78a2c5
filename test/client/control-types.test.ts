/** What the client says that control calls answer is what their OpenAPI document says; the compiler is the judge. */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type * as told from "../../src/client/control-types.ts";
import type { WebhookInfo } from "../../src/client/webhook-types.ts";
import type { answerParts, controlAnswers } from "../../src/control/document/answers.ts";

type Schemas = typeof controlAnswers & typeof answerParts;

/** TABLE: the client's types, by the names of the document. */
interface Told {
  World: told.WorldInfo;
  WorldSummary: told.WorldSummary;
  Clock: told.ClockInfo;
  Advance: told.AdvanceInfo;
  Timer: told.TimerInfo;
  Account: told.AccountInfo;
  Credential: told.CredentialInfo;
  ChangedCredential: told.ChangedCredential;
  Snapshot: told.SnapshotInfo;
  JournalEntry: told.JournalEntryInfo;
  Posting: told.PostingInfo;
  Transaction: told.TransactionSummary;
  TransactionDetail: told.TransactionInfo;
  Conversion: told.ConversionSummary;
  ConversionDetail: told.ConversionInfo;
  Transfer: told.TransferSummary;
  TransferDetail: told.TransferInfo;
  Wallet: told.WalletSummary;
  WalletDetail: told.WalletInfo;
  Dispute: told.DisputeSummary;
  DisputeDetail: told.DisputeInfo;
  Webhook: WebhookInfo;
  Request: told.ServiceCallInfo;
  LedgerCheck: told.LedgerCheckInfo;
  Explanation: told.ExplanationInfo;
  Coverage: told.CoverageInfo;
  Report: told.ReportInfo;
  Bundle: told.BundleInfo;
  Replay: told.ReplayInfo;
  TimerPage: told.Page<told.TimerInfo>;
  InboxItem: told.InboxItem;
  LedgerPage: told.Page<told.PostingInfo> & Pick<told.LedgerInfo, "balances">;
  Scenario: told.ScenarioInfo;
  Fault: told.FaultInfo;
}

/** Read only all the way down; what may be left out may be undefined. */
type Lasting<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Lasting<Value[Key]> | Left<Value, Key> }
  : Value;
type Left<Value, Key extends keyof Value> = object extends Pick<Value, Key> ? undefined : never;
type Described<Name extends keyof Told> = Lasting<z.output<Schemas[Name]>>;

/** The names whose types are not the same, whichever is the wider. */
type Apart = {
  [Name in keyof Told]: [Lasting<Told[Name]>] extends [Described<Name>]
    ? [Described<Name>] extends [Lasting<Told[Name]>]
      ? never
      : `${Name}: the document says more`
    : `${Name}: the client says more`;
}[keyof Told];

/** Answers that no type of the client stands for as a whole. */
type Untold = "BlockedIps" | "CreatedWorld" | "Faults" | "Health" | "OpenApi" | "Rates" | "Settings";

test("every answer of the document is compared, apart from pages and those without a type", () => {
  expectTypeOf<Exclude<keyof Schemas, keyof Told | `${string}Page`>>().toEqualTypeOf<Untold>();
});

test("the types of answers are those of the document", () => {
  expectTypeOf<Apart>().toEqualTypeOf<never>();
});
