/** Addresses of the web, as people give them. */

/**
 * An http or https address without blanks around it and slashes at its end; null for what is none, and for one with
 * credentials: tokens go into the header that those would take.
 */
export function webAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  return isWeb ? text.trim().replace(/(?<!\/)\/+$/, "") : null;
}

/** How the refusal of an address ends: with what was given, and nobody's password in it. */
export function notSuch(text: string): string {
  const shown = text.replace(/^(\s*(?:[a-z][\w+.-]*:)?[/\\]*)[^/\\?#]*@/i, "$1***@");
  return shown === text ? `not ${JSON.stringify(text)}` : `not one with credentials, ${JSON.stringify(shown)}`;
}

/** The same of an address that paths are put behind: with a query or a fragment it is none. */
export function baseAddress(text: string): string | null {
  return /[?#]/.test(text) ? null : webAddress(text);
}

/** The root of the sandbox that a world's address is of; any other address is one itself (interface, section 3). */
export function rootOf(address: string): string {
  return address.replace(/\/worlds\/[^/]+$/, "");
}
