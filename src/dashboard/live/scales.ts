/** How many places the amounts of a currency have. */
import { atScale } from "../words/amounts.ts";
import { useSession } from "./session.ts";
import { useSignal } from "./signal.ts";

/** What gives an amount that came as a number its currency's places, as the balances of the world's accounts have them. */
export function useScaled(): (amount: unknown, currency: string) => string {
  const accounts = useSignal(useSession().info)?.accounts ?? [];
  const balances = accounts.flatMap((account) => account.balances);
  const scales = new Map(balances.map(({ currency, balance }) => [currency, balance.split(".")[1]?.length ?? 0]));
  return (amount, currency) => atScale(amount, scales.get(currency) ?? 0);
}
