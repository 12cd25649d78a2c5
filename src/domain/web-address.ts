/** Web addresses that users give. */

/**
 * An http or https address without surrounding blanks and trailing slashes. Null for any other text, and for an address
 * with credentials: they would take the `Authorization` header, which carries the token.
 */
export function webAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  return isWeb ? text.trim().replace(/(?<!\/)\/+$/, "") : null;
}

/** The end of the refusal of an address: it quotes what was given, with credentials masked. */
export function notSuch(text: string): string {
  const shown = text.replace(/^(\s*(?:[a-z][\w+.-]*:)?[/\\]*)[^/\\?#]*@/i, "$1***@");
  return shown === text ? `not ${JSON.stringify(text)}` : `not one with credentials, ${JSON.stringify(shown)}`;
}

/** {@link webAddress} for an address to which paths are appended: null also if it has a query or a fragment. */
export function baseAddress(text: string): string | null {
  return /[?#]/.test(text) ? null : webAddress(text);
}

/** The sandbox's root for the address of a world; any other address is returned as it is (interface, section 3). */
export function rootOf(address: string): string {
  return address.replace(/\/worlds\/[^/]+$/, "");
}
