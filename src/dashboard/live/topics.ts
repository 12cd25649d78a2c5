/** TABLE: which answers of the control interface a journal entry makes out of date. */
import type { JournalEntry } from "../wire/answers.ts";

/** The lists that a transition of each kind of resource changes; money shows in accounts and ledger. */
const byResource: Readonly<Record<string, readonly string[]>> = {
  cashin: ["transactions", "accounts", "ledger"],
  cashout: ["transactions", "accounts", "ledger"],
  conversion: ["conversions", "accounts", "ledger"],
  transfer: ["transfers", "accounts", "ledger"],
  wallet: ["wallets"],
  // A dispute disables its charge's actions, and enables them again.
  dispute: ["disputes", "transactions", "accounts", "ledger"],
};

const byKind: readonly { readonly kind: RegExp; readonly topics: readonly string[] }[] = [
  { kind: /^request$/, topics: ["requests", "report"] },
  { kind: /^webhook\./, topics: ["webhooks", "inbox", "report"] },
  { kind: /^(account|credential)\./, topics: ["accounts", "ledger"] },
  // A step may put a fault on.
  { kind: /^(rule|step|scenario)/, topics: ["scenarios", "faults"] },
  { kind: /^rates\./, topics: ["rates"] },
  { kind: /^fault/, topics: ["faults"] },
];

const byCall: readonly { readonly call: RegExp; readonly topics: readonly string[] }[] = [
  { call: / \/(accounts|credentials)/, topics: ["accounts"] },
  { call: / \/faults/, topics: ["faults"] },
  { call: / \/rates/, topics: ["rates"] },
  { call: / \/scenarios/, topics: ["scenarios"] },
];

/** The topic that stands for all of them. */
export const EVERYTHING = "everything";

/**
 * The topic of what may change without an entry that tells of it, as time passes: every entry touches it, and so does
 * every reading of the clock, as when an advance ends or a timer passes.
 */
export const CLOCK = "clock";

/** Whether one of these topics was touched. */
export function concerns(touched: ReadonlySet<string>, topics: readonly string[]): boolean {
  return touched.has(EVERYTHING) || topics.some((topic) => touched.has(topic));
}

/** The topic of one thing: everything known about it. */
export function topicOf(id: string): string {
  return `of ${id}`;
}

/** The topics that an entry touches. */
export function topicsOf({ kind, subject, data }: JournalEntry): string[] {
  const touched = [CLOCK, "coverage"];
  if (subject) touched.push(topicOf(subject));
  if (typeof data.webhook_id === "string") touched.push(topicOf(data.webhook_id));
  if (kind === "transition") touched.push(...(byResource[String(data.resource)] ?? []));
  for (const row of byKind) if (row.kind.test(kind)) touched.push(...row.topics);
  if (kind === "control") for (const row of byCall) if (row.call.test(String(data.call))) touched.push(...row.topics);
  return touched;
}
