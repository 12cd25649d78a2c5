/** TABLE: what a rule can be `on`, and the fields that its `where` may look at. */

import { attemptFieldNames } from "../domain/attempt-fields.ts";
import { type EventKind, eventDefinitions, eventKinds, legacyEventNames } from "../domain/events.ts";
import type { LifecycleName } from "../domain/lifecycles.ts";
import { TOKEN_CALL } from "../domain/service-calls.ts";
import type { disputeFields } from "../service/disputes.ts";
import type { transactionFields } from "../service/transactions.ts";
import type { StrikableRequest, StrikableWebhook } from "../world/interception.ts";
import { globOf } from "./conditions.ts";

/** TABLE: what fields that are objects consist of. */
const parts: ReadonlyMap<string, readonly string[]> = new Map([
  ["payer", ["name", "document"]],
  ["receiver", ["name", "document", "bank"]],
]);

/** Names of fields, each followed by the dotted paths into it. */
function withParts(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, ...(parts.get(name) ?? []).map((part) => `${name}.${part}`)]);
}

/** A record, so that the compiler checks that it has exactly the fields that the service shows. */
const transactionFieldTable: Readonly<Record<keyof ReturnType<typeof transactionFields>, true>> = {
  transaction_id: true,
  external_id: true,
  type: true,
  currency: true,
  currency_type: true,
  amount: true,
  fee: true,
  amount_net: true,
  status: true,
  source: true,
  network: true,
  chain: true,
  tx_hash: true,
  e2e_id: true,
  payer: true,
  wallet: true,
  key_type: true,
  hash: true,
  receiver: true,
  created_at: true,
  expires_at: true,
  confirmed_at: true,
  username: true,
};

/** Fields of a transaction, dotted paths included. */
export const transactionFieldNames: readonly string[] = withParts(Object.keys(transactionFieldTable));

/** A record, so that the compiler checks that it has exactly the fields that the service shows, and `username`. */
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

/** Fields of the sandbox's own triggers, which are not events. */
const ownTriggerFields: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["cashin.created", transactionFieldNames],
  ["cashout.created", transactionFieldNames],
  ["webhook.delivered", attemptFieldNames],
  ["webhook.failed", attemptFieldNames],
  ["webhook.exhausted", attemptFieldNames],
]);

/** What `on` takes: the sandbox's own triggers and the event kinds. */
export const triggerNames: readonly string[] = [...ownTriggerFields.keys(), ...eventKinds];

/** The message for one of the sandbox's own triggers where an event is wanted; null for any other word. */
export function toldToRulesAlone(word: unknown): string | null {
  const isSuch = typeof word === "string" && ownTriggerFields.has(word);
  return isSuch ? `cannot be "${word}": rules alone are told of that, no event of it is sent` : null;
}

/** The fields of a trigger, dotted paths included; undefined if there is no such trigger. */
export function triggerFields(trigger: string): readonly string[] | undefined {
  const kind = eventKinds.find((known) => known === trigger);
  return kind === undefined ? ownTriggerFields.get(trigger) : eventFields(kind);
}

/** Fields of a call to the service that a fault rule can look at; the body is not among them. */
const requestFieldTable: Readonly<Record<keyof StrikableRequest, true>> = {
  method: true,
  path: true,
  client_id: true,
  username: true,
};

/** Fields of a webhook that a fault rule can look at besides those of its data. */
const webhookFieldTable: Readonly<Record<keyof Omit<StrikableWebhook, "data">, true>> = {
  webhook_id: true,
  event: true,
  transaction_id: true,
  username: true,
  client_id: true,
};

/** The fields that `where` of a fault rule may look at; for deliveries, those of all event kinds that it names. */
export function struckFieldNames(struck: "request" | "delivery", pattern: string): string[] {
  if (struck === "request") return fieldsOfRequest(pattern);
  const own = Object.keys(webhookFieldTable);
  const glob = globOf(pattern);
  const named = eventKinds.filter((kind) => glob.test(kind) || glob.test(legacyEventNames[kind] ?? kind));
  return [...new Set([...own, ...(named.length > 0 ? named : eventKinds).flatMap(eventFields)])];
}

/** The fields of a call; those of {@link TOKEN_CALL} lack the caller, since it has no token yet. */
function fieldsOfRequest(pattern: string): string[] {
  const all = Object.keys(requestFieldTable);
  return pattern === TOKEN_CALL ? all.filter((name) => name !== "client_id" && name !== "username") : all;
}

/** What the steps of a trigger's rules act on; null if it depends on the webhook. */
export function triggerSubject(trigger: string): LifecycleName | null {
  const prefix = trigger.split(".")[0] ?? "";
  const subjects: Record<string, LifecycleName> = { wallet_deposit: "cashin", chargeback: "dispute" };
  if (prefix === "webhook") return null;
  return subjects[prefix] ?? (prefix as LifecycleName);
}

function eventFields(kind: EventKind): string[] {
  return [...withParts(Object.keys(eventDefinitions[kind].data.shape)), "username"];
}
