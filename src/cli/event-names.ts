/** Event kinds as commands take them. */
import { eventKinds } from "../domain/events.ts";
import { didYouMean, sentence } from "../domain/near-name.ts";
import { UsageError } from "./usage-error.ts";

/** Whether the service has events of this name; the two names that `legacy_refund_events` adds (`D55`) are none. */
export function isEvent(name: string): boolean {
  return eventKinds.some((kind) => kind === name);
}

/** @throws {UsageError} for a name that no event has, with the nearest. */
export function refuseUnknownEvent(name: string): void {
  if (!isEvent(name)) throw new UsageError(sentence(`There is no event "${name}"${didYouMean(name, eventKinds)}`));
}
