/** TABLE: what a rule can be `on`, and the fields that its `where` may look at. */
import { attemptFieldNames } from "../domain/attempt-fields.ts";
import { type EventKind, eventDefinitions, eventKinds } from "../domain/events.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import type { disputeFields } from "../service/disputes.ts";
import { globOf } from "./conditions.ts";

/** Fields of a transaction, dotted paths included. */
export const transactionFieldNames: readonly string[] = [
  "transaction_id",
  "external_id",
  "type",
  "currency",
  "currency_type",
  "amount",
  "fee",
  "amount_net",
  "status",
  "source",
  "network",
  "chain",
  "tx_hash",
  "e2e_id",
  "payer",
  "payer.name",
  "payer.document",
  "wallet",
  "key_type",
  "hash",
  "receiver",
  "receiver.name",
  "receiver.document",
  "receiver.bank",
  "created_at",
  "expires_at",
  "confirmed_at",
  "username",
];

/** Those that the service shows, no more and no fewer. */
const disputeFieldTable: Readonly<Record<keyof ReturnType<typeof disputeFields> | "username", true>> = {
  infraction_id: true,
  transaction_id: true,
  type: true,
  status: true,
  amount: true,
  currency: true,
  e2e_id: true,
  deadline_at: true,
  reason: true,
  reply_id: true,
  created_at: true,
  username: true,
};

/** Fields of a dispute. */
export const disputeFieldNames: readonly string[] = Object.keys(disputeFieldTable);

/** What the sandbox tells of beside the events. */
const ownTriggerFields: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["cashin.created", transactionFieldNames],
  ["cashout.created", transactionFieldNames],
  ["webhook.delivered", attemptFieldNames],
  ["webhook.failed", attemptFieldNames],
  ["webhook.exhausted", attemptFieldNames],
]);

/** What `on` takes: the event kinds, and what the sandbox tells of beside them. */
export const triggerNames: readonly string[] = [...ownTriggerFields.keys(), ...eventKinds];

/** What is wrong with a word where an event is wanted, if rules alone are told of what it names; else null. */
export function toldToRulesAlone(word: unknown): string | null {
  const isSuch = typeof word === "string" && ownTriggerFields.has(word);
  return isSuch ? `cannot be "${word}": rules alone are told of that, no event of it is sent` : null;
}

/** The fields of a trigger, dotted paths included; undefined where there is no such trigger. */
export function triggerFields(trigger: string): readonly string[] | undefined {
  const kind = eventKinds.find((known) => known === trigger);
  return kind === undefined ? ownTriggerFields.get(trigger) : eventFields(kind);
}

/** Fields of a call of the service that a fault rule looks at: its body is not among them. */
const requestFieldNames = ["method", "path", "client_id", "username"] as const;

/** The fields that `where` of a fault rule may look at; those of an event for every kind that its pattern names. */
export function struckFieldNames(struck: "request" | "delivery", pattern: string): string[] {
  if (struck === "request") return [...requestFieldNames];
  const own = ["webhook_id", "event", "transaction_id", "username", "client_id"];
  const named = eventKinds.filter((kind) => globOf(pattern).test(kind));
  return [...new Set([...own, ...(named.length > 0 ? named : eventKinds).flatMap(eventFields)])];
}

/** What steps act on, by trigger; null where it depends on the webhook. */
export function triggerSubject(trigger: string): LifecycleName | null {
  const prefix = trigger.split(".")[0] ?? "";
  const subjects: Record<string, LifecycleName> = { wallet_deposit: "cashin", chargeback: "dispute" };
  if (prefix === "webhook") return null;
  return subjects[prefix] ?? (prefix as LifecycleName);
}

function eventFields(kind: EventKind): string[] {
  const names = Object.keys(eventDefinitions[kind].data.shape);
  const nested = [
    ...(names.includes("payer") ? ["payer.name", "payer.document"] : []),
    ...(names.includes("receiver") ? ["receiver.name", "receiver.document", "receiver.bank"] : []),
  ];
  return [...names, ...nested, "username"];
}
