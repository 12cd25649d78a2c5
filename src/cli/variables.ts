/** The environment variables that stand for options. */
import type { Option } from "commander";
import { nearName } from "../domain/words/near-name.ts";

/** The prefix of their names. */
export const PREFIX = "PAYMENTS_SANDBOX_";

/** The address of a running sandbox, for every command that calls one. */
export const URL_VARIABLE = `${PREFIX}URL`;
/** The address that a server listens on. */
export const HOST_VARIABLE = `${PREFIX}HOST`;
/** The port that a server listens on, and at which commands call it. */
export const PORT_VARIABLE = `${PREFIX}PORT`;
/** The control token that a server requires, and that commands send. */
export const CONTROL_TOKEN_VARIABLE = `${PREFIX}CONTROL_TOKEN`;

/** Values that Kubernetes sets in containers beside a service of this name, and Docker in linked ones. */
const OF_A_SERVICE = /^(?:tcp|udp|sctp):\/\//;

/** Removes empty variables, as compose files set them for optional ones, and those about a service of this name. */
export function forgetUnsetVariables(): void {
  for (const [name, value = ""] of Object.entries(process.env)) {
    if (name.startsWith(PREFIX) && (value === "" || OF_A_SERVICE.test(value))) delete process.env[name];
  }
}

/**
 * Messages about variables that are not read but were probably meant for these options. Other unknown variables may
 * have a meaning to whoever set them.
 */
export function ignoredVariables(options: readonly Option[]): string[] {
  const known = [URL_VARIABLE, ...options.flatMap(({ envVar }) => envVar ?? [])];
  const unknown = Object.keys(process.env).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  return unknown.flatMap((name) => {
    const flag = `--${name.slice(PREFIX.length).toLowerCase().replaceAll("_", "-")}`;
    if (options.some(({ long }) => long === flag)) return `${name} is not read: ${flag} has no variable.`;
    const words = known.map((variable) => variable.slice(PREFIX.length));
    const meant = nearName(name.slice(PREFIX.length), words);
    return meant === null ? [] : `${name} is not read; did you mean ${PREFIX}${meant}?`;
  });
}
