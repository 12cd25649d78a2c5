/** Where webhooks may go: the rules of `postback_url` (`D63`). */
import { MAX_PORT } from "./bounds.ts";
import { canonicalAddress } from "./caller-addresses.ts";
import type { Settings } from "./settings.ts";
import { isEveryAddress, LOOPBACK } from "./web-address.ts";
import { asQuestion } from "./words/near-name.ts";

/** The built-in destination: it stores webhooks inside the world and answers 200. */
export const INBOX = "sandbox://inbox";

/** Most characters of a destination. */
export const MAX_DESTINATION = 2048;
// Node's URL parser is more lenient: it accepts `https:///h` and `http:h` as if they named a host, and strips blanks.
const WITH_HOST = /^https?:\/\/[^\s/\\]\S*$/i;
// Anchored at both ends: `10.example.com` is a public name.
const PRIVATE_IPV4 = /^(127|10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)(\.\d+)+$/;
const PRIVATE_IPV6 = /^\[(::1\]|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;
// The names by which containers reach their host, such as `host.docker.internal`, end in `internal` too.
const LOCAL_NAMES = /(^|\.)(localhost|internal)$/i;
// A fully qualified name with its trailing dot, within the length limit of the Domain Name System.
const FULL_NAME = /^.{0,252}[a-z]\.$/i;
// Digits alone are excluded: they are an IPv4 address written as one number.
const SINGLE_LABEL = /^(?!\d+$)[a-z0-9_-]+$/i;

/** TABLE: by `webhook_targets`, the refusal of a text that is no http or https URL, such as one without a scheme. */
const noUrl: Readonly<Record<Settings["webhook_targets"], string>> = {
  local: "must be an https URL, or on a local host an http URL such as http://localhost:3000/webhooks",
  strict: "must be an https URL",
  any: "must be an https or http URL",
};

/** What no destination may be, whether its text is a URL or not, in words as of {@link destinationFault}. */
export function textFault(text: string): string | null {
  if (text.length > MAX_DESTINATION) return `must be at most ${MAX_DESTINATION} characters`;
  return /\s/.test(text) ? "must be a URL without blanks" : null;
}

/**
 * Why a URL may not be a webhook destination; the sentence begins with the name of its field. Null when it may.
 */
export function destinationFault(text: string, targets: Settings["webhook_targets"]): string | null {
  if (text === INBOX) return null;
  const fault = textFault(text);
  if (fault !== null) return fault;
  const url = WITH_HOST.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (!url) return portFault(text) ?? noUrl[targets];
  if (url.username || url.password) return "must not carry credentials";
  if (url.protocol === "https:" || targets === "any") return null;
  if (targets === "strict") return "must be an https URL; http is rejected";
  if (isLocalHost(url.hostname) || isLocalHostInFull(url.hostname)) return null;
  return `must be an https URL; plain http is let through to local hosts only${reachedAt(url)}`;
}

/** {@link destinationFault} of a default, with {@link INBOX} if that was meant: answers of `/v2` do not name it (`R4`). */
export function defaultDestinationFault(text: string, targets: Settings["webhook_targets"]): string | null {
  const fault = destinationFault(text, targets);
  return fault === null || !/^sandbox:/i.test(text) ? fault : fault + asQuestion(INBOX);
}

/** What is wrong with a URL that has a port with a number that none has; null for any other text. */
export function portFault(text: string): string | null {
  const [, port] = /^https?:\/\/[^/?#]+:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
  return Number(port) > MAX_PORT ? `must have a port of at most ${MAX_PORT}` : null;
}

/** Hint for a wildcard address, else empty: many servers print the address that they listen on as the one to open. */
function reachedAt(url: URL): string {
  if (!isEveryAddress(url.hostname)) return "";
  const { href } = Object.assign(new URL(url), { hostname: LOOPBACK });
  return `; what listens at ${url.hostname} is reached at ${href}`;
}

/** Whether a host name stays on this machine or its private networks. */
export function isLocalHost(hostname: string): boolean {
  return (
    PRIVATE_IPV4.test(hostname) ||
    PRIVATE_IPV6.test(hostname) ||
    LOCAL_NAMES.test(hostname) ||
    SINGLE_LABEL.test(hostname)
  );
}

/**
 * {@link isLocalHost} for a name with a trailing dot or an IPv4-mapped address. For destinations only: incoming calls
 * are let in by {@link isLocalHost} alone.
 */
function isLocalHostInFull(hostname: string): boolean {
  const plain = plainHost(hostname);
  return PRIVATE_IPV4.test(plain) || LOCAL_NAMES.test(plain);
}

/** The usual form of a URL's host: a name without its trailing dot, IPv4-mapped IPv6 as plain IPv4. */
export function plainHost(hostname: string): string {
  const [, ipv6] = /^\[(.+)\]$/.exec(hostname) ?? [];
  if (ipv6 === undefined) return FULL_NAME.test(hostname) ? hostname.slice(0, -1) : hostname;
  const address = canonicalAddress(ipv6);
  return address.includes(":") ? hostname : address;
}
