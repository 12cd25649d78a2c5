/** The source addresses of webhooks, one for each address family (Authentication, item 5; `D64`). */
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { type AddressInfo, BlockList, createServer, isIP } from "node:net";
import { canonicalAddress } from "../domain/caller-addresses.ts";
import { UserError } from "../domain/user-error.ts";
import { isEveryAddress } from "../domain/web-address.ts";

/** By family; null leaves the choice to the machine. */
export interface SourceAddresses {
  readonly ipv4: string | null;
  readonly ipv6: string | null;
}

/** A way to a host: one of its addresses, and the local address to connect from. */
export interface Route {
  readonly hostname: string;
  readonly localAddress: string;
}

/** A source address that nothing can be sent from; the message names the option of the command line, and says why. */
export class SourceAddressError extends UserError {
  override readonly name = "SourceAddressError";
  /** Which of the addresses it is. */
  readonly field: keyof SourceAddresses;
  /** What is wrong with it, worded to follow its name. */
  readonly fault: string;

  constructor(field: keyof SourceAddresses, fault: string) {
    super(`--webhook-source-${field} ${fault}`);
    this.field = field;
    this.fault = fault;
  }
}

/** TABLE: the families of addresses. */
const FAMILIES = [
  { family: 4, field: "ipv4", label: "IPv4" },
  { family: 6, field: "ipv6", label: "IPv6" },
] as const;

/** Sources with this address alone, under its own family, however it is written; both null if it is no IP address. */
export function onlySource(address: string): SourceAddresses {
  const plain = canonicalAddress(address);
  if (isIP(plain) === 4) return { ipv4: plain, ipv6: null };
  // As given: the canonical form has no zone, such as that of fe80::1%eth0.
  return { ipv4: null, ipv6: isIP(address) === 6 ? address : null };
}

/** Whether two IP addresses are the same, however they are written. */
export function isSameAddress(one: string, other: string): boolean {
  return canonicalAddress(one) === canonicalAddress(other);
}

/**
 * Whether webhooks come from an address anyway, however it is written. Without a source, webhooks to this machine come
 * from 127.0.0.1 or ::1.
 */
export function isUsualSource(address: string, { ipv4, ipv6 }: SourceAddresses): boolean {
  return [ipv4 ?? "127.0.0.1", ipv6 ?? "::1"].some((usual) => isSameAddress(usual, address));
}

/** @throws {SourceAddressError} when an address is not of its family, or not one of this machine. */
export async function checkSourceAddresses(sources: SourceAddresses): Promise<void> {
  for (const { family, field, label } of FAMILIES) {
    const address = sources[field];
    if (address === null) continue;
    if (isIP(address) !== family) {
      throw new SourceAddressError(field, `must be an ${label} address of this machine, not "${address}".`);
    }
    const fault = await faultOf(address);
    if (fault) throw new SourceAddressError(field, `${address} cannot be sent from: ${fault}.`);
  }
}

/**
 * The ways to a host from these sources, in the order in which the machine's resolver gives its addresses. Addresses of
 * a family without a source are left out; a host that has only such addresses gets no route.
 * @throws when the name cannot be resolved.
 */
export async function routesTo(hostname: string, sources: SourceAddresses): Promise<Route[]> {
  const addresses = await lookup(hostname, { all: true });
  return addresses.flatMap(({ address }) => {
    // An IPv4-mapped IPv6 address is treated as IPv4: it can only be reached from an IPv4 address.
    const hostname = canonicalAddress(address);
    const localAddress = isIP(hostname) === 4 ? sources.ipv4 : sources.ipv6;
    return localAddress === null ? [] : [{ hostname, localAddress }];
  });
}

/** Addresses that Linux binds, and sends nothing from: multicast, reserved and broadcast ones. */
const OF_MANY = new BlockList();
OF_MANY.addSubnet("224.0.0.0", 3, "ipv4");
OF_MANY.addSubnet("ff00::", 8, "ipv6");

/** Tries to bind a socket to it: lists of interfaces leave out addresses that work, such as 127.0.0.2 on Linux. */
async function faultOf(address: string): Promise<string | null> {
  const plain = canonicalAddress(address);
  if (OF_MANY.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4")) return "it is not the address of one machine";
  const server = createServer();
  try {
    await once(server.listen(0, address), "listening");
    const bound = (server.address() as AddressInfo).address;
    return isEveryAddress(bound) ? "it stands for every address; name one" : null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "EADDRNOTAVAIL" ? "this machine does not have that address" : message;
  } finally {
    server.close();
  }
}
