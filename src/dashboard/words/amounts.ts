/** Amounts, as they are read. */

/** Formats the numbers of a conversion, the smallest of which would otherwise have an exponent. */
const withoutExponent = new Intl.NumberFormat("en-US", { useGrouping: false, maximumSignificantDigits: 15 });

/** The separator between groups of digits. */
const BETWEEN_GROUPS = /(?<=\d)\u202f(?=\d{3})/g;

/** A typed amount, or one copied from the page, without the separators of its groups. */
export function plainAmount(typed: string): string {
  return typed.trim().replaceAll(BETWEEN_GROUPS, "");
}

function plainText(amount: unknown): string {
  const isTiny = typeof amount === "number" && Math.abs(amount) < 1e-6;
  return isTiny ? withoutExponent.format(amount) : String(amount);
}

/** The rates typed with another value than the current one. */
export function changedRates(
  rates: Readonly<Record<string, string>>,
  typed: (currency: string) => string,
): Record<string, string> {
  const given = Object.keys(rates).map((currency) => [currency, plainAmount(typed(currency))] as const);
  return Object.fromEntries(given.filter(([currency, text]) => text !== rates[currency]));
}

/** `10 000.00`: groups of three, parted by narrow spaces. */
export function amountText(amount: unknown): string {
  const text = plainText(amount);
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  if (whole === "") return text;
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + fraction;
}

/** The amount with as many places as its currency has: `0.001386` and 8 give `0.00138600`; one with more keeps them. */
export function atScale(amount: unknown, scale: number): string {
  const [whole = "", fraction = ""] = plainText(amount).split(".");
  if (!/^-?\d+$/.test(whole) || scale === 0) return plainText(amount);
  return `${whole}.${fraction.padEnd(scale, "0")}`;
}

/** `150.00 BRL`. */
export function moneyText(amount: unknown, currency: string): string {
  return `${amountText(amount)} ${currency}`;
}

/** `512 B`, `1.5 kB`, `2.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  // From here on it would be written as 1000.0 kB.
  return bytes < 999_950 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
