/** The address of a running sandbox, as options give it. */
import { baseAddress, notSuch, serverAddress } from "../domain/web-address.ts";
import { UsageError } from "./usage-error.ts";

/** The environment variable for it, read by every command that takes `--url` as the address of a sandbox. */
export const URL_VARIABLE = "PAYMENTS_SANDBOX_URL";

/** An address to listen on; an IPv6 address may be given in brackets, as in URLs. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.+)\]$/, "$1");
}

/** The URL of a server started in the same environment; one that listens on all addresses is reached at 127.0.0.1. */
export function ownAddress(): string {
  const { PAYMENTS_SANDBOX_HOST = "0.0.0.0", PAYMENTS_SANDBOX_PORT: port = "4400" } = process.env;
  return serverAddress(withoutBrackets(PAYMENTS_SANDBOX_HOST), port);
}

/** The address without a trailing slash. @throws {UsageError} if it is no address. */
export function addressOf(url: string): string {
  const address = baseAddress(url);
  if (address !== null) return address;
  const { PAYMENTS_SANDBOX_PORT: port = "" } = process.env;
  if (url === ownAddress() && !/^\d*$/.test(port)) {
    throw new UsageError(`PAYMENTS_SANDBOX_PORT must be a whole number from 0 to 65535, not "${port}".`);
  }
  throw new UsageError(`--url must be an address such as http://127.0.0.1:4400, ${notSuch(url)}.`);
}
