/** TABLE: the views of the page, and what opens beside each. */
import type { ComponentType } from "preact";
import type { IconName } from "../parts/icon.tsx";
import { EntryView } from "../timeline/entry-view.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { Accounts } from "./accounts.tsx";
import { Conversions, ConversionView } from "./conversions.tsx";
import { CoverageView } from "./coverage.tsx";
import { Disputes, DisputeView } from "./disputes.tsx";
import { Faults } from "./faults.tsx";
import { Inbox } from "./inbox.tsx";
import { LedgerView } from "./ledger.tsx";
import { MagicValues } from "./magic-values.tsx";
import { Pending } from "./pending.tsx";
import { Rates } from "./rates.tsx";
import { Readiness } from "./readiness.tsx";
import { Requests, RequestView } from "./requests.tsx";
import { Scenarios } from "./scenarios.tsx";
import { Settings } from "./settings.tsx";
import { Snapshots } from "./snapshots.tsx";
import { Transactions, TransactionView } from "./transactions.tsx";
import { Transfers, TransferView } from "./transfers.tsx";
import { Wallets, WalletView } from "./wallets.tsx";
import { Webhooks, WebhookView } from "./webhooks.tsx";
import { Worlds } from "./worlds.tsx";

/** A view; `key` is its place in the hash, and what has a `detail` opens it beside the list. */
export interface View {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName;
  readonly component: ComponentType;
  readonly detail?: ComponentType<{ id: string }>;
  /** Shown in the bar of a narrow page; the others are in its menu. */
  readonly inBar?: boolean;
}

/** TABLE: in the order of the ways between them. */
export const groups: readonly { readonly title: string; readonly views: readonly View[] }[] = [
  {
    title: "Time",
    views: [
      { key: "timeline", title: "Time line", icon: "timeline", component: Timeline, detail: EntryView, inBar: true },
      { key: "pending", title: "Pending", icon: "clock", component: Pending },
    ],
  },
  {
    title: "Money",
    views: [
      {
        key: "transactions",
        title: "Charges",
        icon: "charge",
        component: Transactions,
        detail: TransactionView,
        inBar: true,
      },
      { key: "disputes", title: "Disputes", icon: "dispute", component: Disputes, detail: DisputeView },
      { key: "wallets", title: "Wallets", icon: "wallet", component: Wallets, detail: WalletView },
      { key: "transfers", title: "Transfers", icon: "transfer", component: Transfers, detail: TransferView },
      { key: "conversions", title: "Conversions", icon: "conversion", component: Conversions, detail: ConversionView },
      { key: "accounts", title: "Accounts", icon: "account", component: Accounts, inBar: true },
      { key: "ledger", title: "Ledger", icon: "ledger", component: LedgerView },
    ],
  },
  {
    title: "Integration",
    views: [
      { key: "webhooks", title: "Webhooks", icon: "webhook", component: Webhooks, detail: WebhookView, inBar: true },
      { key: "requests", title: "Requests", icon: "request", component: Requests, detail: RequestView },
      { key: "inbox", title: "Inbox", icon: "inbox", component: Inbox, detail: WebhookView },
      { key: "readiness", title: "Readiness", icon: "report", component: Readiness },
      { key: "coverage", title: "Coverage", icon: "coverage", component: CoverageView },
    ],
  },
  {
    title: "World",
    views: [
      { key: "scenarios", title: "Scenarios", icon: "scenario", component: Scenarios },
      { key: "magic-values", title: "Magic values", icon: "magic", component: MagicValues },
      { key: "faults", title: "Faults", icon: "fault", component: Faults },
      { key: "rates", title: "Rates", icon: "rates", component: Rates },
      { key: "snapshots", title: "Snapshots", icon: "snapshot", component: Snapshots },
      { key: "worlds", title: "Worlds", icon: "world", component: Worlds },
      { key: "settings", title: "Settings", icon: "settings", component: Settings },
    ],
  },
];

const views = new Map(groups.flatMap(({ views }) => views).map((view) => [view.key, view]));

/** The view of a place; undefined where a hash names none. */
export function viewOf(key: string): View | undefined {
  return views.get(key);
}
