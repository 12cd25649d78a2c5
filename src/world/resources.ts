/** Resources by their ids. */
import type { LifecycleName } from "../domain/lifecycles.ts";
import type { Conversion } from "../store/conversions.ts";
import type { Dispute } from "../store/disputes.ts";
import type { Transaction } from "../store/transactions.ts";
import type { Transfer } from "../store/transfers.ts";
import type { Wallet } from "../store/wallets.ts";
import type { World } from "./world.ts";

/** The resource type of each lifecycle. */
export interface Resources {
  readonly cashin: Transaction;
  readonly cashout: Transaction;
  readonly transfer: Transfer;
  readonly conversion: Conversion;
  readonly wallet: Wallet;
  readonly dispute: Dispute;
}

/** Finds a resource by its id, which is a text for wallets too; undefined if there is none. */
export type Finder<Resource> = (world: World, id: string) => Resource | undefined;

const transaction: Finder<Transaction> = ({ transactions }, id) => transactions.get(id);

/** TABLE: how each kind is found; cash-ins and cash-outs share one table. */
export const resourceBy: { readonly [Name in LifecycleName]: Finder<Resources[Name]> } = {
  cashin: transaction,
  cashout: transaction,
  transfer: ({ transfers }, id) => transfers.get(id),
  conversion: ({ conversions }, id) => conversions.get(id),
  wallet: ({ wallets }, id) => wallets.written(walletIdIn(id)),
  dispute: ({ disputes }, id) => disputes.get(id),
};

/** The id of a wallet without the prefix of envelopes: `1001` for `wallet_1001`. */
export function walletIdIn(text: string): string {
  return text.replace(/^wallet_/, "");
}
