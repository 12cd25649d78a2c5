/** What the dashboard takes the answers of the control interface to be is what they are: the compiler compares. */
import { expect, test } from "vitest";
import type {
  AccountInfo,
  AdvanceInfo,
  ClockInfo,
  JournalEntryInfo,
  LedgerCheckInfo,
  TransactionInfo,
  WebhookInfo,
  WorldInfo,
} from "../../src/client/control-client.ts";
import type * as shown from "../../src/dashboard/wire/answers.ts";
import { playMorning } from "../browser/traffic.ts";
import { useSandbox } from "../support/sandbox.ts";

/** Each answer, and what the dashboard reads it as. */
type Pairs = [
  [WorldInfo, shown.WorldInfo],
  [ClockInfo, shown.Clock],
  [AccountInfo, shown.Account],
  [JournalEntryInfo, shown.JournalEntry],
  [LedgerCheckInfo, shown.LedgerCheck],
  [AdvanceInfo, shown.AdvanceResult],
  [WebhookInfo, shown.WebhookDetail],
  [Pick<TransactionInfo, keyof shown.Known>, shown.Known],
];
type Agree<All extends readonly [unknown, unknown][]> = {
  [Index in keyof All]: All[Index] extends [infer Answer, infer Read] ? (Answer extends Read ? true : Read) : never;
};
const agreed: Agree<Pairs> = [true, true, true, true, true, true, true, true];

const file = useSandbox();

/** TABLE: the lists whose answers have no type of their own, and the fields that the dashboard cannot do without. */
const lists: readonly (readonly [path: string, fields: readonly string[]])[] = [
  ["/transactions", ["transaction_id", "external_id", "type", "status", "amount", "currency", "network", "actions"]],
  ["/disputes", ["infraction_id", "transaction_id", "status", "amount", "deadline_at", "reply", "actions"]],
  ["/wallets", ["wallet_id", "address", "currency", "network", "status", "actions"]],
  ["/transfers", ["transaction_id", "amount", "currency", "sender", "recipient", "split_of", "actions"]],
  ["/conversions", ["conversion_id", "amount_from", "amount_to", "rate", "fee", "spread", "status", "actions"]],
  ["/requests", ["request_id", "at", "method", "path", "status", "headers", "body", "response", "findings"]],
  ["/webhooks", ["webhook_id", "event", "transaction_id", "subject", "destination", "status", "body"]],
  ["/inbox", ["at", "headers", "body"]],
  ["/timers", ["id", "at", "kind", "subject", "rule", "recurring"]],
  ["/ledger", ["id", "at", "subject", "source", "destination", "currency", "amount"]],
  ["/scenarios", ["name", "description", "file", "status", "problems", "rules", "expectations"]],
  ["/snapshots", ["name", "at"]],
];

test("every list has the fields that the dashboard reads", async () => {
  expect(agreed).not.toContain(false);
  const world = await file.world({ scenarios: ["happy-path", "magic-values"], postback_url: "sandbox://inbox" });
  await playMorning(world);
  await world.call("POST", "/snapshots", { name: "morning" });
  for (const [path, fields] of lists) {
    const [item] = await world.all<object>(path);
    expect([path, Object.keys(item ?? {})]).toEqual([path, expect.arrayContaining([...fields])]);
  }
});
