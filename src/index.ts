/** What the package exports. Its types build on those of Node, which TypeScript 6 takes only where they are named. */
/// <reference types="node" preserve="true" />
export type { Accounts, BlockedAddresses, ExchangeRates } from "./client/accounts.ts";
export type { EntryWhere, ServiceCallWhere } from "./client/awaited.ts";
export { ControlCallError, UnreachableError } from "./client/control-client.ts";
export type * from "./client/control-requests.ts";
export type * from "./client/control-types.ts";
export type { FollowOptions } from "./client/follow.ts";
export { type Credentials, MerchantClient, ServiceCallError } from "./client/merchant-client.ts";
export type { Conversions, Disputes, Transactions, Transfers, Wallets } from "./client/resources.ts";
export { connectSandbox, SandboxClient, startSandbox } from "./client/sandbox-client.ts";
export type { Faults, Scenarios } from "./client/scripts.ts";
export type * from "./client/service-types.ts";
export { CreationError, ListenError, ScenarioError, ScenarioSourceError, StoreError } from "./client/start-errors.ts";
export type { StartOptions } from "./client/start-options.ts";
export type { TriggerOptions } from "./client/trigger.ts";
export { TriggerError } from "./client/trigger-error.ts";
export { WaitError, type WaitOptions } from "./client/waits.ts";
export type * from "./client/webhook-types.ts";
export type { ListOptions } from "./client/world-calls.ts";
export { WorldClient } from "./client/world-client.ts";
export { type ErrorCode, type ErrorRow, errorCatalogue } from "./domain/errors.ts";
export { type EventData, type EventKind, eventDefinitions, eventKinds, type LegacyEventName } from "./domain/events.ts";
export type { Settings } from "./domain/settings.ts";
