/** Fixed wallets of the model and what is paid into them (D06, D42 to D44). */
import { insert, pay } from "./cashins.ts";
import { emit } from "./deliveries.ts";
import { isFiat, railOf, rails } from "./facts.ts";
import { instantText, type State, type Transaction, type Wallet } from "./state.ts";
import { schedule } from "./timers.ts";

/** Confirmations of a wallet's deposits. */
export function confirmationsOf(currency: string, chain: string | null): number {
  return rails.find((rail) => rail.currency === currency && rail.chain === chain)?.confirmations ?? 0;
}

export function provision(state: State, wallet: Omit<Wallet, "network">): void {
  const { network } = railOf(wallet.currency, wallet.chain);
  state.wallets.push({ ...wallet, network });
  emit(state, "wallet.created", wallet, {
    wallet_id: wallet.id,
    currency: wallet.currency,
    currency_type: isFiat(wallet.currency) ? "fiat" : "crypto",
    chain: wallet.chain,
    network,
    address: wallet.address,
    min_confirmations: confirmationsOf(wallet.currency, wallet.chain),
    created_at: instantText(state.now),
  });
}

/** Sent now, credited after the time that the method takes. */
export function deposit(
  state: State,
  wallet: Wallet,
  { id, amount, isInstant }: { id: string; amount: bigint; isInstant: boolean },
): Transaction {
  const { username, client, currency, chain } = wallet;
  const charge = { id, username, client, externalId: null, currency, chain, amount, postback: null, split: [] };
  const cashin = insert(state, { ...charge, source: "static", expiresAt: null, walletId: wallet.id });
  const { creditMs } = railOf(currency, chain);
  if (isInstant || creditMs === 0) pay(state, cashin);
  else schedule(state, { at: state.now + creditMs, kind: "credit", subject: id });
  return cashin;
}
