/** The variables of the environment that stand for options. */
import type { Option } from "commander";
import { nearName } from "../domain/near-name.ts";
import { URL_VARIABLE } from "./address.ts";

/** What their names begin with. */
export const PREFIX = "PAYMENTS_SANDBOX_";

/** What Kubernetes sets for every container beside a service of this name, and Docker for linked ones. */
const OF_A_SERVICE = /^(?:tcp|udp|sctp):\/\//;

/** A variable that nobody has set to anything, as compose files do for those that are optional, is not set. */
export function forgetUnsetVariables(): void {
  for (const [name, value = ""] of Object.entries(process.env)) {
    if (name.startsWith(PREFIX) && (value === "" || OF_A_SERVICE.test(value))) delete process.env[name];
  }
}

/**
 * Sentences about variables that were probably meant for these options, and are not read. Others may have a meaning to
 * whoever set them.
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
