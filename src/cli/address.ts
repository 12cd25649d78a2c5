/** The address of a running sandbox, as options give it. */
import { Option } from "commander";
import { MAX_PORT } from "../domain/bounds.ts";
import { portFault } from "../domain/destinations.ts";
import { baseAddress, DEFAULT_HOST, notSuch, serverAddress } from "../domain/web-address.ts";
import { UsageError } from "./usage-error.ts";
import { HOST_VARIABLE, PORT_VARIABLE } from "./variables.ts";

/** The port that a server listens on by default. */
export const DEFAULT_PORT = "4400";

/** The option `--url`. @param what the URL that it takes, in words. */
export function urlOption(what: string): Option {
  return new Option("--url <url>", `${what}; ${PORT_VARIABLE} changes the default`).default(ownAddress());
}

/** An address to listen on; an IPv6 address may be given in brackets, as in URLs. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[(.+)\]$/, "$1");
}

/** The URL of a server started in the same environment; one that listens on all addresses is reached at 127.0.0.1. */
function ownAddress(): string {
  const { host, port } = ownVariables();
  return serverAddress(withoutBrackets(host), port);
}

function ownVariables() {
  const { [HOST_VARIABLE]: host = DEFAULT_HOST, [PORT_VARIABLE]: port = DEFAULT_PORT } = process.env;
  return { host, port };
}

/** The address without a trailing slash. @throws {UsageError} if it is no address. */
export function addressOf(url: string): string {
  const address = baseAddress(url);
  if (url === ownAddress()) refuseVariables(address);
  if (address !== null) return address;
  const fault = portFault(url) ?? `must be an address such as http://${DEFAULT_HOST}:${DEFAULT_PORT}`;
  throw new UsageError(`--url ${fault}, ${notSuch(url)}.`);
}

/**
 * Names the variable at fault, as nobody wrote the address that was made of them.
 * @param address null if what was made is none.
 * @throws {UsageError}
 */
function refuseVariables(address: string | null): void {
  const { host, port } = ownVariables();
  if (!/^\d+$/.test(port) || Number(port) > MAX_PORT) {
    throw new UsageError(`${PORT_VARIABLE} must be a whole number from 0 to ${MAX_PORT}, not "${port}".`);
  }
  // With a slash in it, the address has a path, and the port is part of that.
  if (address !== null && !/[/\\]/.test(host)) return;
  const rule = `must be a host alone, as URLs name it, such as ${DEFAULT_HOST}`;
  throw new UsageError(`${HOST_VARIABLE} ${rule}, ${notSuch(host)}.`);
}
