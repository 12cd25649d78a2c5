/** How many decimal places the amounts of a currency have. */
import { atScale } from "../words/amounts.ts";
import { useSession } from "./session.ts";
import { useSignal } from "./signal.ts";

/** A function that formats a numeric amount with its currency's decimal places, taken from the accounts' balances. */
export function useScaled(): (amount: unknown, currency: string) => string {
  const accounts = useSignal(useSession().info)?.accounts ?? [];
  const balances = accounts.flatMap((account) => account.balances);
  const scales = new Map(balances.map(({ currency, balance }) => [currency, balance.split(".")[1]?.length ?? 0]));
  return (amount, currency) => atScale(amount, scales.get(currency) ?? 0);
}
