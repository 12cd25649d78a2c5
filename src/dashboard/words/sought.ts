/** What a search finds. */
import { moneyText } from "./amounts.ts";
import { resourceName } from "./entries.ts";
import { stateText, statusText } from "./tones.ts";

/** Whether an item's JSON contains a text, either as typed or escaped as in JSON. */
export function says(lowerCaseJson: string, words: string): boolean {
  return lowerCaseJson.includes(words) || lowerCaseJson.includes(JSON.stringify(words).slice(1, -1));
}

/** The fields that lists show in another form than the answer has. */
interface Shown {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly method?: unknown;
  readonly path?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly amount_from?: unknown;
  readonly currency_from?: unknown;
  readonly amount_to?: unknown;
  readonly currency_to?: unknown;
}

/** Writes an amount that may be a number with all places of its currency. */
type Scaled = (amount: unknown, currency: string) => string;

/**
 * What an item of a list is searched by: its JSON, and what of it is shown in other words; in lower case.
 * @param scaled writes amounts as they are shown.
 */
export function soughtText(item: object, scaled: Scaled): string {
  const { type, status, method, path, ...money } = item as Shown;
  const words = [
    typeof type === "string" && resourceName(type),
    typeof status === "string" && stateText(status),
    typeof status === "number" && statusText(status),
    method && path && `${method} ${path}`,
    ...moneyWords(money.amount, money.currency, scaled),
    ...moneyWords(money.amount_from, money.currency_from, scaled),
    ...moneyWords(money.amount_to, money.currency_to, scaled),
  ];
  return [JSON.stringify(item), ...words.filter(Boolean)].join("\n").toLowerCase();
}

/** An amount as it is shown, and as it is typed: without separators of groups, and as short as JSON has it. */
function moneyWords(amount: unknown, currency: unknown, scaled: Scaled): string[] {
  if (amount === undefined || typeof currency !== "string") return [];
  const shown = scaled(amount, currency);
  return [moneyText(shown, currency), `${shown} ${currency}`, `${amount} ${currency}`];
}
