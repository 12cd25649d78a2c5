/** Addresses of the web, as people give them. */

/** An http or https address without blanks around it and slashes at its end; null for what is none. */
export function webAddress(text: string): string | null {
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return isWeb ? text.trim().replace(/(?<!\/)\/+$/, "") : null;
}

/** The same of an address that paths are put behind: with a query or a fragment it is none. */
export function baseAddress(text: string): string | null {
  return /[?#]/.test(text) ? null : webAddress(text);
}

/** The root of the sandbox that a world's address is of; any other address is one itself (interface, section 3). */
export function rootOf(address: string): string {
  return address.replace(/\/worlds\/[^/]+$/, "");
}
