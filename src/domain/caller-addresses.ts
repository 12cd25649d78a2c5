/** IP addresses of callers, normalized to one form however they are written (`D17`). */
import { isIP, SocketAddress } from "node:net";

/**
 * The canonical form of a caller's address: IPv6 in its short form, IPv4-mapped IPv6 as plain IPv4.
 * @param text an IPv4 or IPv6 address.
 */
export function canonicalAddress(text: string): string {
  const short = isIP(text) === 6 ? new SocketAddress({ address: text, family: "ipv6" }).address : text;
  return short.replace(/^::ffff:(?=\d+\.)/, "");
}
