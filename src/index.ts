/** What the package exports. */
export {
  type AccountInfo,
  type AdvanceInfo,
  type BundleInfo,
  type ClockInfo,
  ControlCallError,
  type ExplanationInfo,
  type JournalEntryInfo,
  type LedgerCheckInfo,
  type Page,
  type ProbeOptions,
  type ReplayInfo,
  type ReportInfo,
  type SnapshotInfo,
  type TimerInfo,
  type TransactionInfo,
  type WebhookInfo,
  type WorldInfo,
  type WorldOptions,
} from "./client/control-client.ts";
export { connectSandbox, SandboxClient, type StartOptions, startSandbox } from "./client/sandbox-client.ts";
export { type Credentials, WorldClient } from "./client/world-client.ts";
export { type ErrorCode, errorCatalogue } from "./domain/errors.ts";
export { type EventData, type EventKind, eventDefinitions, eventKinds } from "./domain/events.ts";
export type { Settings } from "./domain/settings.ts";
export type { CashinRequest } from "./service/cashin.ts";
