/** Charges of a test, and what became of their webhooks. */
import type { WebhookInfo, WorldClient } from "../../src/index.ts";
import { Merchant } from "./merchant.ts";
import type { Receiver } from "./receiver.ts";

/** Where the clock of a test's world begins, in Unix seconds: `2026-01-01T12:00:00Z`. */
export const START_S = 1_767_268_800;

const CHARGE = { currency: "BRL", amount: "150.00" };

const SHARED_FIELDS = [
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
] as const;
const LAST_FIELDS = ["old_balance", "new_balance", "confirmed_at"] as const;

/** TABLE: the fields of `cashin.confirmed` in their order (`D67`). */
export const confirmedFields = {
  fiat: [...SHARED_FIELDS, "e2e_id", "payer", ...LAST_FIELDS],
  crypto: [...SHARED_FIELDS, "chain", "tx_hash", "confirmations", ...LAST_FIELDS],
} as const;

/** A pending charge of the default account, BRL 150.00 unless said otherwise. @returns its id. */
export async function makeCharge(world: WorldClient, body: object = {}): Promise<string> {
  const merchant = await Merchant.of(world);
  return chargeOf(merchant, body);
}

/** The same for a merchant that has its token. */
export async function chargeOf(merchant: Merchant, body: object = {}): Promise<string> {
  const answer = await merchant.cashin({ ...CHARGE, ...body });
  if (answer.status !== 200) throw new Error(`The charge was refused: ${answer.text}`);
  return answer.body.data.transaction_id;
}

/** A charge that is paid by hand; its webhook has been attempted once. @returns the webhook. */
export async function paidWebhook(world: WorldClient, body: object = {}): Promise<WebhookInfo> {
  const id = await makeCharge(world, body);
  await world.act(id, "pay");
  return webhookOf(world, id);
}

/** A transaction as the control interface shows it, its fields freely looked at. */
export function transactionOf(world: WorldClient, id: string): Promise<Record<string, unknown>> {
  return world.call("GET", `/transactions/${id}`);
}

/** The one webhook of a transaction. */
export async function webhookOf(world: WorldClient, transactionId: string): Promise<WebhookInfo> {
  const [webhook] = await world.webhooks({ transaction_id: transactionId });
  if (!webhook) throw new Error(`The transaction ${transactionId} has no webhook.`);
  return world.webhook(webhook.webhook_id);
}

/** Seconds from the start of the world's clock at which a receiver was called, by `X-Webhook-Timestamp`. */
export function secondsOf(receiver: Receiver): number[] {
  return receiver.received.map((webhook) => Number(webhook.headers["x-webhook-timestamp"]) - START_S);
}

/** The external ids of the webhooks that a receiver got, in order. */
export function externalIdsOf(receiver: Receiver): string[] {
  return receiver.received.map((webhook) => webhook.body.data.external_id);
}
