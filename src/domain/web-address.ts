/** Web addresses: those that users give, and those of servers. */
import { allowedHostOf } from "./access.ts";
import { canonicalAddress } from "./caller-addresses.ts";

/** Where a server on all addresses is reached on its own machine. */
export const LOOPBACK = "127.0.0.1";

/** The host that a server listens on by default: only this machine reaches it there. */
export const DEFAULT_HOST = LOOPBACK;

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

/** Whether a host to listen on stands for every address of the machine; in URLs, an IPv6 one is in brackets. */
export function isEveryAddress(host: string): boolean {
  return /^(0\.0\.0\.0|::|\[::\])$/.test(host);
}

/**
 * A host to listen on, as clients name it in `Host`: 0.0.0.0 for `0`, 127.0.0.1 for `::ffff:127.0.0.1`. A link-local
 * address keeps its zone, without which nothing reaches it.
 */
export function canonicalHost(host: string): string {
  if (host.includes("%")) return host;
  if (host.includes(":")) return canonicalAddress(host);
  return allowedHostOf(host) ?? host;
}

/** The address of a server by the host that it listens on; one that listens on all addresses is reached at 127.0.0.1. */
export function serverAddress(host: string, port: number | string): string {
  const named = canonicalHost(host);
  return `http://${withPort(isEveryAddress(named) ? LOOPBACK : named, port)}`;
}

/** A host with a port, as the header `Host` has them; an IPv6 address is put in brackets. */
export function withPort(host: string, port: number | string): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
