/** Options that several commands take, and values of such options, validated. */
import { Option } from "commander";
import { destinationFault, INBOX, portFault, textFault } from "../domain/destinations.ts";
import type { Settings } from "../domain/settings.ts";
import { notSuch } from "../domain/web-address.ts";
import { UsageError } from "./usage-error.ts";

/** The option `--json` of a command whose output is JSON without it too. */
export function idleJsonOption(): Option {
  return new Option("--json", "JSON, which is what it prints anyway");
}

/** @throws {UsageError} if the text is not a whole number within the bounds. */
export function wholeNumber(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${name} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
}

/** TABLE: the values that `--postback-url` may have, by the setting `webhook_targets`. */
const postbackRules: Readonly<Record<Settings["webhook_targets"], string>> = {
  local: `must be an https URL, an http URL on this machine or a private network, or ${INBOX}`,
  strict: `must be an https URL or ${INBOX}`,
  any: `must be an https or http URL, or ${INBOX}`,
};

/**
 * @param reason why this setting is in force, as the end of the message.
 * @throws {UsageError} if webhooks may not be sent there.
 */
export function postbackOf(url: string | undefined, targets: Settings["webhook_targets"], reason = ""): string | null {
  if (url === undefined) return null;
  if (destinationFault(url, targets) === null) return url;
  const fault = textFault(url) ?? portFault(url) ?? postbackRules[targets];
  throw new UsageError(`--postback-url ${fault}, ${notSuch(url)}${reason}.`);
}
