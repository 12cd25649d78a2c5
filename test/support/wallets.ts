/** Fixed wallets of a test, and what is sent to them. */
import type { TransactionInfo, WorldClient } from "../../src/index.ts";
import type { Answer, Merchant } from "./merchant.ts";

/** `POST /v2/transactions/wallet`. */
export function provision(merchant: Merchant, body: object): Promise<Answer> {
  return merchant.call("POST", "/v2/transactions/wallet", body);
}

/** A wallet that is there. @returns the data of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
export async function walletOf(merchant: Merchant, body: object): Promise<any> {
  const answer = await provision(merchant, body);
  if (answer.status !== 200) throw new Error(`The wallet was refused: ${answer.text}`);
  return answer.body.data;
}

/** Sends a deposit. @returns the cash-in that it is. */
export function deposit(world: WorldClient, walletId: number, input: object): Promise<TransactionInfo> {
  return world.call("POST", `/wallets/${walletId}/deposit`, input);
}
