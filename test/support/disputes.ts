/** Disputed charges of a test, and the merchant's replies to them. */
import type { WorldClient } from "../../src/index.ts";
import { chargeOf } from "./charges.ts";
import type { Answer, Merchant } from "./merchant.ts";

export const REPLY_PATH = "/v2/account/infractions/reply";

/** The smallest files of their kinds. */
export const pdf = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const jpeg = Buffer.from("ffd8ffe000104a46494600010101004800480000ffdb004300ffd9", "hex");

/** A pdf of exactly so many bytes. */
export function pdfOf(bytes: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(bytes - pdf.length, 32)]);
}

interface ReplyParts {
  readonly infraction_id?: string;
  readonly text?: string;
  readonly files?: readonly { readonly name: string; readonly content: Buffer; readonly type?: string }[];
}

/** Sends a reply as a browser would: a multipart form. */
export async function reply(merchant: Merchant, { files = [], ...fields }: ReplyParts): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, content, type = "application/octet-stream" } of files) {
    form.append("files", new Blob([new Uint8Array(content)], { type }), name);
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "";
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  return merchant.call("POST", REPLY_PATH, bytes, { "Content-Type": contentType });
}

/** What the merchant sees of its disputes. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
export async function infractionsOf(merchant: Merchant, query = ""): Promise<any[]> {
  const answer = await merchant.call("GET", `/v2/account/infractions${query}`);
  if (answer.status !== 200) throw new Error(`The disputes were refused: ${answer.text}`);
  return answer.body.data.items;
}

/** A paid PIX charge, BRL 150.00 unless said otherwise. @returns its id. */
export async function paidCharge(world: WorldClient, merchant: Merchant, body: object = {}): Promise<string> {
  const id = await chargeOf(merchant, body);
  await world.act(id, "pay");
  return id;
}

/** A dispute on a paid charge. @returns the ids of both. */
export async function openedDispute(world: WorldClient, merchant: Merchant, input: object = {}, body: object = {}) {
  const transactionId = await paidCharge(world, merchant, body);
  await world.act(transactionId, "dispute", input);
  const disputes = await world.all<{ infraction_id: string; transaction_id: string }>("/disputes");
  const own = disputes.find((dispute) => dispute.transaction_id === transactionId);
  if (!own) throw new Error(`The charge ${transactionId} has no dispute.`);
  return { transactionId, infractionId: own.infraction_id };
}

/** `win`, `lose` or `cancel`. */
export function decide(world: WorldClient, infractionId: string, decision: string): Promise<Record<string, unknown>> {
  return world.call("POST", `/disputes/${infractionId}/${decision}`, {});
}
