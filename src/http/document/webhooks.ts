/** What the OpenAPI document says of the seventeen event kinds: the `webhooks` section. */
import { z } from "zod";
import { type EventKind, eventDefinitions, eventKinds, legacyEventNames } from "../../domain/events.ts";
import { ATTEMPT_DELAYS_MS } from "../../domain/webhook-schedule.ts";
import { capitalized } from "../../domain/words/capitalized.ts";
import { joined } from "../../domain/words/near-name.ts";
import { REFUND_ID } from "./fields.ts";
import { header } from "./requests.ts";
import { answerSchema, type Json, sampleOf } from "./schemas.ts";

/**
 * TABLE: rows of `domain/decisions.ts` that bear on a kind, fields that they made up, and what differs in its example.
 */
const notes: Partial<Record<EventKind, { decisions: readonly string[]; madeUp?: Json; sample?: Json }>> = {
  "cashin.confirmed": { decisions: ["D44", "D67"], madeUp: { confirmations: "D67" } },
  "cashin.refunded": {
    decisions: ["D54", "D54a"],
    sample: { transaction_id: REFUND_ID, old_balance: "10148.50", new_balance: "9998.50" },
  },
  "cashin.expired": { decisions: ["D32"] },
  "cashout.confirmed": { decisions: ["D67"] },
  "cashout.failed": { decisions: ["D08"] },
  "cashout.refunded": {
    decisions: ["D54a"],
    sample: { transaction_id: REFUND_ID, reason: "PROVIDER_REVERSAL" },
  },
  "transfer.confirmed": { decisions: ["D39"], sample: { new_balance: "10150.00" } },
  "conversion.confirmed": { decisions: ["D40a", "D40b"], sample: { fee: "0.185000" } },
  "conversion.refunded": {
    decisions: ["D40b"],
    sample: { conversion_id: REFUND_ID, reason: "SUPPORT_MANUAL_REVERSAL" },
  },
  "wallet.created": { decisions: ["D06"], sample: { currency: "USDT", currency_type: "crypto", network: "TRC20" } },
  "chargeback.opened": { decisions: ["D52"], sample: { reason: "Product not received" } },
  "chargeback.confirmed": { decisions: ["D54", "D55"] },
  "chargeback.responded": { decisions: ["D55"] },
  "chargeback.lost": { decisions: ["D53", "D54"] },
  wallet_deposit: {
    decisions: ["D44", "D66"],
    sample: { currency: "USDT", amount_net: "148.500000", fee: "1.500000", tx_hash: "9f86d081884c7d65".repeat(4) },
  },
};

/** The headers of every webhook (Delivery). */
export const webhookParameters = {
  WebhookId: header("X-Webhook-Id", "Identifier of the event, the same over its attempts (D62).", {
    type: "string",
    pattern: "^evt_[0-9a-z]{24}$",
  }),
  WebhookTimestamp: header("X-Webhook-Timestamp", "Unix seconds of the attempt (D62).", {
    type: "string",
    pattern: "^\\d+$",
  }),
  Sandbox: header("X-Sandbox", "To be rejected by production systems.", { type: "string", const: "1" }),
};

/** `cashin.confirmed` gives `CashinConfirmed`. */
const titleOf = (name: string) => name.split(/[._]/).map(capitalized).join("");

/** A kind under one of its names. */
type Named = readonly [kind: EventKind, name: string];

/** Every kind under its own name; with the setting `legacy_refund_events` two go by others too (`D55`). */
function namedKinds(hasLegacyNames: boolean): Named[] {
  const own = eventKinds.map((kind): Named => [kind, kind]);
  const legacy = Object.entries(legacyEventNames) as Named[];
  return hasLegacyNames ? [...own, ...legacy] : own;
}

/** The body of every kind: the V2 envelope, or the flat body of `wallet_deposit` (`D66`). */
export function webhookSchemas(hasLegacyNames: boolean): Json {
  const named = namedKinds(hasLegacyNames);
  return Object.fromEntries(named.map(([kind, name]) => [`${titleOf(name)}Webhook`, eventSchema(kind, name)]));
}

/** The JSON Schema of the body of a kind, under one of its names. */
export function eventSchema(kind: EventKind, name: string = kind): Json {
  const { data, enveloped } = eventDefinitions[kind];
  const body = enveloped
    ? z.strictObject({ event: z.literal(name), timestamp: z.string(), transaction_id: z.string(), data })
    : data;
  const schema = answerSchema(body);
  if (!enveloped) return schema;
  const properties = schema.properties as Record<string, Json>;
  const timestamp = {
    ...properties.timestamp,
    format: "date-time",
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+00:00$",
    "x-sandbox-decision": "D27",
  };
  const transactionId = { ...properties.transaction_id, description: "Mirror of data.transaction_id." };
  const marked = markMadeUp(properties.data ?? {}, notes[kind]?.madeUp ?? {});
  return { ...schema, properties: { ...properties, timestamp, transaction_id: transactionId, data: marked } };
}

function markMadeUp(data: Json, madeUp: Json): Json {
  const members = Object.entries(data.properties as Record<string, Json>);
  const mark = (name: string) => (madeUp[name] ? { "x-sandbox-decision": madeUp[name] } : {});
  return {
    ...data,
    properties: Object.fromEntries(members.map(([name, member]) => [name, { ...member, ...mark(name) }])),
  };
}

/** Rows of the decisions that bear on a kind. */
export function decisionsOfEvent(kind: EventKind): readonly string[] {
  return notes[kind]?.decisions ?? [];
}

function exampleOf([kind, name]: Named): Json {
  const body = sampleOf(eventSchema(kind, name)) as Json;
  const sample = notes[kind]?.sample ?? {};
  if (!eventDefinitions[kind].enveloped) return { ...body, ...sample };
  const data = { ...(body.data as Json), ...sample };
  const { transaction_id: id = data.conversion_id ?? `wallet_${data.wallet_id}` } = data;
  return { ...body, timestamp: "2026-01-01T12:00:00.000+00:00", transaction_id: id, data };
}

/** The `webhooks` section. */
export function webhooks(hasLegacyNames: boolean): Json {
  return Object.fromEntries(namedKinds(hasLegacyNames).map((named) => [named[1], { post: operationOf(named) }]));
}

function operationOf([kind, name]: Named): Json {
  const named = header("X-Webhook-Event", "Name of the event.", { type: "string", const: name });
  const others = Object.keys(webhookParameters).map((each) => ({ $ref: `#/components/parameters/${each}` }));
  const decisions = decisionsOfEvent(kind);
  const schema = { $ref: `#/components/schemas/${titleOf(name)}Webhook` };
  const delays = joined(ATTEMPT_DELAYS_MS.slice(1).map((delayMs) => String(delayMs / 1000)));
  return {
    operationId: `on${titleOf(name)}`,
    tags: ["Webhooks"],
    summary: eventDefinitions[kind].description,
    description: "Sent to the postback_url of the transaction or credential; any 2xx accepts it.",
    ...(decisions.length > 0 ? { "x-sandbox-decisions": decisions } : {}),
    security: [],
    parameters: [named, ...others],
    requestBody: { required: true, content: { "application/json": { schema, example: exampleOf([kind, name]) } } },
    responses: {
      "2XX": { description: "Accepted." },
      default: { description: `Not accepted: it is sent again after ${delays} s.` },
    },
  };
}
