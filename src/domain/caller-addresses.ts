/** Addresses of callers: one form of each, however somebody writes it (`D17`). */
import { isIP, SocketAddress } from "node:net";

/**
 * An address as callers are known by it: IPv6 in its short form, an IPv4 one that is mapped into it as IPv4.
 * @param text an IPv4 or IPv6 address.
 */
export function canonicalAddress(text: string): string {
  const short = isIP(text) === 6 ? new SocketAddress({ address: text, family: "ipv6" }).address : text;
  return short.replace(/^::ffff:(?=\d+\.)/, "");
}
