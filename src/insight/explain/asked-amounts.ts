/** What calls asked for, from their bodies. */
import { AmountError, formatAmount, parseDecimal, parseJsonNumber, toMinorUnits } from "../../domain/money.ts";
import { moneyOperations } from "../../domain/service-calls.ts";
import type { LoggedRequest } from "../../store/logged-calls.ts";
import type { World } from "../../world/world.ts";
import { objectIn } from "../json-object.ts";

/** The amount that a call asked for, which is what counts (`D49`); null if that is no amount. */
export function amountIn({ currencies }: World, call: LoggedRequest): string | null {
  const { amount } = objectIn(call.body.toString()) ?? {};
  const scale = currencies.scale(String(currencyOf(call)));
  try {
    const decimal = typeof amount === "number" ? parseJsonNumber(String(amount)) : parseDecimal(String(amount));
    return formatAmount(toMinorUnits(decimal, scale, "down"), scale);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}

/** The currency that a call named, as it is in the body; undefined if it named none. Other names in it are ignored. */
export function currencyOf({ path, body }: LoggedRequest): unknown {
  const { currency, base_currency } = objectIn(body.toString()) ?? {};
  return moneyOperations[path] === "conversion" ? base_currency : currency;
}
