/** Amounts, as they are read: never through a double. */

/** `10 000.00`: groups of three, by narrow spaces that a copy leaves out of programs' way. */
export function amountText(amount: unknown): string {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(String(amount)) ?? [];
  if (whole === "") return String(amount);
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + fraction;
}

/** `150.00 BRL`. */
export function moneyText(amount: unknown, currency: string): string {
  return `${amountText(amount)} ${currency}`;
}

/** `1 kB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 timer`, `2 timers`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
