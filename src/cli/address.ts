/** The address of a running sandbox, as options give it. */
import { baseAddress, notSuch } from "../domain/web-address.ts";
import { UsageError } from "./usage-error.ts";

/** The variable that says it to every command that takes `--url` for it. */
export const URL_VARIABLE = "PAYMENTS_SANDBOX_URL";

/** An address to listen on; an IPv6 address may stand in the brackets that it has in URLs. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.+)\]$/, "$1");
}

/** Where a server that was started in the same environment answers; one on all addresses does on this machine's too. */
export function ownAddress(): string {
  const { PAYMENTS_SANDBOX_HOST = "0.0.0.0", PAYMENTS_SANDBOX_PORT: port = "4400" } = process.env;
  const host = withoutBrackets(PAYMENTS_SANDBOX_HOST);
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}

/** The address without a slash at its end. @throws {UsageError} for what is none. */
export function addressOf(url: string): string {
  const address = baseAddress(url);
  if (address !== null) return address;
  const { PAYMENTS_SANDBOX_PORT: port = "" } = process.env;
  if (url === ownAddress() && !/^\d*$/.test(port)) {
    throw new UsageError(`PAYMENTS_SANDBOX_PORT must be a whole number from 0 to 65535, not "${port}".`);
  }
  throw new UsageError(`--url must be an address such as http://127.0.0.1:4400, ${notSuch(url)}.`);
}
